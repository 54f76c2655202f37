import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { listenTo, openVoices, stretchesOf } from './describe.ts'
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
  let packs = 0
  const model: VoiceModel = {
    describe: async ({ windows }) => {
      packs++
      return new Float32Array((windows.length / 2) * voiceSize).fill(1000)
    },
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
  const describe = openVoices(await listenTo(stretchesOf(speech), input), input)
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
  const again = (await describe(windows)).map((voice) => voice[0]!)
  assert.equal(heard.length, before, 'the recogniser hears everything once')
  assert.deepEqual([again, packs], [[first, second], 1], 'nothing that is known is described again')
  await describe([...windows, { start: 21, end: 22 }])
  assert.equal(packs, 2, 'a window depends on all that is heard at once')
})
