const names = new Intl.DisplayNames('en', { type: 'region' })

/** "Japan" for "JP"; invoices are written in English. */
export function countryName(code: string): string {
  return names.of(code) ?? code
}
