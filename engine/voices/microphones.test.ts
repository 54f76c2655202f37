/** Recordings of two people with a microphone each, in the containers of cameras and recorders. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { isSureSpeaker } from '../../domain/findings/speakers.ts'
import { clipFolder } from '../clips.testing.ts'
import { gatherSignals } from '../extractors/gather.ts'
import type { Need } from '../extractors/extractor.ts'
import { probe } from '../probe.ts'
import { hearSpeakers } from './hear-speakers.ts'
import { turnsByLevel } from './microphones.ts'
import type { Microphones } from './microphones.ts'
import { slow, slowUnless } from '../../test/support/slow.ts'

const run = promisify(execFile)
const rate = 16_000
const said = [
  'Good morning everyone, please take your seats before we begin.',
  'Thank you, I have brought the numbers that we talked about.',
  'Then show us first what changed on the northern coast last week.',
  'The water has risen twice, and nobody there knows the reason.',
]

interface Talk {
  /** The speech of each of the two, on one clock. */
  people: [Float64Array, Float64Array]
  /** Middle of each turn, in seconds. */
  middles: number[]
}

let talk: Talk
let folder: string
let ends: (() => unknown)[] = []

before(async () => {
  folder = await clipFolder({ after: (end) => void ends.push(end as () => unknown) })
  talk = await speak()
})
after(async () => {
  for (const end of ends) await end()
  ends = []
})

/** Two espeak voices in turn; the pitch tells them apart, but nothing here listens to that. */
async function speak(): Promise<Talk> {
  const parts: { who: number; at: number; sound: Int16Array }[] = []
  let at = rate / 2
  for (const [index, text] of said.entries()) {
    const file = path.join(folder, `say-${index}.wav`)
    const voice = index % 2 === 0 ? ['-p', '20'] : ['-p', '75']
    await run('espeak-ng', ['-v', 'en-us', ...voice, '-s', '160', '-w', file, text])
    const args = ['-v', 'error', '-i', file, '-ac', '1', '-ar', String(rate), '-f', 's16le', '-']
    const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 24 })
    const sound = new Int16Array(new Uint8Array(stdout).buffer)
    parts.push({ who: index % 2, at, sound })
    at += sound.length + rate * 0.5
  }
  const people: Talk['people'] = [new Float64Array(at), new Float64Array(at)]
  for (const part of parts) people[part.who]!.set(part.sound, part.at)
  return { people, middles: parts.map((part) => (part.at + part.sound.length / 2) / rate) }
}

/** Noise that is the same in every run. */
function hiss(seed: number, level: number): (index: number) => number {
  return (index) =>
    level * (((Math.imul(index + seed * 7919, 2_654_435_761) >>> 8) % 2001) / 1000 - 1)
}

/** A microphone: its wearer, the other one quieter and later, and noise. */
function microphone(who: 0 | 1, { bleedDb = -15, delay = 80, gain = 0.5 } = {}): Float64Array {
  const [own, other] = [talk.people[who], talk.people[1 - who]!]
  const noise = hiss(who + 1, 20)
  const bleed = 10 ** (bleedDb / 20)
  return own.map((sample, at) => gain * (sample + bleed * (other[at - delay] ?? 0) + noise(at)))
}

/** Writes the tracks as raw sound and lets ffmpeg put them into a file. */
async function makeFile(
  tracks: readonly Float64Array[],
  words: (inputs: string[]) => string[],
): Promise<string> {
  const inputs: string[] = []
  for (const [index, track] of tracks.entries()) {
    const raw = path.join(folder, `track-${index}.raw`)
    await writeFile(raw, new Uint8Array(Int16Array.from(track).buffer))
    inputs.push('-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', raw)
  }
  const args = words(inputs)
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: folder })
  return path.join(folder, args.at(-1)!)
}

const streams = (count: number) =>
  Array.from({ length: count }, (_, at) => ['-map', `${at}:a`]).flat()
const merged = (count: number, filter = '') => [
  '-filter_complex',
  `${Array.from({ length: count }, (_, at) => `[${at}:a]`).join('')}amerge=inputs=${count}${filter}[all]`,
  ...['-map', '[all]'],
]

async function gather(file: string) {
  const probed = await probe(file)
  assert.equal(probed.status, 'media')
  const { media, details } = probed
  const needs = new Set<Need>(['sound', 'voice'])
  return await gatherSignals({ file, media, details, workDir: folder, needs })
}

async function speakersOf(signals: Awaited<ReturnType<typeof gather>>) {
  const turns = await hearSpeakers({
    audioFile: signals.speech!.file,
    vad: signals.voice!,
    microphones: signals.microphones,
  })
  return talk.middles.map((middle) =>
    turns.find((turn) => turn.start <= middle && middle < turn.end),
  )
}

