import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeed, paceText, totalOf } from './upload-pace.ts'

const mb = 1024 ** 2
const part = (phase: 'waiting' | 'sending' | 'unsent', share = 0) => ({
  file: { size: 100 * mb },
  phase,
  share,
})

test('a round of uploads is as far as its bytes are, without those that did not arrive', () => {
  const entries = [part('sending', 0.5), part('sending', 0.1), part('waiting'), part('unsent', 0.9)]
  assert.deepEqual(totalOf(entries, { files: 2, bytes: 240 * mb }), {
    count: 5,
    sentBytes: 300 * mb,
    totalBytes: 540 * mb,
    share: 300 / 540,
  })
  assert.equal(totalOf([part('sending', 1)], { files: 0, bytes: 0 }).share, 1)
})

test('the pace says bytes and, once it can be told, the time that is left', () => {
  const speed = createSpeed()
  // Bytes of an earlier visit say nothing of the pace of this one.
  assert.equal(speed(50 * mb, 1000), null)
  assert.equal(speed(51 * mb, 2000), null)
  const bytesPerSecond = speed(60 * mb, 6000)
  assert.equal(bytesPerSecond, 2 * mb)
  const pace = { sentBytes: 60 * mb, totalBytes: 100 * mb }
  assert.equal(paceText({ ...pace, bytesPerSecond: null }), '60.0 MB of 100.0 MB')
  assert.equal(paceText({ ...pace, bytesPerSecond }), '60.0 MB of 100.0 MB · 20 s left')
  assert.equal(
    paceText({ ...pace, totalBytes: 360 * mb, bytesPerSecond }),
    '60.0 MB of 360.0 MB · 3 min left',
  )
  assert.equal(paceText({ ...pace, sentBytes: 100 * mb, bytesPerSecond }), '100.0 MB of 100.0 MB')
})
