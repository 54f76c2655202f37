/** The short version of `npm run prove:ledger -- only=reversals`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeRun } from '../../test/support/slow.ts'
import { proveReversals } from '../../scripts/prove/ledger/reversals.ts'

test('refunds and disputes end where the model ends, in whatever order they are reported', async () => {
  const sequences = isWholeRun ? 25 : 10
  const { differences, deliveries } = await proveReversals({ seed: 'short', sequences })
  assert.deepEqual(differences, [])
  assert.ok(deliveries > 4 * sequences)
})
