import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import type { Db } from '../ground/database.ts'
import { prepareTogether, registerConnect } from './prepared.ts'

let database: TestDatabase
let db: Db
let statements = 0
before(async () => {
  database = await openTestDatabase()
  db = database.db
  registerConnect(db, () => {
    statements += 1
    return database.pool.connect()
  })
})
after(() => database.close())

const square = prepareTogether<{ sought: string; square: number }>(
  'square',
  `select word as sought, word::int * word::int + $1::int as square
    from unnest($2::text[]) word where word <> '0'`,
)

async function seek(sought: string, plus: number): Promise<number[]> {
  const rows = await square(db, { sought, values: [plus], group: String(plus) })
  return rows.map((row) => row.square)
}

test('look-ups of one moment are one statement, and each gets its own rows', async () => {
  statements = 0
  const answers = await Promise.all([seek('2', 0), seek('3', 0), seek('0', 0), seek('2', 0)])
  assert.deepEqual(answers, [[4], [9], [], [4]])
  assert.equal(statements, 1)
  assert.deepEqual(await seek('5', 0), [25])
  assert.equal(statements, 2, 'a later one is read again')
})

test('statements that differ in more than the sought value are sent apart', async () => {
  statements = 0
  assert.deepEqual(await Promise.all([seek('2', 0), seek('2', 1)]), [[4], [5]])
  assert.equal(statements, 2)
})

test('a statement that fails fails for all who wait for it, and for nobody after', async () => {
  const failing = await Promise.allSettled([seek('x', 0), seek('2', 0)])
  assert.deepEqual(
    failing.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await seek('2', 0), [4])
})
