import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter, networkOf } from './rate-limit.ts'

test('a line that sends from each address of its IPv6 network is limited as one', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 5 })
  const send = (address: string): void => limiter.take(networkOf(address), 0)
  for (let last = 0; last < 5; last += 1) send(`2001:db8:1:2:${last}::${last}`)
  assert.throws(() => send('2001:db8:1:2:ffff::1'), { code: 'rate_limited' })
  send('2001:db8:1:3::1')
})

test('addresses of IPv4 are counted one by one, however they are written', () => {
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.notEqual(networkOf('192.0.2.7'), networkOf('192.0.2.8'))
  assert.equal(networkOf('no address'), 'no address')
})
