import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attachment, cleanFileName, nameFromDisposition } from './file-name.ts'

test('names lose paths, control characters and disguises, and keep the rest', () => {
  const cases: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\clips\\A001.mov', 'A001.mov'],
    ['a\r\nset-cookie: x=1.mov', 'aset-cookie: x=1.mov'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['..', 'untitled'],
    ['', 'untitled'],
    ['Interview – 東京 🎬.mov', 'Interview – 東京 🎬.mov'],
  ]
  for (const [input, wanted] of cases) assert.equal(cleanFileName(input, 'untitled'), wanted)
})

test('a long name keeps its extension', () => {
  const name = cleanFileName(`${'é'.repeat(400)}.mov`, 'x')
  assert.equal(name.length, 255)
  assert.ok(name.endsWith('.mov'))
})

test('any name makes one header line that reads back as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (input) => {
      const name = cleanFileName(input, 'untitled')
      const header = attachment(name)
      assert.match(header, /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~!-]+$/)
      assert.equal(nameFromDisposition(header), name)
    }),
  )
})
