/**
 * Tables by RFC 4180, with commas or tabs. Text that a spreadsheet would run gets an apostrophe.
 */
import { spreadsheetLine, spreadsheetText } from '../../../domain/spreadsheet-text.ts'
import { expectSame, fail } from '../compare.ts'

export interface Table {
  columns: readonly string[]
  rows: string[][]
}

type Separator = ',' | '\t'

export function writeTable({ columns, rows }: Table, separator: Separator): string {
  return [columns, ...rows].map((row) => spreadsheetLine(row, separator)).join('')
}

export function checkTable(body: string, { columns, rows }: Table, separator: Separator): void {
  const meant = [columns, ...rows].map((row) => row.map(spreadsheetText))
  expectSame('the table', readTable(body, separator), meant)
}

export function readTable(body: string, separator: Separator): string[][] {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body
  const rows: string[][] = []
  let row: string[] = []
  const token = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`,
    'y',
  )
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (!match) fail(`the CSV breaks at character ${at}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === separator) continue
    rows.push(row)
    row = []
  }
  return rows
}
