import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveAgents } from './agents.ts'

test('agents that call at random never spend more than the limit of their key', async () => {
  const { jobs, refusedByLimit, chargedMicros, limitMicros } = await proveAgents(200)
  assert.ok(jobs > 0 && chargedMicros > 0, 'some analyses were made')
  assert.ok(refusedByLimit > 0, 'the limit was reached')
  assert.ok(chargedMicros <= limitMicros)
})
