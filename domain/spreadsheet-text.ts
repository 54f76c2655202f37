/** A text as a cell that no spreadsheet runs as a formula, in narrow or fullwidth characters. */
export function spreadsheetText(value: string): string {
  // A number or a fraction is nothing to run.
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:\/\d+)?$/.test(value)
  return /^[=+\-@\t\r＝＋－＠]/.test(value) && !isNumber ? `'${value}` : value
}

/** A line of a table by RFC 4180, whose cells are quoted where they must be. */
export function spreadsheetLine(cells: readonly string[], separator: ',' | '\t' = ','): string {
  const quoted = cells.map((cell) => {
    const safe = spreadsheetText(cell)
    const isPlain = !/["\r\n]/.test(safe) && !safe.includes(separator)
    return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`
  })
  return `${quoted.join(separator)}\r\n`
}
