/** A text as a cell that no spreadsheet runs as a formula, in narrow or fullwidth characters. */
export function spreadsheetText(value: string): string {
  // A number or a fraction is nothing to run.
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:\/\d+)?$/.test(value)
  return /^[=+\-@\t\r＝＋－＠]/.test(value) && !isNumber ? `'${value}` : value
}
