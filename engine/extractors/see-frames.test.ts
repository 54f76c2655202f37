import assert from 'node:assert/strict'
import path from 'node:path'
import { before, test } from 'node:test'
import { smallHeight, smallWidth } from '../pass/plan.ts'
import { probe } from '../probe.ts'
import type { MediaDetails } from '../probe.ts'
import { readSampleFrames } from '../shots/sample-frames.testing.ts'
import { watchChanges } from './see-frames.ts'

const sample = path.resolve(import.meta.dirname, '../../assets/sample.mp4')
let details: MediaDetails
let frames: Uint8Array[]

before(async () => {
  const probed = await probe(sample)
  assert.equal(probed.status, 'media')
  details = probed.status === 'media' ? probed.details : assert.fail()
  const shots = await readSampleFrames()
  frames = Array.from({ length: 60 }, (_, at) => wipe(shots[10 + at]!, shots[200 + at]!, at))
})

/** From the 20th frame on the second picture comes in from the left, within 20 frames. */
function wipe(first: Uint8Array, other: Uint8Array, at: number): Uint8Array {
  const done = Math.min(1, Math.max(0, (at - 20) / 20))
  const luma = smallWidth * smallHeight
  return first.map((value, byte) => {
    const width = byte < luma ? smallWidth : smallWidth / 2
    const column = (byte < luma ? byte : byte - luma) % width
    return column < done * width ? other[byte]! : value
  })
}

function watchWipe() {
  const watched = watchChanges(details, new Set(['changes']))
  for (const yuv of frames) watched.push(yuv)
  return watched
}

test('a gradual change that no mix explains is classified by its frames, read again', async () => {
  let read = 0
  const { changes, faults } = await watchWipe().finish(async (take) => {
    for (const yuv of frames) {
      read++
      await take(yuv)
    }
  })
  assert.equal(read, frames.length)
  assert.deepEqual(faults, {})
  const result = changes?.changes.filter(({ score }) => score >= 0.5)
  assert.deepEqual(
    result?.map(({ type }) => type),
    ['wipe'],
  )
})

test('a classifier that breaks is a fault of the changes; a canceled one is canceled', async () => {
  const broken = new Error('The disk is gone.')
  const { changes, faults } = await watchWipe().finish(() => Promise.reject(broken))
  assert.equal(changes, null)
  assert.deepEqual(faults, { changes: broken })
  const canceled = watchWipe().finish(() => Promise.reject(broken), AbortSignal.abort())
  await assert.rejects(canceled, { name: 'AbortError' })
})
