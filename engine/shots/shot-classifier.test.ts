import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { smallBytes } from '../pass/plan.ts'
import { createShotDetector } from './detector.ts'
import type { Detection } from './detector.ts'
import { readSampleFrames } from './sample-frames.testing.ts'
import type { Change } from './settle.ts'
import { classifyGradual } from './shot-classifier.ts'

let frames: Uint8Array[]
let detection: Detection

before(async () => {
  frames = await readSampleFrames()
  const detector = createShotDetector(25)
  for (const yuv of frames) detector.push(yuv)
  detection = detector.finish()
})

/** As files are read: one buffer for all frames. */
async function readAll(take: (yuv: Uint8Array) => void | Promise<void>): Promise<void> {
  const shared = new Uint8Array(smallBytes)
  for (const yuv of frames) {
    shared.set(yuv)
    await take(shared)
  }
}

const classify = (changes: Change[]): Promise<Detection> =>
  classifyGradual({ ...detection, changes }, readAll)

test('a dissolve is believed; the same claim of a shot that only moves or rests is not', async () => {
  const explained = detection.changes.find(({ type, score }) => type === 'dissolve' && score >= 0.5)
  assert.ok(explained)
  const dissolve: Change = { ...explained, isExplained: false }
  const { start, end } = dissolve
  const claimAt = (at: number): Change => ({ ...dissolve, start: at, end: at + end - start })
  const cut = detection.changes.find(({ type }) => type === 'cut')
  assert.ok(cut)
  // At the start of the film, within other shots, and twice at the same frames.
  const claims = [0, 30, 30, 120].map(claimAt)
  const { changes } = await classify([dissolve, cut, ...claims])
  assert.ok(changes[0]!.score >= 0.5, `the dissolve has ${changes[0]!.score}`)
  assert.deepEqual(changes[1], cut)
  for (const claim of changes.slice(2)) {
    assert.ok(claim.score < 0.5, `a claim at ${claim.start} has ${claim.score}`)
  }
  assert.equal(changes[3]!.score, changes[4]!.score)
})

test('frames are not read again for changes that are unlikely, explained or too long', async () => {
  const unread = (): Promise<void> => assert.fail('The frames were read.')
  const weak: Change = { type: 'dissolve', start: 20, end: 40, score: 0.19 }
  const mixed: Change = { ...weak, score: 0.9, isExplained: true }
  const long: Change = { type: 'fade', start: 20, end: 81, score: 0.9 }
  const settled: Detection = { ...detection, changes: [weak, mixed, long] }
  assert.deepEqual(await classifyGradual(settled, unread), settled)
})

test('a dissolve that the rules doubt is believed once the network has classified it', async () => {
  const sure = detection.changes.find(({ type, score }) => type === 'dissolve' && score >= 0.5)
  assert.ok(sure)
  const doubted: Change = { ...sure, score: 0.3, isExplained: false }
  const { changes } = await classify([doubted])
  assert.ok(changes[0]!.score >= 0.5, `it has ${changes[0]!.score}`)
  // Beside one that is believed it is the end of that one.
  const before: Change = { ...sure, start: sure.start - 5, end: sure.start - 1, isExplained: true }
  const beside = await classify([before, doubted])
  assert.deepEqual(beside.changes, [before, doubted])
})

test('a dissolve is explained by mixes, a fade is left to the network', async () => {
  const soft = detection.changes.filter(({ type, score }) => type !== 'cut' && score >= 0.5)
  const explained = soft.filter(({ isExplained }) => isExplained).map(({ type }) => type)
  assert.deepEqual([...new Set(explained)], ['dissolve'])
  const fades = soft.filter(({ type }) => type === 'fade')
  assert.ok(fades.length > 0)
  const doubted = fades.map((fade): Change => ({ ...fade, score: 0.3 }))
  const { changes } = await classify(doubted)
  for (const { start, score } of changes) assert.ok(score >= 0.5, `${start}: ${score}`)
  const resting: Change = { ...fades[0]!, start: 30, end: 50, score: 0.9 }
  const claim = (await classify([resting])).changes[0]!
  assert.ok(claim.score < 0.5, `a fade of a shot that rests has ${claim.score}`)
})

test('the better the rules like a change, the likelier it is', async () => {
  const claim: Change = { type: 'wipe', start: 30, end: 50, score: 0.3 }
  const scores: number[] = []
  for (const score of [0.3, 0.9]) {
    scores.push((await classify([{ ...claim, score }])).changes[0]!.score)
  }
  assert.ok(scores[0]! < scores[1]!, scores.join(' '))
})

test('a change at any place gets its frames, clipped to the film', async () => {
  const last = frames.length
  const spans: [number, number][] = [
    [0, 1],
    [0, 60],
    [last - 20, last - 17],
    [last - 60, last],
  ]
  const claims = spans.map(([start, end]): Change => ({ type: 'wipe', start, end, score: 1 }))
  const { changes } = await classify(claims)
  // Each was classified: the odds of both are below certainty.
  for (const { start, score } of changes) {
    assert.ok(score > 0 && score < 1, `${start}: ${score}`)
  }
})

test('a canceled analysis stops the classifier', async () => {
  const stop = new AbortController()
  const change: Change = { type: 'dissolve', start: 20, end: 40, score: 0.9 }
  const classification = classifyGradual(
    { ...detection, changes: [change] },
    async (take) => {
      for (const yuv of frames.slice(0, 30)) await take(yuv)
      stop.abort()
      for (const yuv of frames.slice(30)) await take(yuv)
    },
    { signal: stop.signal },
  )
  await assert.rejects(classification)
})
