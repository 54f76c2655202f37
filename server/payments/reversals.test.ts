/** The short version of `npm run prove:ledger -- only=reversals`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveReversals } from '../../scripts/prove/ledger/reversals.ts'

test('refunds and disputes end where the model ends, in whatever order they are reported', async () => {
  const { differences, deliveries } = await proveReversals({ seed: 'short', sequences: 25 })
  assert.deepEqual(differences, [])
  assert.ok(deliveries > 100)
})
