/** The short version of `npm run prove:ledger`: random operations against the independent model. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import {
  compareOutcome,
  compareState,
  execute,
  openAccounts,
} from '../../scripts/prove/ledger/execute.ts'
import { LedgerModel } from '../../scripts/prove/ledger/model.ts'
import { accountsOf, operationsOf } from '../../scripts/prove/ledger/operations.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { checkLedger } from './check.ts'

const operationsEach = isWholeRun ? 1000 : 300
let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test('random operations end where the independent model ends, and every answer is its answer', async () => {
  const { db } = database
  const model = new LedgerModel()
  await Promise.all(
    [0, 1, 2, 3].map(async (number) => {
      const lane = { seed: 'short', lane: number, accounts: 4 }
      await openAccounts(db, accountsOf(lane))
      const operations = operationsOf(lane)
      for (let count = 0; count < operationsEach; count++) {
        const operation = operations.next().value
        const expected = model.apply(operation)
        const actual = await execute(db, operation)
        assert.equal(compareOutcome(operation, expected, actual), null)
      }
    }),
  )
  assert.deepEqual(await compareState(db, model), [])
  const check = await checkLedger(db)
  assert.deepEqual(check.differences, [])
  assert.ok(check.transactions > 2 * operationsEach)
})
