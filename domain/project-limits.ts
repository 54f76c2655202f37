/** Apart from the schemas, so that the web can read them without zod. */
export const projectColours = [
  'grey',
  'cyan',
  'green',
  'yellow',
  'orange',
  'red',
  'violet',
] as const
export const projectLimits = { projects: 1000, vocabularyTerms: 200 }
/** Limits per account; `depth` counts the bins from a project down. */
export const binLimits = { bins: 5000, depth: 8, nameLength: 200, paths: 1000 }
