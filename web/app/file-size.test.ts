import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileSize } from './file-size.ts'

test('sizes read in B, KB, MB or GB (§2 Dashboard)', () => {
  const cases: [number, string][] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1_048_575, '1.0 MB'],
    [5_452_595, '5.2 MB'],
    [4 * 1024 ** 3, '4.0 GB'],
    [2048 * 1024 ** 3, '2048.0 GB'],
  ]
  for (const [bytes, text] of cases) assert.equal(fileSize(bytes), text)
})
