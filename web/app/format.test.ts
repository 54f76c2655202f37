import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceUsd, contentName, signedUsd, sumMicros, usd } from './format.ts'

test('amounts of a service that adds floats, or leaves one out, are shown', () => {
  assert.equal(usd(0.1 + 0.2), '$0.30')
  assert.equal(balanceUsd(4.1234567), '$4.12')
  assert.equal(signedUsd(-0.7500000001), '-$0.75')
  assert.equal(usd(undefined as unknown as number), '$0.00')
  assert.equal(sumMicros([0.1, 0.2]), 300_000)
})

test('a percent sign of its own in an address stays in the name', () => {
  assert.equal(contentName({ content_url: 'https://x.example/100%.mov' }), '100%.mov')
  assert.equal(contentName({ content_url: 'https://x.example/a%20b.mov?c' }), 'a b.mov')
})
