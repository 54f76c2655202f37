import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { clipFolder, makeClip } from '../../clips.testing.ts'
import { hearVoice } from './hear-voice.ts'
import { createVad, speechSpans } from './vad.ts'
import { planWindows, readWindow } from '../whisper/windows.ts'

test('a spoken sentence is heard, the noise around it is not, whatever the chunks', async (t) => {
  const folder = await clipFolder(t)
  const speech = 'Good morning everyone, and welcome to the show.'
  execFileSync('espeak-ng', ['-s', '150', '-w', path.join(folder, 'say.wav'), speech])
  const file = await makeClip(
    folder,
    '-i say.wav -f lavfi -i anoisesrc=d=9:c=pink:a=0.02:r=16000 -filter_complex ' +
      '[0:a]aresample=16000,adelay=3000,apad=whole_dur=9[s];[s][1:a]amix=inputs=2:normalize=0 ' +
      '-ac 1 -ar 16000 -t 9 -f s16le a.s16',
  )
  const samples = new Int16Array(new Uint8Array(await readFile(file)).buffer)
  const whole = createVad()
  await whole.push(samples)
  const chunked = createVad()
  for (let at = 0; at < samples.length; at += 1237) {
    const part = samples.subarray(at, at + 1237)
    await chunked.push(at % 2 ? part : Float32Array.from(part, (sample) => sample / 32768))
  }
  const probabilities = await whole.finish()
  assert.deepEqual(await chunked.finish(), probabilities)
  assert.equal(probabilities.length, Math.ceil(samples.length / 512))
  const spans = speechSpans(probabilities)
  assert.ok(
    spans.length >= 1 && spans[0]!.start > 2.7 && spans.at(-1)!.end < 7.5,
    JSON.stringify(spans),
  )
  const spoken = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  assert.ok(spoken > 1.5, `${spoken} s`)
})

test('a sentence at -65 dB is heard where it is heard at full level', async (t) => {
  const folder = await clipFolder(t)
  const speech = 'Good morning everyone, and welcome to the show.'
  execFileSync('espeak-ng', ['-s', '150', '-w', path.join(folder, 'say.wav'), speech])
  const say = async (decibels: number, name: string) => {
    const sound = `-i say.wav -af adelay=2000,apad=whole_dur=8,aresample=16000,volume=${decibels}dB`
    return await hearVoice(await makeClip(folder, `${sound} -ac 1 -f s16le ${name}`))
  }
  const loud = speechSpans(await say(0, 'loud.s16'))
  const quiet = speechSpans(await say(-60, 'quiet.s16'))
  assert.ok(loud.length > 0)
  assert.ok(Math.abs(quiet[0]!.start - loud[0]!.start) < 0.25, JSON.stringify({ loud, quiet }))
  assert.ok(Math.abs(quiet.at(-1)!.end - loud.at(-1)!.end) < 0.25)
})

const probabilities = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3000 })
  .map((values) => Float32Array.from(values))

test('spans are in order, apart and inside the sound', () => {
  fc.assert(
    fc.property(probabilities, (values) => {
      let last = 0
      for (const { start, end } of speechSpans(values)) {
        assert.ok(start >= last - 1e-9 && end > start)
        last = end
      }
      assert.ok(last <= (values.length * 512) / 16_000 + 1e-9)
    }),
  )
})

test('windows fit the model and leave out no voice', () => {
  fc.assert(
    fc.property(probabilities, (values) => {
      const windows = planWindows(values)
      for (const { start, end } of windows) assert.ok(end > start && end - start <= 28 + 1e-9)
      for (const { start, end } of speechSpans(values, { threshold: 0.5, padMs: 0 })) {
        const middle = (start + end) / 2
        assert.ok(windows.some((window) => window.start <= middle && middle <= window.end))
      }
    }),
  )
})

test('a window is read out of the file alone', async (t) => {
  const file = path.join(await clipFolder(t), 'a.s16')
  await writeFile(
    file,
    new Uint8Array(Int16Array.from({ length: 32_000 }, (_, at) => at % 30_000).buffer),
  )
  const samples = await readWindow(file, { start: 1, end: 1.5 })
  assert.equal(samples.length, 8000)
  assert.equal(samples[0], 16_000 / 32768)
  assert.equal((await readWindow(file, { start: 1.9, end: 9 })).length, 1600)
})
