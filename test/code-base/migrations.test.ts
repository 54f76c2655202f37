import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const folder = resolve(import.meta.dirname, '../../server/db/migrations')

test('a migration never changes: add another one, and its line to `checksums`', () => {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => {
      const text = readFileSync(join(folder, name))
      return `${createHash('sha256').update(text).digest('hex')}  ${name}`
    })
  assert.deepEqual(lines, readFileSync(join(folder, 'checksums'), 'utf8').trim().split('\n'))
})
