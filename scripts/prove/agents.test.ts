import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeRun } from '../../test/support/slow.ts'
import { proveAgents } from './agents.ts'

test('agents that call at random never spend more than the limit of their key', async () => {
  const { jobs, refusedByLimit, chargedMicros, heldMicros, limitMicros } = await proveAgents(
    isWholeRun ? 200 : 40,
  )
  assert.ok(jobs > 0 && chargedMicros + heldMicros > 0, 'some analyses were started')
  assert.ok(refusedByLimit > 0, 'the limit was reached')
  assert.ok(chargedMicros + heldMicros <= limitMicros)
})
