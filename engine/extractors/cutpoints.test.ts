import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CutpointsFindings } from '../../domain/findings/findings.ts'
import { createClock, spanOf } from '../time/clock.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { findCutPoints } from './find-cut-points.ts'

const clock = createClock({ rate: { num: 30000n, den: 1001n }, frames: 300 })
const words = [
  { text: 'Ask', start: 1, end: 1.4 },
  { text: 'not.', start: 1.5, end: 2 },
  { text: 'Um,', start: 4, end: 4.4 },
  { text: 'yes.', start: 4.5, end: 5 },
]

test('the best point lies in the longest pause, after the sentence, with reasons', async () => {
  const findings = CutpointsFindings.parse(await findCutPoints({ clock, words }))
  const inPause = findings.points.find((point) => point.seconds > 2 && point.seconds < 4)
  assert.ok(inPause)
  assert.match(inPause.reasons.join(' '), /Pause of 2\.0 s after “not\.”/)
  assert.match(inPause.reasons.join(' '), /End of the sentence/)
  const scores = findings.points.map((point) => point.score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

test('every frame has a score, and none inside a word is a point', async () => {
  const findings = await findCutPoints({ clock, words })
  assert.equal(Buffer.from(findings.curve.bytes, 'base64').length, 300)
  assert.equal(findings.curve.frames, 300)
  for (const { seconds } of findings.points) {
    assert.ok(
      !words.some((word) => seconds > word.start + 0.03 && seconds < word.end),
      `${seconds}`,
    )
  }
})

test('a voice that nobody understood is no pause', async () => {
  const perSecond = 16_000 / 512
  const vad = new Float32Array(Math.ceil(10 * perSecond)).map((_, at) => {
    const seconds = at / perSecond
    return (seconds > 1 && seconds < 2) || (seconds > 6 && seconds < 9) ? 0.95 : 0
  })
  const { points } = await findCutPoints({ clock, words: words.slice(0, 2), vad })
  assert.ok(points.length > 0)
  for (const { seconds, reasons } of points) {
    assert.ok(seconds < 6.05 || seconds > 9, `${seconds} ${reasons.join(', ')}`)
    const pauses = reasons.map((reason) => /Pause of ([\d.]+) s/.exec(reason)?.[1] ?? '0')
    assert.ok(
      pauses.every((length) => Number(length) <= 4),
      reasons.join(', '),
    )
  }
})

test('a hesitation is offered for removal, and no point lies inside it', async (t) => {
  const folder = await clipFolder(t)
  const wave = [1, 2, 3, 4, 5].map((part) => `sin(${part}*2*PI*120*t)/${part * 5}`).join('+')
  const held = `-f lavfi -i aevalsrc='${wave}':d=0.7 -af adelay=2400,apad=whole_dur=10 -t 10`
  const audioFile = await makeClip(folder, `${held} -ac 1 -ar 16000 -f s16le a.s16`)
  const said = [
    { text: 'so', start: 1, end: 2.5 },
    { text: 'then', start: 3, end: 4 },
  ]
  const perSecond = 16_000 / 512
  const vad = new Float32Array(Math.ceil(10 * perSecond)).map((_, at) => {
    return at / perSecond > 1 && at / perSecond < 4 ? 0.95 : 0
  })
  const { points, removals } = await findCutPoints({ clock, words: said, vad, audioFile })
  const [hesitation] = removals.filter(({ text }) => text === '(hesitation)')
  assert.ok(hesitation && hesitation.end - hesitation.start >= 0.22)
  for (const { seconds } of points) {
    const isInside = seconds > hesitation.start + 0.03 && seconds < hesitation.end
    assert.ok(!isInside, `${seconds}`)
  }
})

test('a change of shot is a point at its exact frame, its neighbours are not', async () => {
  const change = { ...spanOf(clock, 120, 120), type: 'cut' as const, score: 0.9 }
  const findings = await findCutPoints({ clock, words, shots: { changes: [change] } })
  const near = findings.points.filter((point) => Math.abs(point.frame - 120) <= 6)
  assert.deepEqual(
    near.map((point) => [point.frame, point.reasons[0]]),
    [[120, 'Shot change']],
  )
})

test('closed mouths and little motion raise the score', async () => {
  const frames = Array.from({ length: 100 }, (_, at) => at * 3)
  const gaps = frames.map((frame) => (frame > 70 && frame < 90 ? 0.01 : 0.2))
  const track = { face: 'face-1', frames, gaps, eyes: frames.map(() => 100) }
  const motion = Float32Array.from({ length: 300 }, (_, at) => Math.abs(at - 80) / 300)
  const faces = { sampled: frames, tracks: [track] }
  const findings = await findCutPoints({ clock, words, faces, motion })
  const point = findings.points.find(({ frame }) => Math.abs(frame - 80) < 12)
  assert.ok(point?.reasons.includes('Mouth closed'), JSON.stringify(findings.points.slice(0, 3)))
})

test('silence and fillers are offered for removal, words are not', async (t) => {
  const folder = await clipFolder(t)
  const speaking = words.map((word) => `between(t\\,${word.start}\\,${word.end})`).join('+')
  const sound = `0.3*sin(2*PI*300*t)*(${speaking})+0.0005*(random(0)-0.5)`
  const audioFile = await makeClip(
    folder,
    `-f lavfi -i aevalsrc=${sound}:s=16000:d=10 -f s16le a.s16`,
  )
  const { removals } = await findCutPoints({ clock, words, audioFile, samples: 160_000 })
  const silence = removals.filter((removal) => removal.kind === 'silence')
  assert.ok(
    silence.some(
      (removal) => removal.start > 2 && removal.end < 4 && removal.end - removal.start > 1.5,
    ),
  )
  assert.deepEqual(
    removals.filter((removal) => removal.kind === 'filler').map((removal) => removal.text),
    ['um'],
  )
  for (const removal of silence) {
    assert.ok(!words.some((word) => word.start < removal.end && removal.start < word.end))
  }
})

test('a long pause gives a point at each of its ends and none between', async () => {
  const spoken = [
    { text: 'One.', start: 1, end: 1.5 },
    { text: 'Two.', start: 8, end: 8.5 },
  ]
  const { points } = await findCutPoints({ clock, words: spoken })
  const inPause = points
    .filter(({ seconds }) => seconds > 1.5 && seconds < 8)
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b)
  assert.equal(inPause.length, 2, inPause.join())
  assert.ok(inPause[0]! < 1.8 && inPause[1]! > 7.7, inPause.join())
  // Before the first word and after the last one there is one end each.
  assert.equal(points.length, 4)
})

test('where nothing speaks for a cut there is none', async (t) => {
  const folder = await clipFolder(t)
  const audioFile = await makeClip(folder, '-f lavfi -i anullsrc=r=16000 -t 10 -f s16le a.s16')
  const input = { clock, audioFile, samples: 160_000, vad: new Float32Array(312) }
  const still = await findCutPoints({ ...input, motion: new Float32Array(300) })
  assert.deepEqual(still.points, [])
  const shimmer = Float32Array.from({ length: 300 }, (_, at) => 0.001 + (at % 7) * 1e-4)
  assert.deepEqual((await findCutPoints({ ...input, motion: shimmer })).points, [])
  assert.deepEqual((await findCutPoints({ clock, motion: shimmer })).points, [])
})

test('a breath in the middle of a sentence is no point, a pause there is', async () => {
  const sentence = (gap: number) => [
    { text: 'Nobody', start: 2, end: 3 },
    { text: 'knows.', start: 3 + gap, end: 4 + gap },
  ]
  const near = (points: { seconds: number }[]) =>
    points.filter(({ seconds }) => seconds > 2.9 && seconds < 4).length
  assert.equal(near((await findCutPoints({ clock, words: sentence(0.13) })).points), 0)
  assert.equal(near((await findCutPoints({ clock, words: sentence(0.4) })).points), 1)
})

test('without sound a movement that plainly comes to rest is a point', async () => {
  const motion = Float32Array.from(
    { length: 300 },
    (_, at) => 0.0002 + 0.03 * ((at - 150) / 60) ** 2,
  )
  const { points } = await findCutPoints({ clock, motion })
  assert.deepEqual(
    points.map((point) => [point.frame, point.reasons]),
    [[150, ['Little motion']]],
  )
})

test('a still shot between two cuts is no movement that comes to rest', async () => {
  const changes = [100, 200].map((frame) => {
    return { ...spanOf(clock, frame, frame), type: 'cut' as const, score: 0.9 }
  })
  const motion = new Float32Array(300)
  motion[100] = 0.3
  motion[200] = 0.3
  const { points } = await findCutPoints({ clock, motion, shots: { changes } })
  const frames = points.map((point) => point.frame).toSorted((a, b) => a - b)
  assert.deepEqual(frames, [100, 200])
})
