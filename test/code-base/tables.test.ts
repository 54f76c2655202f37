/** `server/ground/tables.ts` is written by hand; this compares it with what the migrations make. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

const source = readFileSync(resolve(import.meta.dirname, '../../server/ground/tables.ts'), 'utf8')

let database: TestDatabase

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test('every table of tables.ts has the columns of the real schema, null where the schema says so', async () => {
  const real = await readSchema()
  const written = membersOf('Tables')
  assert.ok(written.size > 30)
  const describe = (columns: { name: string; isNull: boolean }[], type: string): string[] =>
    // To PostgreSQL every column of a view may be null.
    columns
      .map(({ name, isNull }) => (isNull && !type.endsWith('View') ? `${name} | null` : name))
      .toSorted()
  const differences = [...written].flatMap(([table, type]) => {
    const ours = [...membersOf(type)].map(([name, columnType]) => ({
      name,
      isNull: /\| null\b/.test(readType(columnType)),
    }))
    const actual = describe(real.get(table) ?? [], type)
    const expected = describe(ours, type)
    return actual.join() === expected.join() ? [] : [{ table, actual, expected }]
  })
  assert.deepEqual(differences, [])
})

/** The members of an interface: name and type as written. */
function membersOf(name: string): Map<string, string> {
  const body = new RegExp(`interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(source)?.[1] ?? ''
  const code = body.replaceAll(/\/\*\*.*?\*\/|\/\/.*$/gms, '')
  const members = code.matchAll(/^ {2}(\w+): (.*(?:\n {3,}.*|\n {2}[|>].*)*)/gm)
  return new Map([...members].map(([, member = '', type = '']) => [member, type]))
}

/** `ColumnType<read, insert, update>`: only what is read says whether it may be null. */
function readType(type: string): string {
  return /^ColumnType<(.*?), (?:string|Date|never|number)/s.exec(type)?.[1] ?? type
}

async function readSchema(): Promise<Map<string, { name: string; isNull: boolean }[]>> {
  const { rows } = await database.pool.query<{ table: string; name: string; isNull: boolean }>(
    `select table_name as table, column_name as name, is_nullable = 'YES' as "isNull"
     from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'`,
  )
  return Map.groupBy(rows, ({ table }) => table)
}
