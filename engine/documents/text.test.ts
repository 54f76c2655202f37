import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { isWholeRun, slow } from '../../test/support/slow.ts'
import { clipFolder } from '../clips.testing.ts'
import { countPages } from './count-pages.ts'
import { pdf, zip } from './files.testing.ts'
import { readDocument } from './text.ts'

test('a word document tells its title, author, pages and paragraphs', async (t) => {
  const paragraphs = ['INT. KITCHEN &#8211; NIGHT', 'Tom &amp; Ann wait.']
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  const file = join(await clipFolder(t), 'script.docx')
  await writeFile(
    file,
    zip({
      'docProps/app.xml': '<Properties><Pages>1</Pages></Properties>',
      'docProps/core.xml':
        '<c><dc:title>The Ferry</dc:title><dc:creator>A. Writer</dc:creator></c>',
      'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    }),
  )
  assert.deepEqual(await readDocument(file), {
    format: 'text',
    pages: 1,
    characters: 36,
    words: 6,
    title: 'The Ferry',
    author: 'A. Writer',
    text: ['INT. KITCHEN – NIGHT\nTom & Ann wait.'],
  })
})

test('a word document leaves deleted and moved text out, and its page breaks are pages', async (t) => {
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`
  const gone = (text: string): string =>
    `<w:r><w:delText xml:space="preserve">${text}</w:delText></w:r>`
  const changed = { 'w:id': 1, 'w:author': 'Ann' }
  const tag = Object.entries(changed)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')
  const body =
    `<w:p><w:pPr><w:rPr><w:del ${tag}/><w:moveFrom ${tag}/></w:rPr></w:pPr>${run('We open ')}` +
    `<w:del ${tag}>${gone('on a murder ')}</w:del><w:ins ${tag}>${run('on a ferry.')}</w:ins></w:p>` +
    `<w:moveFrom ${tag}>${run('Moved away.')}</w:moveFrom><w:moveFromRangeEnd w:id="2"/>` +
    `<w:p>${run('Last of page one.')}<w:r><w:br w:type="page"/></w:r></w:p>` +
    `<w:p>${run('Page two, ')}<w:r><w:instrText> PAGE \\* MERGEFORMAT </w:instrText></w:r>${run('here.')}</w:p>` +
    `<w:p><w:r><w:lastRenderedPageBreak/></w:r>${run('Page three.')}</w:p>`
  const file = join(await clipFolder(t), 'tracked.docx')
  await writeFile(
    file,
    zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` }),
  )
  const { pages, text } = await readDocument(file)
  assert.equal(pages, 3)
  assert.deepEqual(text, [
    'We open on a ferry.\nLast of page one.',
    'Page two, here.',
    'Page three.',
  ])
})

async function textIn(t: TestContext, files: Record<string, string>) {
  const file = join(await clipFolder(t), 'file.zip')
  await writeFile(file, zip(files))
  const { format, text } = await readDocument(file)
  return [format, ...text]
}

test('notes and comments of a word document, and named signs, are read', async (t) => {
  const part = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const read = await textIn(t, {
    'word/comments.xml': part('A comment.'),
    'word/document.xml': part('Caf&eacute; &mdash; R&amp;D &amp;eacute; &nosuch;'),
    'word/endnotes.xml': part('An endnote.'),
    'word/footnotes.xml': part('A footnote.'),
  })
  const text = 'Café — R&D &eacute; &nosuch;\n\nA footnote.\n\nAn endnote.\n\nA comment.'
  assert.deepEqual(read, ['text', text])
})

test('a web page is its words: markup, styles and scripts are neither shown nor paid for', async (t) => {
  const file = join(await clipFolder(t), 'page.html')
  await writeFile(
    file,
    `<!doctype html>\n<html><head><title>My &eacute;tude</title><style>${'.a{color:red}'.repeat(200)}</style>` +
      `</head><BODY><SCRIPT>${'var x = 1;'.repeat(200)}</SCRIPT><p>Hello <b>world</b> &amp; all</p>` +
      '<table><tr><td>one</td><td>two</td></tr></table></BODY></html>',
  )
  const { title, pages, text } = await readDocument(file)
  assert.deepEqual([title, pages, text], ['My étude', 1, ['Hello world & all\none two']])
  await writeFile(file, 'The tag <html> is quoted.')
  assert.deepEqual((await readDocument(file)).text, ['The tag <html> is quoted.'])
})

test('a PDF reports its properties; a damaged one is a page without text', async (t) => {
  const folder = await clipFolder(t)
  const info = '/Title (Day \\(3\\)) /Author <FEFF00C4006E006E0061>'
  await writeFile(join(folder, 'call-sheet.pdf'), pdf(['a', 'b', 'c', 'd'], info))
  const { pages, title, author, words } = await readDocument(join(folder, 'call-sheet.pdf'))
  assert.deepEqual([pages, title, author, words], [4, 'Day (3)', 'Änna', 4])
  await writeFile(join(folder, 'damaged.pdf'), '%PDF-1.4\n<</Type /Pages /Count 4 /Title (x)>>')
  assert.deepEqual(await readDocument(join(folder, 'damaged.pdf')), {
    ...{ format: 'pdf', pages: 1, characters: null, words: null },
    ...{ title: null, author: null, text: [] },
  })
})

test('a title cannot state the number of pages', async (t) => {
  const file = join(await clipFolder(t), 'cheap.pdf')
  await writeFile(file, pdf(['one', 'two', 'three'], '/Title (Cheap\\nPages:           1\\n)'))
  const { pages, title } = await readDocument(file)
  assert.deepEqual([pages, title], [3, 'Cheap'])
})

