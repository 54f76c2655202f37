/**
 * Transcribes speech: the words, who timed them, and how sure each of them is.
 *
 * The sound is cut into windows at pauses; a pool of recogniser processes takes them; what comes
 * back is checked for invented text and put on the media's clock.
 */
import type { FindingsOf, Word } from '../../domain/findings/findings.ts'
import type { FrameClock } from '../time/clock.ts'
import { hearWindows, openRecogniser, settleLanguage } from '../speech/hear-windows.ts'
import type { HeardWindow, Hearing, Recogniser } from '../speech/hear-windows.ts'
import { believeHearings } from '../speech/text/believe.ts'
import { dropLoneQuotes } from '../speech/text/lone-quotes.ts'
import { groupParagraphs, passageText, splitSentences } from '../speech/text/passages.ts'
import type { Passage } from '../speech/text/passages.ts'
import { placeWords, soundSpan } from '../speech/voice/spans.ts'
import { isUnspaced } from '../speech/whisper/tokens.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { writeNumbers } from '../speech/text/write-numbers.ts'
import { hearSpeakers } from '../voices/hear-speakers.ts'
import type { HeardMicrophones } from '../voices/microphones.ts'
import { labelWords } from '../voices/label-words.ts'
import type { VoiceTurn } from '../voices/tell-apart.ts'
import { translateWindows } from '../speech/translate.ts'
import { planWindows } from '../speech/whisper/windows.ts'

export interface TranscriptionInput {
  /** Raw s16le mono 16 kHz, sample 0 at the start of frame 0. */
  audioFile: string
  samples: number
  /** Voice probability for each 512 samples. */
  vad: Float32Array
  /** One sound per speaker if each has a microphone; else null or absent. */
  microphones?: HeardMicrophones | null
  clock: FrameClock
  /** Results of the film's parts; if absent, every window is recognised here. */
  hearings?: readonly Hearing[] | undefined
  /** Turns of voices in the parts, to tell voices apart. */
  turns?: readonly VoiceTurn[] | undefined
  /** A folder with an ONNX Whisper of one's own, used in place of Whisper-small. */
  modelFolder?: string
  /** ISO 639 code; detected if absent. */
  language?: string
  /** Also write speech of other languages in English. */
  translate?: boolean
  /** Names and terms that may be said. */
  vocabulary?: readonly string[]
  /** How many people speak; detected if absent. */
  speakers?: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
  /** CPU seconds that the model processes used. */
  onCpu?: (seconds: number) => void
}

export async function transcribe(input: TranscriptionInput): Promise<FindingsOf<'transcription'>> {
  const windows = planWindows(input.vad)
  if (windows.length === 0) return emptyFindings(modelName(input))
  const { signal, modelFolder } = input
  const recogniser = await openRecogniser({ maxTasks: windows.length, signal, modelFolder })
  try {
    const onWindow = progressOf(input, windows)
    const hearings = input.hearings ?? (await hearWindows(input, windows, recogniser, { onWindow }))
    return await writeHearings(input, hearings, recogniser, onWindow)
  } finally {
    recogniser.close()
    input.onCpu?.(recogniser.cpuSeconds())
  }
}

function progressOf(input: TranscriptionInput, windows: readonly Seconds[]) {
  const seconds = windows.reduce((sum, { start, end }) => sum + end - start, 0)
  const total = input.translate ? 2 * seconds : seconds
  let done = 0
  return ({ start, end }: Seconds): void => {
    done += end - start
    input.onProgress?.(Math.min(1, done / total))
  }
}

async function writeHearings(
  input: TranscriptionInput,
  hearings: readonly Hearing[],
  recogniser: Recogniser,
  onWindow: (window: Seconds) => void,
): Promise<FindingsOf<'transcription'>> {
  const settled = await settleLanguage(input, hearings, recogniser)
  const { language } = settled
  const believed = believeHearings(settled.hearings, { vad: input.vad, language })
  const spoken = believed.filter((item) => item.words.length > 0).map((item) => item.window)
  const isForeign = language !== null && language !== 'en'
  const translation =
    input.translate && isForeign && spoken.length > 0
      ? await translateWindows(recogniser, { ...input, windows: spoken, language, onWindow })
      : undefined
  const hasWords = spoken.length > 0
  const findings = findingsOf(input, believed, {
    turns: hasWords ? (input.turns ?? (await hearSpeakers({ ...input, onCpu: undefined }))) : [],
    language,
    confidence: settled.confidence === null ? null : round(settled.confidence),
    model: modelName(input),
  })
  return translation ? { ...findings, translation } : findings
}

function modelName({ modelFolder }: TranscriptionInput): string {
  return modelFolder ? 'whisper (own)' : 'whisper-small'
}

function findingsOf(
  input: TranscriptionInput,
  heard: HeardWindow[],
  about: {
    turns: readonly VoiceTurn[]
    language: string | null
    confidence: number | null
    model: string
  },
): FindingsOf<'transcription'> {
  const placed = placeWords(heard.map(withLanguage), input.samples / 16_000)
  if (placed.length === 0) return emptyFindings(about.model)
  const language = about.language ?? 'en'
  const words = dropLoneQuotes(writeNumbers(placed))
  const sentences = splitSentences(words)
  const paragraphs = groupParagraphs(words, sentences)
  const speakers = labelWords(words, sentences, about.turns)
  const passage = (item: Passage) => ({
    ...soundSpan(input.clock, { start: words[item.first]!.start, end: words[item.last]!.end }),
    text: passageText(words, item, language),
    first_word: item.first,
    last_word: item.last,
  })
  const kinds = new Set(heard.filter((item) => item.words.length > 0).map((item) => item.wordTimes))
  return {
    language: about.language,
    language_confidence: about.confidence,
    text: paragraphs
      .map((item) => passageText(words, item, language))
      .join(isUnspaced(language) ? '\n' : '\n\n'),
    words: words.map((word, index): Word => ({
      ...soundSpan(input.clock, word),
      text: word.text,
      confidence: round(word.confidence),
      ...speakers[index]!,
    })),
    sentences: sentences.map(passage),
    paragraphs: paragraphs.map(passage),
    model: about.model,
    word_times: kinds.size > 1 ? 'mixed' : [...kinds][0]!,
  }
}

/** Gives each word the language of its window: one file may hold several languages. */
function withLanguage({ words, window, language }: HeardWindow) {
  return { window, words: words.map((word) => ({ ...word, language })) }
}

function emptyFindings(model: string): FindingsOf<'transcription'> {
  return {
    language: null,
    language_confidence: null,
    text: '',
    words: [],
    sentences: [],
    paragraphs: [],
    model,
    word_times: 'none',
  }
}

function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4
}
