import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readDocument } from '../documents/text.ts'
import { clipFolder } from '../clips.testing.ts'
import { sniffFile } from './sniff.ts'

async function fileOf(t: TestContext, bytes: Buffer | string): Promise<string> {
  const file = path.join(await clipFolder(t), 'file')
  await writeFile(file, bytes)
  return file
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
/** “これは日本語の字幕です。” */
const japanese = Buffer.from('82b182ea82cd93fa967b8cea82cc8e9a968b82c582b78142', 'hex')
/** “Привет, как дела?” */
const russian = Buffer.from('cff0e8e2e5f22c20eae0ea20e4e5ebe03f', 'hex')
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

const texts: [encoding: string, bytes: Buffer, text: string][] = [
  [
    'windows-1252',
    latin1('\xc7a va bien, \xe9l\xe8ve \x96 \xabgar\xe7on\xbb'),
    'Ça va bien, élève – «garçon»',
  ],
  ['Shift-JIS', japanese, 'これは日本語の字幕です。'],
  ['windows-1251', russian, 'Привет, как дела?'],
  ['UTF-16 without its mark', wide('Hello world, café.'), 'Hello world, café.'],
  ['UTF-16 of the other order', wide('Hello world.').swap16(), 'Hello world.'],
  ['UTF-8 with a vertical tab', Buffer.from('Speaker one:\vHello'), 'Speaker one:\nHello'],
  ['UTF-8 with the end of a DOS file', Buffer.from('C’est la fin.\x1a'), 'C’est la fin.'],
]
for (const [encoding, bytes, text] of texts) {
  test(`a text in ${encoding} is a document and is read`, async (t) => {
    const file = await fileOf(t, bytes)
    assert.deepEqual(await sniffFile(file), { kind: 'document', format: 'text' })
    assert.deepEqual((await readDocument(file)).text, [text])
  })
}

test('bytes that are no text stay unknown', async (t) => {
  const noise = Buffer.from(Array.from({ length: 400 }, (_, at) => 128 + ((at * 73) % 128)))
  const levels = Buffer.from(Int16Array.from({ length: 300 }, (_, at) => at % 90).buffer)
  for (const bytes of [noise, levels, Buffer.from([0x41, 0x02, 0x42, 0x43])]) {
    assert.deepEqual(await sniffFile(await fileOf(t, bytes)), { kind: 'unknown' })
  }
})

test('a playlist is one by its first line or element', async (t) => {
  const playlists = [
    '#EXTM3U\n#EXT-X-TARGETDURATION:10\n',
    '#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://host/a.m3u8\n',
    '<?xml version="1.0"?>\n<!-- made -- by hand -->\n<MPD profiles="urn:mpeg:dash:profile:isoff-live:2011">',
    '\ufeff<!DOCTYPE smil PUBLIC "-//W3C//DTD SMIL 2.0//EN" "x">\n<smil>',
    '<asx version="3.0">',
    '<cpl:CompositionPlaylist xmlns:cpl="x">',
  ]
  for (const text of playlists) {
    assert.deepEqual(await sniffFile(await fileOf(t, text)), { kind: 'playlist' }, text)
  }
  const hidden = Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from('<MPD profiles="x">')])
  assert.deepEqual(await sniffFile(await fileOf(t, hidden)), { kind: 'playlist' }, 'in no text')
})

test('a text that quotes a playlist is a text', async (t) => {
  const texts = [
    '# How to\n\nExample:\n\n#EXT-X-TARGETDURATION:10\n\nEnd of notes.\n',
    '<!doctype html><html><body>An <MPD> element, or <smil>.</body></html>',
    'The manifest begins with <MPD profiles="…">.',
  ]
  for (const text of texts) {
    const kind = await sniffFile(await fileOf(t, text))
    assert.deepEqual(kind, { kind: 'document', format: 'text' }, text)
  }
})
