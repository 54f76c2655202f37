/** Real clips, recombined by seed from the sample that ships with the product. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { analyse } from '../analyse.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { createShotDetector } from '../shots/detector.ts'
import { readSampleFrames } from '../shots/sample-frames.testing.ts'
import { createClock } from '../time/clock.ts'
import type { Signals } from './extractor.ts'
import { shotsExtractor } from './shots.ts'
import { slow, slowUnless } from '../../test/support/slow.ts'
import { seeded } from '../../test/support/random.ts'

const sample = path.join(import.meta.dirname, '../../assets/sample.mp4')
/** Frames of the sample that lie well within its shots. */
const interiors = [
  [3, 97],
  [103, 172],
  [178, 272],
  [280, 368],
  [382, 472],
  [478, 572],
] as const

type Kind = 'dissolve' | 'fade' | 'wipe'
interface Truth {
  cuts: number[]
  soft: { type: Kind; start: number; end: number }[]
}
interface Joint {
  type: Kind
  transition: string
  frames: number
}

test('the shown threshold keeps what is believed, and shown scores keep their order', async () => {
  const detector = createShotDetector(25)
  for (const yuv of (await readSampleFrames()).slice(0, 50)) detector.push(yuv)
  const detection = detector.finish()
  const { frames } = detection.film
  const clock = createClock({ rate: { num: 25n, den: 1n }, frames })
  const kind = fc.constantFrom('cut' as const, 'dissolve' as const, 'fade' as const)
  const near = fc.constantFrom(499, 499.95, 499.99, 500, 501)
  const score = fc.oneof(fc.integer({ min: 0, max: 1000 }), near)
  const change = fc
    .tuple(kind, fc.integer({ min: 1, max: frames - 1 }), score)
    .map(([type, start, thousandths]) => ({ type, start, end: start, score: thousandths / 1000 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const detected = await shotsExtractor.run(
        { clock, changes: { ...detection, changes } } as Signals,
        {},
        {},
      )
      const { candidates, changes: believed, threshold } = detected
      const kept = candidates.filter((change) => change.score >= threshold)
      assert.deepEqual(believed, kept)
      assert.equal(kept.length, changes.filter((change) => change.score >= 0.5).length)
      const byScore = changes.map((change, at) => [change.score, candidates[at]!.score] as const)
      byScore.sort(([a], [b]) => a - b)
      const shown = byScore.map(([, own]) => own)
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => a - b),
      )
      assert.ok(shown.every((own) => own >= 0 && own <= 1))
    }),
    { numRuns: 30 },
  )
})

/** Joins shots of `from` to `to` frames, by cuts where no joint is given. */
function recombine(
  seed: number,
  plan: { shots: number; from: number; to: number; joints?: Joint[] },
): { graph: string; truth: Truth } {
  const random = seeded(seed)
  const truth: Truth = { cuts: [], soft: [] }
  const graph: string[] = []
  let before = -1
  let length = 0
  for (let shot = 0; shot < plan.shots; shot++) {
    const joint = shot > 0 ? plan.joints?.[(shot - 1) % plan.joints.length] : undefined
    let pick = Math.floor(random() * interiors.length)
    if (pick === before) pick = (pick + 1) % interiors.length
    before = pick
    const [low, high] = interiors[pick]!
    const frames = plan.from + Math.floor(random() * (plan.to - plan.from + 1))
    const start = low + Math.floor(random() * (high - low - frames))
    graph.push(
      `[0:v]trim=start_frame=${start}:end_frame=${start + frames},scale=320:180,settb=1/25,setpts=N,fps=25[s${shot}]`,
    )
    if (shot === 0) {
      graph.push('[s0]null[j0]')
      length = frames
      continue
    }
    const inputs = `[j${shot - 1}][s${shot}]`
    if (joint) {
      const seconds = joint.frames / 25
      const offset = (length - joint.frames) / 25
      graph.push(
        `${inputs}xfade=transition=${joint.transition}:duration=${seconds}:offset=${offset},settb=1/25[j${shot}]`,
      )
      // The first frame of the overlap is still the old picture alone.
      truth.soft.push({ type: joint.type, start: length - joint.frames + 1, end: length })
      length += frames - joint.frames
    } else {
      graph.push(`${inputs}concat=n=2,settb=1/25,setpts=N,fps=25[j${shot}]`)
      truth.cuts.push(length)
      length += frames
    }
  }
  return { graph: `${graph.join(';')};[j${plan.shots - 1}]`, truth }
}

async function changesOf(t: TestContext, graph: string, effect: string, output: string) {
  const folder = await clipFolder(t)
  const words = `-i ${sample} -an -dn -filter_complex ${graph}${effect},fps=25[v] -map [v] ${output}`
  const file = await makeClip(folder, words)
  const workDir = path.join(folder, 'work')
  const { findings } = await analyse({ file, extractors: ['shots'], workDir })
  const changes = findings.shots?.changes ?? []
  return {
    cuts: changes.filter((change) => change.type === 'cut').map((change) => change.start_frame),
    soft: changes.filter((change) => change.type !== 'cut'),
  }
}

