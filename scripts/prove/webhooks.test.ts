import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeRun } from '../../test/support/slow.ts'
import { proveWebhooks } from './webhooks.ts'

test('through errors, redirects, dropped connections and a killed sender every event arrives in order', async () => {
  const objects = isWholeRun ? 10 : 3
  const proof = await proveWebhooks({ objects, eventsOfEach: 4, kills: 1, seed: 7 })
  assert.equal(proof.emitted, 4 * objects)
  assert.equal(proof.lost, 0)
  assert.equal(proof.unverified, 0)
  assert.equal(proof.disordered, 0)
  assert.equal(proof.open, 0)
  assert.ok(Object.keys(proof.failures).length >= 3, JSON.stringify(proof.failures))
})
