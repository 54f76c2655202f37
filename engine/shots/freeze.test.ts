/** Findings must not depend on how a processor rounds: pixels differ by one level between them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallBytes, smallHeight, smallWidth } from '../pass/plan.ts'
import { classifyShots } from './classify.ts'
import { createShotDetector } from './detector.ts'
import { readSampleFrames, sampleFilter } from './sample-frames.testing.ts'
import { changeThreshold } from './settle.ts'
import { isWholeRun, slow } from '../../test/support/slow.ts'
import { seeded } from '../../test/support/random.ts'

/** Every fifth pixel differed between two scalers. */
const roundedShare = 0.2

function roundOtherwise(yuv: Uint8Array, random: () => number): Uint8Array {
  return yuv.map((value) => {
    const chance = random()
    if (chance >= roundedShare) return value
    return Math.max(0, Math.min(255, value + (chance < roundedShare / 2 ? -1 : 1)))
  })
}

function classify(frames: readonly Uint8Array[]) {
  const detector = createShotDetector(25)
  for (const yuv of frames) detector.push(yuv)
  const detection = detector.finish()
  const { freeze, black, shots } = classifyShots(detection, 25)
  const changes = detection.changes
    .filter(({ score }) => score >= changeThreshold)
    .map(({ type, start, end }) => ({ type, start, end }))
  const kinds = shots.map(({ start, end, motion, frozen }) => ({ start, end, motion, frozen }))
  return { freeze, black, changes, kinds, flashes: detection.flashes }
}

test(
  'small frames are the same with and without the special instructions of a processor',
  slow,
  async () => {
    const [fast, plain] = [await readSampleFrames(), await readSampleFrames(['-cpuflags', '0'])]
    assert.equal(fast.length, 575)
    assert.deepEqual(Buffer.concat(fast), Buffer.concat(plain))
  },
)

test('the sample has the same findings however its pixels are rounded', slow, async () => {
  const frames = await readSampleFrames()
  const classes = classify(frames)
  // Two drawn frames are held; the second comes out of a dissolve.
  assert.deepEqual(classes.freeze, [
    { start: 100, end: 175 },
    { start: 375, end: 475 },
  ])
  const decodings = [frames]
  if (isWholeRun) {
    // Jobs without a proxy leave the loop filter out.
    const unfiltered = await readSampleFrames(['-skip_loop_filter', 'all'])
    assert.deepEqual(classify(unfiltered), classes)
    decodings.push(unfiltered)
    const asProcessorRounds = sampleFilter.replaceAll('+accurate_rnd+bitexact', '')
    assert.deepEqual(classify(await readSampleFrames([], asProcessorRounds)), classes)
  }
  for (const decoded of decodings) {
    for (let seed = 1; seed <= (isWholeRun ? 4 : 1); seed++) {
      const random = seeded(seed)
      const rounded = classify(decoded.map((yuv) => roundOtherwise(yuv, random)))
      // Noise in every frame is motion, more than two scalers differ by.
      assert.deepEqual({ ...rounded, kinds: classes.kinds }, classes, `${seed}`)
    }
  }
})

test('a freeze begins and ends on its frames, in grain, between slow moves', () => {
  for (let seed = 1; seed <= (isWholeRun ? 20 : 3); seed++) {
    const random = seeded(seed)
    const first = 30 + Math.floor(30 * random())
    const last = first + 25 + Math.floor(60 * random())
    const speed = 0.3 + random()
    const frames = Array.from({ length: last + 60 }, (_, frame) => {
      const moved = speed * (Math.min(frame, first) + Math.max(0, frame - last))
      return roundOtherwise(draw(moved, random), random)
    })
    assert.deepEqual(classify(frames).freeze, [{ start: first, end: last + 1 }], `${seed}`)
  }
})

test('less than a second, a slow zoom and a mouth that moves are no freeze', () => {
  const random = seeded(7)
  const film = (length: number, at: (frame: number) => Uint8Array) =>
    classify(Array.from({ length }, (_, frame) => at(frame))).freeze
  const held = (frame: number) => 2 * (Math.min(frame, 40) + Math.max(0, frame - 63))
  assert.deepEqual(
    film(120, (frame) => draw(held(frame), random)),
    [],
  )
  assert.deepEqual(
    film(120, (frame) => draw(frame * 0.06, random)),
    [],
    'a slow move',
  )
  const talking = film(120, (frame) => {
    const yuv = draw(0, random)
    if (Math.sin(frame / 2) > 0) yuv.fill(16, 18 * smallWidth + 30, 18 * smallWidth + 32)
    return yuv
  })
  assert.deepEqual(talking, [], 'a mouth of two pixels')
})

/** A picture that is moved to the side, with fine grain. */
function draw(moved: number, random: () => number): Uint8Array {
  const yuv = new Uint8Array(smallBytes).fill(128)
  for (let y = 0; y < smallHeight; y++) {
    for (let x = 0; x < smallWidth; x++) {
      const wave = Math.sin((x + moved) / 6) + Math.sin((x + moved - 2 * y) / 9)
      yuv[y * smallWidth + x] = 120 + 40 * wave + random()
    }
  }
  return yuv
}
