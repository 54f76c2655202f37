import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourcePictures } from '../../contract/footage/cuts.ts'
import { isRenewalDue, keepAddresses } from './keep-addresses.ts'

const hour = 3600_000

function source(ticket: string, { file = 'proxy.mp4', name = 'A' } = {}) {
  const pictures: SourcePictures = {
    proxy: {
      url: `/v1/jobs/1/files/${file}?ticket=${ticket}`,
      width: 640,
      height: 360,
      frame_rate: '25/1',
      frames: 100,
      start_frame: 0,
    },
    poster_url: `/v1/jobs/1/files/poster.jpg?ticket=${ticket}`,
    sprite: null,
    waveform: null,
  }
  return { content_id: 'a', name, pictures }
}

test('an address that is signed again is not loaded again while the old one is valid', () => {
  const known = keepAddresses([], [source('one')], 0)
  assert.equal(keepAddresses(known, [source('two')], hour), known)
  const [renamed] = keepAddresses(known, [source('two', { name: 'B' })], hour)
  assert.equal(renamed?.name, 'B')
  assert.equal(renamed?.pictures, known[0]?.pictures)
})

test('before an address dies the newer one is taken', () => {
  const known = keepAddresses([], [source('one')], 0)
  const kept = keepAddresses(known, [source('two')], 2.9 * hour)
  const [renewed] = keepAddresses(kept, [source('three')], 3.1 * hour)
  assert.match(renewed?.pictures.proxy?.url ?? '', /three$/)
})

test('another file is another address', () => {
  const known = keepAddresses([], [source('one')], 0)
  const next = [source('two', { file: 'proxy-2.mp4' })]
  assert.equal(keepAddresses(known, next, 1)[0], next[0])
})

test('playing is interrupted only when its address is about to die', () => {
  const sources = keepAddresses([], [source('one')], 0)
  const due = (hours: number, isPlaying: boolean) =>
    isRenewalDue(sources, { nowMs: hours * hour, isPlaying })
  assert.deepEqual([due(1, false), due(1, true)], [false, false])
  assert.deepEqual([due(3.2, false), due(3.2, true)], [true, false])
  assert.deepEqual([due(3.9, false), due(3.9, true)], [true, true])
  assert.equal(isRenewalDue([], { nowMs: 9 * hour, isPlaying: false }), false)
})
