import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TranscriptionFindings } from '../../domain/findings/findings.ts'
import { clipFolder, makeClip } from '../clips.testing.ts'
import { createClock } from '../time/clock.ts'
import { loadWeights } from '../models/weights.ts'
import { createVad } from '../speech/voice/vad.ts'
import { transcribe } from './transcribe.ts'
import type { TranscriptionInput } from './transcribe.ts'
import { isWholeRun, slow } from '../../test/support/slow.ts'

async function prepare(t: TestContext, words: string): Promise<TranscriptionInput> {
  const folder = await clipFolder(t)
  const text = 'Good morning everyone. Please repeat the question. The answer is five.'
  execFileSync('espeak-ng', ['-v', 'en-us', '-s', '140', '-w', path.join(folder, 'say.wav'), text])
  const audioFile = await makeClip(folder, `${words} -ac 1 -ar 16000 -f s16le a.s16`)
  const samples = new Int16Array(new Uint8Array(await readFile(audioFile)).buffer)
  const vad = createVad()
  await vad.push(samples)
  return {
    audioFile,
    samples: samples.length,
    vad: await vad.finish(),
    clock: createClock({ rate: { num: 25n, den: 1n }, frames: Math.ceil(samples.length / 640) }),
  }
}

const spoken = '-i say.wav -af adelay=1500,apad=pad_dur=1'

test('a spoken clip becomes timed words on the clock, sentences and a language', async (t) => {
  const input = await prepare(t, spoken)
  const findings = TranscriptionFindings.parse(await transcribe({ ...input, translate: true }))
  const text = findings.text.toLowerCase()
  assert.equal(findings.language, 'en')
  assert.equal(findings.translation, undefined, 'English is not translated')
  assert.match(text, /good morning/)
  assert.match(text, /question/)
  assert.match(text, /answer is five/, 'small numbers are words')
  assert.equal(findings.word_times, 'aligned')
  assert.ok(Math.abs(findings.words[0]!.start - 1.5) < 0.15, String(findings.words[0]!.start))
  let last = 0
  for (const word of findings.words) {
    assert.ok(word.start >= last && word.end >= word.start)
    assert.equal(word.start_frame, input.clock.frameAt(word.start))
    assert.ok(word.end_frame > word.start_frame)
    last = word.start
  }
  assert.equal(
    findings.words.map((word) => word.text).join(' '),
    findings.text.replaceAll('\n\n', ' '),
  )
  assert.equal(findings.sentences[0]?.first_word, 0)
  assert.equal(findings.sentences.at(-1)?.last_word, findings.words.length - 1)
})

test('a second language in the same breath is written too', slow, async (t) => {
  const folder = await clipFolder(t)
  const german = path.join(folder, 'german.wav')
  const text = 'Guten Morgen zusammen. Heute sprechen wir über das Wetter im Norden.'
  execFileSync('espeak-ng', ['-v', 'de', '-s', '150', '-w', german, text])
  const both = `-i say.wav -i ${german} -filter_complex [1]adelay=1500[b];[0][b]concat=n=2:v=0:a=1`
  const findings = await transcribe(await prepare(t, both))
  assert.match(findings.text, /good morning.*question.*Guten Morgen.*Wetter im Norden/is)
  const starts = findings.words.map((word) => word.start)
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  )
})

test('speech of another language is translated where that is asked for', slow, async (t) => {
  const folder = await clipFolder(t)
  const german = path.join(folder, 'german.wav')
  const text = 'Guten Morgen zusammen. Heute sprechen wir über das Wetter im Norden.'
  execFileSync('espeak-ng', ['-v', 'de', '-s', '140', '-w', german, text])
  const input = await prepare(t, `-i ${german} -af adelay=1500,apad=pad_dur=1`)
  const shares: number[] = []
  const onProgress = (share: number): void => void shares.push(share)
  const settings = { language: 'de', translate: true, onProgress }
  const findings = TranscriptionFindings.parse(await transcribe({ ...input, ...settings }))
  assert.match(findings.text, /Guten Morgen/i, 'the transcript stays as it is spoken')
  const { translation } = findings
  assert.match(translation?.text ?? '', /morning.*weather/is)
  let last = 1
  for (const word of translation?.words ?? []) {
    assert.ok(word.start >= last && word.end > word.start && word.end * 16_000 <= input.samples)
    last = word.start
  }
  assert.deepEqual(shares, [0.5, 1])
})

test('words of parts are joined without quotation marks that stand alone', async () => {
  const said = ['"Wait', 'for', 'it,"', 'she', 'said', 'to', 'the', 'boat."']
  const words = said.map((text, at) => ({ text, start: at, end: at + 0.5, confidence: 0.9 }))
  const first = {
    ...{ words, window: { start: 0, end: 9 }, wordTimes: 'aligned' as const },
    ...{ language: 'en', languages: [], noSpeech: 0, meanLogProbability: -0.1, looped: false },
  }
  const findings = await transcribe({
    ...{ audioFile: '', samples: 9 * 16_000, vad: new Float32Array(9 * 32).fill(0.9) },
    clock: createClock({ rate: { num: 25n, den: 1n }, frames: 225 }),
    ...{ language: 'en', hearings: [{ first, second: [] }], turns: [] },
  })
  assert.equal(findings.text, '"Wait for it," she said to the boat.')
})

test('noise, tones and silence have no words', async (t) => {
  const noise = 'anoisesrc=d=8:c=pink:a=0.4'
  const others = ['sine=f=440:d=8', 'anullsrc=d=8:r=16000']
  for (const source of isWholeRun ? [noise, ...others] : [noise]) {
    const findings = await transcribe(await prepare(t, `-f lavfi -i ${source}`))
    assert.deepEqual([findings.text, findings.words, findings.word_times], ['', [], 'none'], source)
  }
})

test("a model of one's own is used in place of the packaged one", slow, async (t) => {
  const modelFolder = path.join(await clipFolder(t), 'own')
  await symlink(await loadWeights('whisper-small'), modelFolder)
  const input = await prepare(t, spoken)
  const findings = TranscriptionFindings.parse(await transcribe({ ...input, modelFolder }))
  assert.equal(findings.model, 'whisper (own)')
  assert.match(findings.text.toLowerCase(), /good morning/)
})

test('a model folder that is no model fails with a sentence', async (t) => {
  const modelFolder = await clipFolder(t)
  await writeFile(path.join(modelFolder, 'config.json'), '{}')
  const input = await prepare(t, spoken)
  await assert.rejects(transcribe({ ...input, modelFolder }))
})

test('canceling ends the run', async (t) => {
  const input = await prepare(t, spoken)
  const controller = new AbortController()
  const running = transcribe({ ...input, signal: controller.signal })
  setTimeout(() => controller.abort(new Error('canceled')), 200)
  await assert.rejects(running, /canceled/)
})