const h264 = '-c:v libx264 -preset ultrafast -crf 24 -pix_fmt yuv420p clip.mp4'
const mpeg4 = '-c:v mpeg4 -q:v 7 clip.avi'
/** Two white frames in every 31. */
const flashes = 'lutyuv=y=235:u=128:v=128:enable=lt(mod(n+9\\,31)\\,2)'

for (const [name, seed, effect, output] of [
  ['plain', 1, 'null', h264],
  ['coarse, with grain and bars', 2, 'noise=alls=18:allf=t,crop=320:136,pad=320:180:0:22', mpeg4],
  ['black and white, dark', 3, 'hue=s=0,lutyuv=y=16+(val-16)*0.3', h264],
  ['each picture shown twice', 4, 'fps=12.5,fps=25', h264],
] as const) {
  test(
    `every cut of a recombined film is found and nothing else: ${name}`,
    slowUnless(name === 'plain'),
    async (t) => {
      const { graph, truth } = recombine(seed, { shots: 10, from: 8, to: 24 })
      const detected = await changesOf(t, graph, effect, output)
      assert.deepEqual(detected.soft, [])
      assertNear(detected.cuts, truth.cuts)
    },
  )
}

test('white frames between are flashes and no cuts', slow, async (t) => {
  const { graph, truth } = recombine(5, { shots: 5, from: 31, to: 31 })
  const detected = await changesOf(t, graph, flashes, h264)
  assert.deepEqual(detected.soft, [])
  assertNear(detected.cuts, truth.cuts)
})

for (const [name, seed, type, transitions, frames] of [
  ['dissolves', 6, 'dissolve', ['fade'], [7, 14, 30]],
  ['wipes', 8, 'wipe', ['wipeleft', 'wipedown', 'circleopen'], [10, 18, 26]],
  ['pushes', 11, 'wipe', ['slideleft', 'slideup', 'slideright'], [12, 18, 24]],
] as const) {
  test(
    `${name} of a recombined film are found as what they are`,
    slowUnless(name === 'dissolves'),
    async (t) => {
      const joints = frames.map((count, at) => ({
        type,
        transition: transitions[at % transitions.length]!,
        frames: count,
      }))
      const { graph, truth } = recombine(seed, { shots: 6, from: 66, to: 68, joints })
      const detected = await changesOf(t, graph, 'null', h264)
      assert.deepEqual(detected.cuts, [])
      assert.deepEqual(
        detected.soft.map((change) => change.type),
        truth.soft.map((change) => change.type),
      )
      for (const [at, change] of detected.soft.entries()) {
        const wanted = truth.soft[at]!
        assert.ok(
          change.start_frame < wanted.end && change.end_frame > wanted.start,
          `change ${at}`,
        )
      }
    },
  )
}

for (const colour of ['black', 'white']) {
  test(
    `shots that fade to and from ${colour} meet in one fade each`,
    slowUnless(colour === 'black'),
    async (t) => {
      const faded = interiors.slice(1, 4).map(([start], at) => {
        const shot = `[0:v]trim=start_frame=${start}:end_frame=${start + 60},scale=320:180`
        const fades = `fade=in:0:12:color=${colour},fade=out:44:16:color=${colour}`
        return `${shot},settb=1/25,setpts=N,${fades}[s${at}]`
      })
      const graph = `${faded.join(';')};[s0][s1][s2]concat=n=3,`
      const detected = await changesOf(t, graph, 'setpts=N/25/TB', mpeg4)
      assert.deepEqual(detected.cuts, [])
      const inner = detected.soft.filter(
        (change) => change.start_frame > 12 && change.end_frame < 168,
      )
      assert.deepEqual(
        inner.map((change) => change.type),
        ['fade', 'fade'],
      )
      for (const [at, change] of inner.entries()) {
        assert.ok(
          Math.abs(change.start_frame - 60 * at - 45) <= 3,
          `starts at ${change.start_frame}`,
        )
        assert.ok(Math.abs(change.end_frame - 60 * at - 72) <= 3, `ends at ${change.end_frame}`)
      }
    },
  )
}

test('a camera that moves over a picture changes nothing', slow, async (t) => {
  const pan = 'crop=160:90:x=n*1.2:y=40+n*0.3,scale=320:180'
  const { graph } = recombine(9, { shots: 1, from: 65, to: 65 })
  const detected = await changesOf(t, graph, pan, mpeg4)
  assert.deepEqual(detected, { cuts: [], soft: [] })
})

function assertNear(detected: readonly number[], wanted: readonly number[]): void {
  const text = `${detected.join(' ')} for ${wanted.join(' ')}`
  assert.equal(detected.length, wanted.length, text)
  assert.ok(
    wanted.every((frame, at) => Math.abs(frame - detected[at]!) <= 1),
    text,
  )
}
