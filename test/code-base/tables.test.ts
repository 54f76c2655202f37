import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeTables, tablesFile } from '../../scripts/build/generate-tables.ts'
import { openTestDatabase } from '../support/database.ts'

test('server/ground/generated-tables.ts has the columns that the migrations make', async () => {
  await using database = await openTestDatabase()
  const text = await describeTables(database.pool)
  assert.equal(readFileSync(tablesFile, 'utf8'), text, 'Run `npm run tables`.')
})
