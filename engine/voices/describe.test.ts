import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { describePacks, listenTo, openVoices, stretchesOf, voicePacks } from './describe.ts'
import { recogniserHop, voiceSize } from './voice-model.ts'
import type { VoiceModel } from './voice-model.ts'

const rate = 16_000

test('a window is the network’s part and the mean of what the recogniser heard in it', async (t) => {
  const audioFile = path.join(await clipFolder(t), 'sound.raw')
  const seconds = 40
  // The level of each second is its number.
  const sound = Int16Array.from({ length: seconds * rate }, (_, at) => Math.floor(at / rate) * 100)
  await writeFile(audioFile, new Uint8Array(sound.buffer))
  const heard: number[] = []
  const model: VoiceModel = {
    describe: async ({ windows }) => new Float32Array((windows.length / 2) * voiceSize).fill(1000),
    listen: async (samples) => {
      heard.push(samples.length / rate)
      const frames = Math.floor(samples.length / recogniserHop)
      return Float32Array.from({ length: frames * voiceSize }, (_, at) => {
        const place = (Math.floor(at / voiceSize) + 0.5) * recogniserHop
        return (samples[Math.floor(place)]! * 32_768) / 100
      })
    },
  }
  const speech = [
    { start: 1, end: 4 },
    { start: 5, end: 37 },
  ]
  const input = { audioFile, model }
  const stretches = await listenTo(stretchesOf(speech), input)
  const describe = openVoices({ stretches, packs: [] }, input)
  const windows = [
    { start: 2, end: 3 },
    { start: 20, end: 22 },
  ]
  const [first, second] = (await describe(windows)).map((voice) => voice[0]!)
  assert.ok(Math.abs(first! - 1002) < 0.1, `${first}`)
  assert.ok(Math.abs(second! - 1020.5) < 0.1, `${second}`)
  assert.ok(
    heard.every((length) => length <= 15),
    'never more at once than the matrix was made with',
  )
  const before = heard.length
  await describe(windows)
  assert.equal(heard.length, before, 'the recogniser hears everything once')
})

test('what parts of a film have described is not described again, and is the same', async (t) => {
  const folder = await clipFolder(t)
  const audioFile = path.join(folder, 'sound.raw')
  const sound = Int16Array.from({ length: 100 * rate }, (_, at) => at % 30_011)
  await writeFile(audioFile, new Uint8Array(sound.buffer))
  let calls = 0
  const model: VoiceModel = {
    // It depends on all that is heard at once.
    describe: async ({ samples, windows }) => {
      calls++
      const sum = samples.reduce((total, sample) => total + sample, 0)
      return new Float32Array((windows.length / 2) * voiceSize).map((_, at) => sum + at)
    },
    listen: async () => new Float32Array(),
  }
  const windows = Array.from({ length: 90 }, (_, at) => ({ start: 89 - at, end: 90.5 - at }))
  const once = await openVoices({ stretches: [], packs: [] }, { audioFile, model })(windows)
  assert.equal(calls, 4)
  const packs = voicePacks(windows)
  const firstSample = 30 * rate
  const second = path.join(folder, 'second.raw')
  await writeFile(second, new Uint8Array(sound.slice(firstSample).buffer))
  const apart = [
    ...(await describePacks(packs.slice(0, 2), { audioFile, model })),
    ...(await describePacks(packs.slice(2), { audioFile: second, firstSample, model })),
  ]
  calls = 0
  const describe = openVoices({ stretches: [], packs: apart }, { audioFile, model })
  assert.deepEqual(await describe(windows), once)
  assert.equal(calls, 0)
  const [first, ...others] = windows
  await describe([...others, { ...first!, end: first!.end + 0.1 }])
  assert.equal(calls, 1, 'only the pack of a window that is new')
})
