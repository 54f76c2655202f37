import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveWebhooks } from './webhooks.ts'

test('through errors, redirects, dropped connections and a killed sender every event arrives in order', async () => {
  const proof = await proveWebhooks({ objects: 10, eventsOfEach: 4, kills: 1, seed: 7 })
  assert.equal(proof.emitted, 40)
  assert.equal(proof.lost, 0)
  assert.equal(proof.unverified, 0)
  assert.equal(proof.disordered, 0)
  assert.equal(proof.open, 0)
  assert.ok(Object.keys(proof.failures).length >= 3, JSON.stringify(proof.failures))
})
