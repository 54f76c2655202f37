/** The paper edit as a Word document: three small XML parts in a ZIP without compression. */
import { crc32 } from 'node:zlib'
import { expectEqual, fail } from '../compare.ts'
import { childrenOf, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'
import { element, renderXml } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import type { ExportInput, Format } from '../format.ts'
import { zip } from '../zip.ts'
import { buildPaper } from './paper.ts'
import type { Paper, PaperRow } from './paper.ts'

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'

export const docx: Format = {
  anyRate: true,
  write: (input) =>
    zip([
      ['[Content_Types].xml', contentTypes()],
      ['_rels/.rels', relations()],
      ['word/document.xml', documentPart(buildPaper(input))],
    ]),
  check: checkDocx,
}

function documentPart(paper: Paper): string {
  const small = { halfPoints: 18 }
  const margins = { 'w:top': 1134, 'w:right': 1134, 'w:bottom': 1134, 'w:left': 1134 }
  const body = element(
    'w:body',
    {},
    paragraph([run(paper.title, { bold: true, halfPoints: 36 })]),
    paragraph([run(paper.facts, small)]),
    ...paper.notes.map((note) => paragraph([run(note, small)])),
    table(paper.rows),
    ...paper.comments.map(({ at, name, text }) =>
      paragraph([run(`${at} `, small), run(name, { bold: true }), run(` ${text}`, {})]),
    ),
    element(
      'w:sectPr',
      {},
      element('w:pgSz', { 'w:w': 11906, 'w:h': 16838 }),
      element('w:pgMar', { ...margins, 'w:header': 567, 'w:footer': 567, 'w:gutter': 0 }),
    ),
  )
  return xml(element('w:document', { 'xmlns:w': main }, body))
}

/** Reads the document back by the archive's own table. */
function checkDocx(archive: Uint8Array, input: ExportInput): void {
  const { rows } = buildPaper(input)
  const texts = rowTexts(readPart(archive, 'word/document.xml'))
  expectEqual('the number of passages', texts.length, rows.length)
  rows.forEach((row, index) => {
    const words = row.words.map((word) => word.text).join('')
    if (!texts[index]!.includes(row.record + row.length) || !texts[index]!.includes(words)) {
      fail(`passage ${index + 1} reads ${texts[index]}`)
    }
  })
}

function table(rows: readonly PaperRow[]): XmlNode {
  const widths = [500, 1700, 7400]
  return element(
    'w:tbl',
    {},
    element('w:tblPr', {}, element('w:tblW', { 'w:w': 0, 'w:type': 'auto' })),
    element('w:tblGrid', {}, ...widths.map((width) => element('w:gridCol', { 'w:w': width }))),
    ...rows.map((row) => {
      const small = { halfPoints: 18 }
      const cells = [
        [paragraph([run(String(row.number), small)])],
        [paragraph([run(row.record, small)]), paragraph([run(row.length, small)])],
        [
          paragraph([
            ...(row.speaker ? [run(`${row.speaker}  `, { bold: true, halfPoints: 18 })] : []),
            run(`${row.clip}  ${row.source}`, small),
          ]),
          paragraph(row.words.map(({ text, struck }) => run(text, { struck }))),
          ...(row.note ? [paragraph([run(row.note, small)])] : []),
        ],
      ]
      return element(
        'w:tr',
        {},
        element('w:trPr', {}, element('w:cantSplit')),
        ...cells.map((inside, index) =>
          element(
            'w:tc',
            {},
            element('w:tcPr', {}, element('w:tcW', { 'w:w': widths[index], 'w:type': 'dxa' })),
            ...inside,
          ),
        ),
      )
    }),
  )
}

function paragraph(runs: XmlNode[]): XmlNode {
  return element('w:p', {}, ...runs)
}

function run(
  text: string,
  style: { bold?: boolean; struck?: boolean; halfPoints?: number },
): XmlNode {
  return element(
    'w:r',
    {},
    element(
      'w:rPr',
      {},
      style.bold && element('w:b'),
      style.struck && element('w:strike'),
      style.halfPoints !== undefined && element('w:sz', { 'w:val': style.halfPoints }),
    ),
    element('w:t', { 'xml:space': 'preserve' }, text),
  )
}

function contentTypes(): string {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  const relationships = 'application/vnd.openxmlformats-package.relationships+xml'
  return xml(
    element(
      'Types',
      { xmlns: `${packages}/content-types` },
      element('Default', { Extension: 'rels', ContentType: relationships }),
      element('Default', { Extension: 'xml', ContentType: 'application/xml' }),
      element('Override', { PartName: '/word/document.xml', ContentType: word }),
    ),
  )
}

function relations(): string {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  return xml(
    element(
      'Relationships',
      { xmlns: `${packages}/relationships` },
      element('Relationship', { Id: 'rId1', Type: type, Target: 'word/document.xml' }),
    ),
  )
}

/** An office part has no document type. */
function xml(root: XmlNode): string {
  return renderXml('x', root).replace('<!DOCTYPE x>\n', '')
}

function readPart(archive: Uint8Array, name: string): string {
  const bytes = Buffer.from(archive)
  const end = bytes.length - 22
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 8); left > 0; left--) {
    const [sum, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)]
    const length = bytes.readUInt16LE(at + 28)
    const path = bytes.toString('utf8', at + 46, at + 46 + length)
    if (path === name) {
      const local = bytes.readUInt32LE(at + 42)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const part = bytes.subarray(start, start + size)
      expectEqual('a checksum', crc32(part), sum)
      return part.toString()
    }
    at += 46 + length
  }
  return fail(`the document has no ${name}`)
}

function rowTexts(document: string): string[] {
  // The reader of exports knows names without a prefix.
  const plain = document
    .replaceAll(/<(\/?)w:/g, '<$1')
    .replaceAll(/ (?:xmlns:w|w:\w+|xml:space)="[^"]*"/g, '')
    .replace('?>\n', '?>\n<!DOCTYPE document>\n')
  const body = readXml(plain, 'document').children[0] ?? fail('there is no body')
  return childrenOf(body, 'tbl').flatMap((table) => childrenOf(table, 'tr').map(textOf))
}

function textOf(tree: Tree): string {
  if (tree.name === 't') return tree.text
  return tree.children.map(textOf).join('')
}
