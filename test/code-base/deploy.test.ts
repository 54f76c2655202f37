import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../support/database.ts'

test('what decides over the number of workers can be asked of the database', async () => {
  const file = resolve(import.meta.dirname, '../../deploy/kubernetes.yaml')
  const manifest = await readFile(file, 'utf8')
  const folded = manifest.replaceAll(/>-\n((?: {10}.*\n)+)/g, (_, lines: string) =>
    lines.replaceAll(/\s*\n\s*/g, ' '),
  )
  const queries = [...folded.matchAll(/query: *(.*?) *(?:targetQueryValue|\n)/g)]
  assert.equal(queries.length, 2)
  const database = await openTestDatabase()
  try {
    for (const [, query] of queries) {
      const { rows } = await sql.raw<Record<string, number>>(query!).execute(database.db)
      assert.deepEqual(
        rows.map((row) => Object.values(row).map(Number)),
        [[0]],
        query,
      )
    }
  } finally {
    await database.close()
  }
})