test('a PDF is read page by page', async (t) => {
  const file = join(await clipFolder(t), 'script.pdf')
  await writeFile(file, pdf(['INT. KITCHEN, NIGHT', '', 'Tom waits.']))
  const { pages, text, words } = await readDocument(file)
  assert.deepEqual(
    { pages, text, words },
    {
      pages: 3,
      text: ['INT. KITCHEN, NIGHT', '', 'Tom waits.'],
      words: 5,
    },
  )
})

test('no more pages are read than are counted for the price', async (t) => {
  const folder = await clipFolder(t)
  const lines = Array.from({ length: 20 }, (_, page) => `Page ${page}`)
  // To the letter there is one page; whoever opens the file finds twenty.
  const hidden = pdf(lines)
    .replace('/Type /Pages', '/Type /P#61ges')
    .replace('%PDF-1.4\n', '%PDF-1.4\n%<</Type /Pages /Count 1>>\n')
  await writeFile(join(folder, 'hidden.pdf'), hidden)
  const read = await readDocument(join(folder, 'hidden.pdf'))
  assert.deepEqual([read.pages, read.text.length], [20, 20])
  const said = zip({
    'docProps/app.xml': '<Properties><Pages>1</Pages></Properties>',
    'word/document.xml': `<w:p>${'word '.repeat(36_000)}</w:p>`,
  })
  await writeFile(join(folder, 'said.docx'), said)
  assert.equal((await readDocument(join(folder, 'said.docx'))).pages, 100)
})

test('of a document that has grown since it was priced, the paid pages are read', async (t) => {
  const folder = await clipFolder(t)
  await writeFile(join(folder, 'grown.pdf'), pdf(['one', 'two', 'three', 'four']))
  await writeFile(join(folder, 'grown.txt'), 'word '.repeat(3600))
  const files = { 'grown.pdf': ['one', 'two'], 'grown.txt': [1800, 1800] }
  for (const [name, expected] of Object.entries(files)) {
    const { text } = await readDocument(join(folder, name), { maxPages: 2 })
    const shown = name.endsWith('.pdf')
      ? text
      : text.map((page) => Math.round(page.length / 100) * 100)
    assert.deepEqual(shown, expected)
  }
})

test('a document that is too long says that it was cut, and only what is read is paid for', async (t) => {
  const folder = await clipFolder(t)
  const cases: [
    name: string,
    bytes: Buffer | string,
    isCut: boolean,
    pages: number,
    paid: number,
  ][] = [
    ['short.txt', 'word '.repeat(3600), false, 10, 10],
    ['long.txt', 'word '.repeat(720_000), true, 2000, 1112],
    // Seventeen megabytes of marks and few words: what lies behind the limit is not read.
    [
      'bomb.docx',
      zip({
        'docProps/app.xml': '<Properties><Pages>900</Pages></Properties>',
        'word/document.xml': `<w:p>${'word '.repeat(1790)}</w:p>${'<w:tab-/>'.repeat(2_000_000)}<w:p>end</w:p>`,
      }),
      ...([true, 5, 5] as const),
    ],
  ]
  if (isWholeRun) {
    const words = 'word '.repeat(720_000)
    cases.push(['long.docx', zip({ 'word/document.xml': `<w:p>${words}</w:p>` }), true, 2000, 1112])
  }
  for (const [name, bytes, isCut, pages, paid] of cases) {
    const file = join(folder, name)
    await writeFile(file, bytes)
    const format = name.endsWith('.txt') ? 'text' : 'zip'
    assert.equal(await countPages(file, format), paid, name)
    let wasCut = false
    const read = await readDocument(file, { maxPages: paid, onCut: () => (wasCut = true) })
    assert.deepEqual([wasCut, read.pages], [isCut, pages], name)
    // A part ends at the end of a word, so that a few less hold the same text.
    assert.ok(read.text.length <= paid && read.text.length > paid * 0.99, name)
  }
})

/** Pages of a text are as many as are paid for, and no word is cut in two. */
test('a long text is cut into its pages at the ends of words', async (t) => {
  const words = Array.from({ length: 3000 }, (_, number) => `word${number}`)
  const file = join(await clipFolder(t), 'long.txt')
  await writeFile(file, words.join(' '))
  const { text, pages } = await readDocument(file)
  assert.equal(text.length, pages)
  assert.deepEqual(text.join(' ').split(' '), words)
})

test('documents that are made to be counted forever are over soon', slow, async (t) => {
  const folder = await clipFolder(t)
  const stream = deflateSync('/Type/Pages'.repeat(300)).toString('latin1')
  const many = (text: string, times: number): string => text.repeat(times)
  const files: Record<string, Buffer> = {
    'tags.docx': zip({ 'word/document.xml': many('<', 8_000_000) }),
    'breaks.docx': zip({ 'word/document.xml': many('<w:br ', 1_000_000) }),
    'deleted.docx': zip({ 'word/document.xml': many('<w:delText ', 700_000) }),
    'moved.docx': zip({ 'word/document.xml': many('<w:moveFrom/>', 700_000) }),
    'title.docx': zip({
      'docProps/core.xml': many('<dc:title ', 500_000),
      'word/document.xml': '<w:p>x</w:p>',
    }),
    'nodes.pdf': Buffer.from(`%PDF-1.4\n${many('/Type/Pages', 2_000_000)}`),
    'streams.pdf': Buffer.from(
      `%PDF-1.4\n${many(`/Type/ObjStm stream\n${stream}`, 20_000)}`,
      'latin1',
    ),
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  // In a process of its own: what never yields cannot be timed out in this one.
  const module = new URL('./text.ts', import.meta.url).href
  const script = `const { readDocument } = await import('${module}')
    for (const file of process.argv.slice(1)) await readDocument(file)`
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, ...Object.keys(files).map((name) => join(folder, name))],
    { timeout: 90_000 },
  )
})
