import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { isSureSpeaker } from '../../domain/findings/speakers.ts'
import { clipFolder } from '../clips.testing.ts'
import { createVad } from '../speech/voice/vad.ts'
import { groupVoices } from './cluster.ts'
import { hearSpeakers } from './hear-speakers.ts'
import { labelWords } from './label-words.ts'
import { frameCount, logBands, bandCount } from './spectra.ts'
import type { VoiceTurn } from './tell-apart.ts'
import { slow } from '../../test/support/slow.ts'

const rate = 16_000
const low = ['-v', 'en-us+m3', '-p', '20']
const high = ['-v', 'en-us+f4', '-p', '80']
const texts = [
  'Good morning everyone, please take your seats before we begin.',
  'Thank you, I have brought the numbers that we talked about yesterday.',
  'Then show us first what changed on the northern coast last week.',
  'The water has risen twice, and nobody there knows what the reason is.',
]

/** Sound of voices that speak in turn, and the place of each turn. */
async function converse(t: TestContext, voices: string[][]) {
  const folder = await clipFolder(t)
  const parts: Int16Array[] = []
  const turns: { start: number; end: number }[] = []
  let samples = 0
  for (const [index, voice] of voices.entries()) {
    const file = path.join(folder, `${index}.wav`)
    execFileSync('espeak-ng', [...voice, '-s', '150', '-w', file, texts[index % texts.length]!])
    const args = ['-v', 'error', '-i', file, '-ac', '1', '-ar', String(rate), '-f', 's16le', '-']
    const said = new Int16Array(new Uint8Array(execFileSync('ffmpeg', args)).buffer)
    turns.push({ start: samples / rate, end: (samples + said.length) / rate })
    parts.push(said, new Int16Array(rate * 0.4))
    samples += said.length + rate * 0.4
  }
  const sound = new Int16Array(samples)
  let at = 0
  for (const part of parts) {
    sound.set(part, at)
    at += part.length
  }
  const audioFile = path.join(folder, 'sound.raw')
  await writeFile(audioFile, new Uint8Array(sound.buffer))
  const vad = createVad()
  await vad.push(sound)
  return { audioFile, vad: await vad.finish(), turns }
}

test('gives each turn of two voices to the right one', async (t) => {
  const { turns, ...input } = await converse(t, [low, high, low, high])
  const heard = await hearSpeakers(input)
  const speakers = turns.map(({ start, end }) => {
    const middle = (start + end) / 2
    return heard.find((turn) => turn.start <= middle && middle < turn.end)?.speaker
  })
  assert.deepEqual(speakers, [0, 1, 0, 1])
  assert.ok(
    heard.some((turn) => isSureSpeaker(turn.confidence)),
    'such voices are sure',
  )
})

test('one voice stays one, and a number set by hand is kept to', slow, async (t) => {
  const { turns: _, ...input } = await converse(t, [low, low, low])
  const heard = await hearSpeakers(input)
  assert.equal(new Set(heard.map((turn) => turn.speaker)).size, 1)
  const asked = await hearSpeakers({ ...input, speakers: 2 })
  assert.ok(new Set(asked.map((turn) => turn.speaker)).size <= 2)
  assert.deepEqual(await hearSpeakers({ ...input, speakers: 1 }), [])
})

test('a sentence is one voice’s, a change inside it is not sure, and one voice names nobody', () => {
  const words = Array.from({ length: 8 }, (_, at) => ({ start: at, end: at + 1 }))
  const sentences = [
    { first: 0, last: 3 },
    { first: 4, last: 7 },
  ]
  const turn = (start: number, end: number, speaker: number): VoiceTurn => ({
    start,
    end,
    speaker,
    confidence: 0.95,
  })
  const clean = labelWords(words, sentences, [turn(0, 3.6, 0), turn(3.6, 8, 1)])
  assert.deepEqual(
    clean.map((word) => word.speaker),
    [...Array<string>(4).fill('voice-1'), ...Array<string>(4).fill('voice-2')],
  )
  assert.ok(clean.every((word) => isSureSpeaker(word.speaker_confidence)))
  const mixed = labelWords(words, sentences, [turn(0, 2, 0), turn(2, 8, 1)])
  assert.deepEqual(
    mixed.slice(0, 4).map((word) => word.speaker),
    ['voice-1', 'voice-1', 'voice-2', 'voice-2'],
  )
  assert.ok(mixed.slice(0, 4).every((word) => !isSureSpeaker(word.speaker_confidence)))
  const alone = labelWords(words, sentences, [turn(0, 8, 0)])
  assert.ok(alone.every((word) => word.speaker === null && word.speaker_confidence === null))
})

test('groups are merged from the most alike on, down to a number or a limit', () => {
  const at = (degrees: number) =>
    Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
  const voices = [0, 5, 90, 95, 180].map(at)
  const weights = voices.map(() => 1)
  const members = (groups: { members: number[] }[]) =>
    groups.map((group) => group.members.toSorted((a, b) => a - b)).toSorted((a, b) => a[0]! - b[0]!)
  const limited = groupVoices(voices, weights, { likeness: 0.5, apart: 0 })
  assert.deepEqual(members(limited), [[0, 1], [2, 3], [4]])
  assert.equal(groupVoices(voices, weights, { count: 2 }).length, 2)
  assert.equal(groupVoices(voices.slice(0, 4), weights, { likeness: 0.05, apart: 0 }).length, 2)
  assert.equal(groupVoices(voices.slice(0, 4), weights, { likeness: 0.05, apart: 0.2 }).length, 1)
})

test('a tone is loudest in its band, in even and in odd frames', () => {
  const tone = Float32Array.from({ length: rate / 4 }, (_, at) =>
    Math.sin((2 * Math.PI * 1000 * at) / rate),
  )
  const bands = logBands(tone)
  assert.equal(bands.length, frameCount(tone.length) * bandCount)
  const loudest = (frame: number) => {
    const values = bands.subarray(frame * bandCount, (frame + 1) * bandCount)
    return values.indexOf(Math.max(...values))
  }
  assert.equal(loudest(4), loudest(5))
  assert.equal(loudest(4), 13)
  const chirp = Float32Array.from({ length: 720 }, (_, at) => Math.sin((at * at) / 500))
  const [pair, alone] = [logBands(chirp), logBands(chirp.subarray(160, 560))]
  const second = pair.subarray(bandCount, 2 * bandCount)
  alone.forEach((value, band) => assert.ok(Math.abs(value - second[band]!) < 1e-3, `band ${band}`))
})
