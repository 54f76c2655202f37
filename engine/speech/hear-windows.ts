/**
 * Hears windows of speech. Each is heard on its own, and once more where it passed over a voice, so
 * it does not matter who hears which: all of them at once, or parts of a film on several machines.
 * Only the language needs the whole file; `settleLanguage` decides it when every window was heard.
 */
import { startModel } from '../models/start.ts'
import { openPool } from '../models/pool.ts'
import type { Pool } from '../models/pool.ts'
import { findDoubted } from './text/doubts.ts'
import { findMissed, isShort } from './text/missed.ts'
import { dropSounds } from './text/sounds.ts'
import type { RecogniserMethods, WindowRecognition } from './whisper/recognise-process.ts'
import { readWindow } from './whisper/windows.ts'
import { voiceIn, voiceOf } from './voice/vad.ts'
import type { Seconds } from './voice/vad.ts'

export interface HeardWindow extends WindowRecognition {
  window: Seconds
}

/** The hearing of a window, and a second hearing of each stretch that the first passed over. */
export interface Hearing {
  first: HeardWindow
  second: HeardWindow[]
}

export interface HearingInput {
  /** Raw s16le mono 16 kHz. */
  audioFile: string
  /** The sample of the whole sound that the file begins with, where it holds a part of it. */
  firstSample?: number
  /** Voice probability for each 512 samples of the whole sound. */
  vad: Float32Array
  /** ISO 639; heard where it is not given. */
  language?: string
  /** Names and terms that may be said. */
  vocabulary?: readonly string[]
}

const whisperBytes = 1.3e9
/** No window takes longer than this, on any machine that is worth its rent. */
const windowLimitMs = 600_000
/** From here on a window's own ear counts more than the rest of the file. */
const sureOfLanguage = 0.9

export type Recogniser = Pool<RecogniserMethods>

export async function openRecogniser(options: {
  maxTasks: number
  modelFolder?: string | undefined
  signal?: AbortSignal | undefined
}): Promise<Recogniser> {
  const { maxTasks, modelFolder, signal } = options
  const start = () => startRecogniser(modelFolder, signal)
  return await openPool<RecogniserMethods>({ start, memoryBytes: whisperBytes, maxTasks })
}

function startRecogniser(modelFolder: string | undefined, signal: AbortSignal | undefined) {
  const process = startModel<RecogniserMethods>(
    new URL('whisper/recognise-process.ts', import.meta.url),
    { signal, callLimitMs: windowLimitMs },
  )
  // Calls are answered in order, so the first window waits for this; a failure to load also fails
  // that window's call.
  process.call('load', { folder: modelFolder }).catch(() => process.stop())
  return process
}

/** `settled` is the file's language, once it is known. */
export async function hearWindows(
  input: HearingInput,
  windows: readonly Seconds[],
  recogniser: Recogniser,
  options: { settled?: string; onWindow?: (window: Seconds) => void } = {},
): Promise<Hearing[]> {
  // Guesses the language from the windows so far; a wrong guess only costs a second hearing.
  const tally = new Map<string, number>()
  return await recogniser.run(
    maxVoicedFirst(input.vad, windows),
    async (process, window): Promise<Hearing> => {
      const hear = async (
        stretch: Seconds,
        wish: { language?: string; fallbackLanguage?: string },
      ) => {
        const samples = await readWindow(input.audioFile, stretch, input.firstSample)
        const { vocabulary } = input
        const voice = voiceOf(input.vad, stretch)
        const heard = await process.call('recognise', { samples, vocabulary, voice, ...wish })
        return { ...heard, words: dropSounds(heard.words), window: stretch }
      }
      const { language = options.settled } = input
      const first = await hear(window, { language, fallbackLanguage: leader(tally) })
      count(tally, first)
      options.onWindow?.(window)
      const second: HeardWindow[] = []
      for (const { stretch, wish } of hearAgain(input.vad, first)) {
        second.push(await hear(stretch, { language: input.language, ...wish }))
      }
      return { first, second }
    },
  )
}

/** The language that most of what was heard so far speaks. */
export function leadingLanguage(hearings: readonly Hearing[]): string | undefined {
  const tally = new Map<string, number>()
  for (const { first } of hearings) count(tally, first)
  return leader(tally)
}

export interface SettledLanguage {
  language: string | null
  /** Its share of all that was heard. */
  confidence: number | null
}

/**
 * The language that most of the sound speaks. A window that was heard in another one without being
 * sure of it is heard again.
 */
export async function settleLanguage(
  input: HearingInput,
  hearings: readonly Hearing[],
  recogniser: Recogniser,
): Promise<SettledLanguage & { hearings: Hearing[] }> {
  let inOrder = hearings.toSorted(byTime)
  const tally = new Map<string, number>()
  for (const { first } of inOrder) count(tally, first)
  const language = input.language ?? leader(tally) ?? null
  const isMisheard = ({ first }: Hearing): boolean =>
    !input.language && language !== null && first.language !== rightLanguage(first, language)
  const wrong = inOrder.filter(isMisheard)
  if (language && wrong.length > 0) {
    const windows = wrong.map(({ first }) => first.window)
    const again = await hearWindows(input, windows, recogniser, { settled: language })
    inOrder = [...inOrder.filter((hearing) => !wrong.includes(hearing)), ...again].sort(byTime)
  }
  for (const hearing of inOrder.flatMap(({ second }) => second)) count(tally, hearing)
  const confidence = language ? share(tally, language) : null
  return { language, confidence, hearings: inOrder }
}

function byTime(a: Hearing, b: Hearing): number {
  return a.first.window.start - b.first.window.start
}

/** A window's own where its ear is sure, as the recogniser decides too; else the file's. */
function rightLanguage({ languages }: HeardWindow, settled: string): string {
  const best = languages[0]
  return best && best.probability >= sureOfLanguage ? best.language : settled
}

/** Its language helps the shorter ones. */
function maxVoicedFirst(vad: Float32Array, windows: readonly Seconds[]): Seconds[] {
  const voice = (window: Seconds) => voiceIn(vad, window).mean * (window.end - window.start)
  const [first] = windows.toSorted((a, b) => voice(b) - voice(a))
  return first ? [first, ...windows.filter((window) => window !== first)] : []
}

interface Again {
  stretch: Seconds
  wish: { language?: string; fallbackLanguage?: string }
}

/** Finds the stretches to hear once more; only times of words show where words are missing. */
function hearAgain(vad: Float32Array, first: HeardWindow): Again[] {
  if (first.words.length > 0 && first.wordTimes === 'none') return []
  const { language } = first
  const missed = findMissed(vad, first)
  const doubted = findDoubted(vad, first).filter(
    ({ start, end }) => !missed.some((other) => start < other.end && end > other.start),
  )
  return [
    ...missed.map((stretch) => ({
      stretch,
      wish: isShort(stretch) ? { fallbackLanguage: language } : {},
    })),
    ...doubted.map((stretch) => ({ stretch, wish: { language } })),
  ].sort((a, b) => a.stretch.start - b.stretch.start)
}

function count(tally: Map<string, number>, { languages, window }: HeardWindow): void {
  for (const { language, probability } of languages) {
    const weight = probability * (window.end - window.start)
    tally.set(language, (tally.get(language) ?? 0) + weight)
  }
}

function leader(tally: Map<string, number>): string | undefined {
  return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0]
}

function share(tally: Map<string, number>, language: string): number {
  const total = [...tally.values()].reduce((sum, value) => sum + value, 0)
  return total > 0 ? (tally.get(language) ?? 0) / total : 0
}
