/**
 * The cells of a workbook as lines of text, sheet after sheet: words, which lie in a table of their own or in the
 * cell, and numbers as they are stored. One walk over the tags; a word that many cells share
 * counts each time, so the walk ends at the limit of characters.
 */
import { withoutEntities } from './entities.ts'
import type { Archive } from './zip.ts'

const sheetName = /^xl\/worksheets\/sheet(\d+)\.xml$/

export function isSheet(names: readonly string[]): boolean {
  return names.some((name) => sheetName.test(name)) || names.includes('xl/sharedStrings.xml')
}

export async function readSheets(
  { names, read }: Archive,
  maxCharacters: number,
): Promise<{ text: string; isCut: boolean }> {
  const shared = sharedWords(await read('xl/sharedStrings.xml'))
  const numberOf = (name: string): number => Number(sheetName.exec(name)![1])
  const sheets = names
    .filter((name) => sheetName.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b))
  // Without its cells the table of words is all there is.
  if (sheets.length === 0) return { text: shared.join('\n'), isCut: false }
  const lines: string[] = []
  let left = maxCharacters
  for (const name of sheets) {
    for (const row of rowsOf(await read(name), shared)) {
      if (row.length >= left) return { text: lines.join('\n'), isCut: true }
      left -= row.length + 1
      lines.push(row)
    }
  }
  return { text: lines.join('\n'), isCut: false }
}

/** Each with its runs joined; how a word is pronounced is left out. */
function sharedWords(xml: string): string[] {
  const words: string[] = []
  let isAside = false
  for (const { tag, text } of tagsOf(xml)) {
    if (/^<si[\s>/]/.test(tag)) words.push('')
    else if (/^<\/?rPh[\s>]/.test(tag)) isAside = tag[1] !== '/'
    else if (/^<t[\s>]/.test(tag) && !isAside && words.length > 0) words.push(words.pop()! + text)
  }
  return words.map(withoutEntities)
}

function* rowsOf(xml: string, shared: readonly string[]): Generator<string> {
  let cells: string[] = []
  let type = ''
  for (const { tag, text } of tagsOf(xml)) {
    if (/^<c[\s>]/.test(tag)) type = /\st="(\w{1,9})"/.exec(tag)?.[1] ?? 'n'
    else if (/^<v[\s>]/.test(tag)) cells.push(cellText(text, type, shared))
    else if (/^<t[\s>]/.test(tag)) cells.push(withoutEntities(text))
    else if (tag === '</row>') {
      const row = cells.filter((cell) => cell.trim() !== '').join(' ')
      if (row !== '') yield row
      cells = []
    }
  }
}

function cellText(value: string, type: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(value)] ?? ''
  // Of a true or false, a number says nothing; of an error, neither.
  return type === 'b' || type === 'e' ? '' : withoutEntities(value)
}

/** Every tag with the text behind it, up to the next one. */
function* tagsOf(xml: string): Generator<{ tag: string; text: string }> {
  let start = xml.indexOf('<')
  while (start >= 0) {
    const end = xml.indexOf('>', start)
    if (end < 0) return
    const next = xml.indexOf('<', end)
    const until = next < 0 ? xml.length : next
    yield { tag: xml.slice(start, end + 1), text: xml.slice(end + 1, until) }
    start = next
  }
}
