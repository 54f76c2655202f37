/** Settings in the caller's environment. An empty value counts as not set, as in config.ts. */
export const givenSettings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  ),
)