const image = ['-f', 'lavfi', '-i', 'color=gray:s=64x36:r=25:d=17']
const recordings = {
  'mono streams of a MOV': () =>
    makeFile([microphone(0), microphone(1)], (inputs) => [
      ...inputs,
      ...streams(2),
      ...['-c:a', 'pcm_s16le', 'lavaliers.mov'],
    ]),
  'mono streams of an MXF': () =>
    makeFile([microphone(0), microphone(1)], (inputs) => [
      ...inputs,
      ...image,
      ...['-map', '2:v', ...streams(2), '-c:v', 'mpeg2video'],
      ...['-c:a', 'pcm_s16le', '-ar', '48000', 'lavaliers.mxf'],
    ]),
  'left and right of a stereo file': () =>
    makeFile([microphone(0, { gain: 0.2 }), microphone(1, { bleedDb: -10 })], (inputs) => [
      ...inputs,
      ...merged(2),
      ...['-c:a', 'aac', '-b:a', '192k', 'sides.m4a'],
    ]),
  'channels of a polyphonic WAV': () =>
    makeFile(
      [new Float64Array(1000), microphone(0), new Float64Array(1000), microphone(1)],
      (inputs) => [
        ...inputs,
        '-filter_complex',
        '[0]apad[a];[2]apad[c];[a][1][c][3]amerge=inputs=4[all]',
        ...['-map', '[all]', '-shortest', 'poly.wav'],
      ],
    ),
  'a mix with both microphones behind it': () => {
    const [first, second] = [microphone(0), microphone(1)]
    const mix = first.map((sample, at) => (sample + second[at]!) * 0.8)
    return makeFile([mix, first, second], (inputs) => [
      ...inputs,
      ...streams(3),
      ...['-c:a', 'pcm_s16le', 'isolates.mov'],
    ])
  },
}

for (const [name, make] of Object.entries(recordings)) {
  test(
    `gives each turn to the microphone that leads: ${name}`,
    slowUnless(name === 'mono streams of a MOV'),
    async () => {
      const signals = await gather(await make())
      assert.ok(signals.microphones, 'they are microphones of two people')
      assert.equal(signals.microphones.channels.length, 2)
      const turns = await speakersOf(signals)
      assert.deepEqual(
        turns.map((turn) => turn?.speaker),
        [0, 1, 0, 1],
      )
      for (const turn of turns) assert.ok(isSureSpeaker(turn?.confidence), `${turn?.confidence}`)
    },
  )
}

test('both people are heard where each has a stream, and the mix is nobody', slow, async () => {
  const signals = await gather(await recordings['mono streams of a MOV']())
  const heard = await loudness(signals.speech!.file)
  const first = await loudness(signals.sound!.file)
  assert.ok(first[1]! < first[0]! / 3, 'the first stream alone has the second person as bleed')
  for (const turn of heard) assert.ok(turn > first[0]! * 0.6, `${turn} beside ${first[0]}`)
  const behind = await gather(await recordings['a mix with both microphones behind it']())
  assert.deepEqual(
    behind.microphones?.channels.toSorted((a, b) => a - b),
    [1, 2],
  )
})

/** How loud the second around the middle of each turn is. */
async function loudness(file: string): Promise<number[]> {
  const bytes = new Uint8Array(await readFile(file))
  const samples = new Int16Array(bytes.buffer)
  return talk.middles.map((middle) => {
    const part = samples.subarray((middle - 0.5) * rate, (middle + 0.5) * rate)
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length)
  })
}

const untouched = {
  'a stereo mix with music': () => {
    const voices = talk.people[0].map((sample, at) => 0.4 * (sample + talk.people[1][at]!))
    const music = (hz: number, beat: number) => (sample: number, at: number) =>
      sample +
      (1500 + 1400 * Math.sin((beat * at) / rate)) * Math.sin((2 * Math.PI * hz * at) / rate)
    return makeFile([voices.map(music(440, 3)), voices.map(music(660, 5))], (inputs) => [
      ...inputs,
      ...merged(2),
      'music.wav',
    ])
  },
  'twice the same sound': () => {
    const voices = talk.people[0].map((sample, at) => 0.4 * (sample + talk.people[1][at]!))
    return makeFile([voices, voices.map((sample) => sample * 0.7)], (inputs) => [
      ...inputs,
      ...streams(2),
      ...['-c:a', 'pcm_s16le', 'twice.mov'],
    ])
  },
  'a pair of stereo microphones': () => {
    const near = (who: 0 | 1) => microphone(who, { bleedDb: -5, delay: 5 })
    return makeFile([near(0), near(1)], (inputs) => [...inputs, ...merged(2), 'pair.wav'])
  },
  'two languages': () => {
    const [first, second] = [microphone(0), microphone(1)]
    return makeFile([first, second], (inputs) => [
      ...inputs,
      ...streams(2),
      ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'],
      ...['-c:a', 'pcm_s16le', 'languages.mkv'],
    ])
  },
}

for (const [name, make] of Object.entries(untouched)) {
  test(
    `leaves the sound as it is: ${name}`,
    slowUnless(name === 'a stereo mix with music'),
    async () => {
      const signals = await gather(await make())
      assert.equal(signals.microphones, null)
      assert.deepEqual(signals.speech, signals.sound)
    },
  )
}

test('is not sure of a stretch in which both talk', () => {
  const patterns = [Float64Array.of(8, -8), Float64Array.of(-8, 8)]
  const microphones: Microphones = {
    channels: [0, 1],
    patterns,
    gains: [1, 1],
    noise: Float64Array.of(1e-7, 1e-7),
  }
  const loud = 1e-3
  const quiet = loud / 40
  const power = [
    ...Array.from({ length: 50 }, () => [loud, quiet]),
    ...Array.from({ length: 50 }, () => [loud, loud]),
    ...Array.from({ length: 50 }, () => [quiet, loud]),
  ].flat()
  const levels = { channels: 2, frames: 150, power: Float32Array.from(power) }
  const turns = turnsByLevel(levels, microphones, [{ start: 0, end: 3 }])
  const at = (second: number) => turns.find((turn) => turn.start <= second && second < turn.end)
  assert.deepEqual([at(0.5)?.speaker, at(2.5)?.speaker], [0, 1])
  assert.ok(isSureSpeaker(at(0.5)?.confidence) && isSureSpeaker(at(2.5)?.confidence))
  assert.ok(!isSureSpeaker(at(1.5)?.confidence))
})
