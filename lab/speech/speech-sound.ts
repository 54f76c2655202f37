/** Sound for the figures of speech, and the recogniser's words for it. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { transcribe } from '../../engine/extractors/transcribe.ts'
import { createVad } from '../../engine/speech/voice/vad.ts'
import { createClock } from '../../engine/time/clock.ts'

const runFile = promisify(execFile)

export interface Sound {
  file: string
  samples: Int16Array
  vad: Float32Array
}

export interface SpeechBench {
  folder: string
  work: string
  language?: string
}

export async function decode(source: string[], work: string): Promise<Sound> {
  const file = path.join(work, 'audio.s16')
  const target = ['-vn', '-ac', '1', '-ar', '16000', '-f', 's16le', file]
  await runFile('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...source, ...target])
  const bytes = await readFile(file)
  const samples = new Int16Array(new Uint8Array(bytes).buffer)
  return { file, samples, vad: await hearVoice(samples) }
}

/** Several pieces of sound, one after the other. */
export async function join(pieces: readonly Int16Array[], work: string): Promise<Sound> {
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  const file = path.join(work, 'joined.s16')
  await writeFile(file, new Uint8Array(samples.buffer))
  return { file, samples, vad: await hearVoice(samples) }
}

export async function hearVoice(samples: Int16Array): Promise<Float32Array> {
  const vad = createVad()
  await vad.push(samples)
  return await vad.finish()
}

export async function write(
  { file, samples, vad }: Sound,
  language?: string,
): Promise<{ findings: FindingsOf<'transcription'>; cpuSeconds: number }> {
  let cpuSeconds = 0
  const findings = await transcribe({
    audioFile: file,
    samples: samples.length,
    vad,
    language,
    clock: createClock({ rate: { num: 25n, den: 1n }, frames: Math.ceil(samples.length / 640) }),
    onCpu: (seconds) => (cpuSeconds = seconds),
  })
  return { findings, cpuSeconds }
}

export async function readReferences(folder: string): Promise<{ file: string; ref: string }[]> {
  return z
    .array(z.object({ file: z.string(), ref: z.string() }))
    .parse(JSON.parse(await readFile(path.join(folder, 'speech/manifest.json'), 'utf8')))
}
