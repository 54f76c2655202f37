import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesHeader } from './notes-header.ts'

test('the notes of an export fit into a header, and say how many do not', () => {
  assert.equal(notesHeader(['a: left out.', 'b']), encodeURIComponent('a: left out.\nb'))
  const long = Array.from({ length: 10 }, () => '音'.repeat(200))
  const header = notesHeader(long)
  assert.ok(header.length < 6100)
  const lines = decodeURIComponent(header).split('\n')
  assert.deepEqual(lines.slice(-2), [long[0], 'And 7 more.'])
})
