/**
 * Forced alignment: the text is known, only its times are sought. SoundSwallower's acoustic models
 * (English and French) place each word to about 20 ms, where Whisper's attention is off by 60 to
 * 170 ms. Recognisers leave hesitations out, so one may stand between any two words: otherwise an
 * "um" of half a second becomes part of its neighbour. The aligner may find no path (singing,
 * crosstalk, a wrong text): then it says so, and the model's own times are kept.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import createModule from 'soundswallower'
import { loadWeights, packageFolder } from '../../models/weights.ts'
import { openDictionary } from './dictionary.ts'
import { pronounce } from './pronounce.ts'
import { spokenForms } from './spoken.ts'
import type { AlignLanguage } from './spoken.ts'
import type { RecognisedWord } from '../whisper/tokens.ts'

export type Aligner = (
  samples: Float32Array,
  words: RecognisedWord[],
  /** Whether the words' own times are heard (and can catch a wrong path) or only spread. */
  options: { trustTimes: boolean },
) => RecognisedWord[] | null

/** How far the two clocks may be apart, and for which part of the words, to be believed. */
const suspectSeconds = 1
const suspectShare = 0.3

/** Hesitations under names that no text has. */
const hesitations: Record<AlignLanguage, [name: string, phones: string][]> = {
  en: [
    ['uh__', 'AH'],
    ['um__', 'AH M'],
  ],
  fr: [['euh__', 'eu']],
}

export function canAlign(language: string): language is AlignLanguage {
  return language === 'en' || language === 'fr'
}

export async function loadAligner(language: AlignLanguage): Promise<Aligner> {
  const hmm = await loadWeights(language === 'en' ? 'align-en' : 'align-fr')
  const module = await createModule({
    modelBase: path.join(packageFolder('soundswallower'), 'model/'),
  })
  const dictionary = openDictionary(await readFile(path.join(hmm, 'dict.txt')))
  // Wide beams: the text is given, so a lost path costs more than the search.
  const decoder = new module.Decoder({
    hmm,
    dict: null,
    samprate: 16_000,
    loglevel: 'FATAL',
    beam: 1e-200,
    pbeam: 1e-200,
    wbeam: 1e-150,
  })
  await decoder.initialize()
  decoder.add_words(...hesitations[language])
  /** The words that the decoder was taught, and how they sound. */
  const taught = new Map<string, string>()
  const known = (word: string) => taught.get(word) ?? dictionary.waysToSay(word)[0]?.[1] ?? null

  function teach(words: readonly string[]): void {
    const lines: [name: string, phones: string][] = []
    for (const word of new Set(words)) {
      if (taught.has(word)) continue
      const ways = dictionary.waysToSay(word)
      if (ways.length === 0) ways.push([word, pronounce(word, language, known)])
      taught.set(word, ways[0]![1])
      lines.push(...ways)
    }
    if (lines.length > 0) decoder.add_words(...lines)
  }

  return (samples, words, { trustTimes }) => {
    const spoken = words.map((word) => spokenForms(word.text, language))
    const flat = spoken.flat()
    if (flat.length === 0) return null
    teach(flat)
    let result: { b: number; d: number }[]
    try {
      decoder.set_grammar(grammarOf(flat, language))
      decoder.start()
      decoder.process_audio(inRoom(samples), false, true)
      decoder.stop()
      result = wordsIn(decoder.get_alignment({}))
    } catch {
      abandon(decoder)
      return null
    }
    if (result.length !== flat.length) return null
    const aligned = place(words, spoken, result)
    if (!trustTimes) return aligned
    const apart = aligned.filter((word, index) => {
      return Math.abs(word.start - words[index]!.start) > suspectSeconds
    })
    return apart.length > words.length * suspectShare ? null : aligned
  }
}

/**
 * Digital silence (a gated track, a synthetic voice, a hole between takes) has no logarithm: the
 * search loses its path there, or hides a short word in it. So a room is added, 66 dB below the
 * loudest sample and thereby quieter than any real one. It is the same each time, so that the same
 * sound gives the same times.
 */
function inRoom(samples: Float32Array): Float32Array {
  const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
  let state = 1
  return samples.map((sample) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return sample + (state / 2 ** 31 - 1) * (peak / 2048)
  })
}

/**
 * The words in order, each perhaps after a hesitation. As likely as not, every vowel would begin
 * with one; at one in ten the times of fluent speech stay as they are.
 */
function grammarOf(words: readonly string[], language: AlignLanguage): string {
  const names = hesitations[language].map(([name]) => name).join(' | ')
  const said = words.map((word) => `( /0.9/ ${word} | /0.1/ <pause> ${word} )`).join(' ')
  return `#JSGF V1.0; grammar said; <pause> = ${names}; public <said> = ${said};`
}

/** Silences and noises stand in brackets of some kind. */
function wordsIn(segment: { w?: { t: string; b: number; d: number }[] }) {
  return (segment.w ?? []).filter(({ t: text }) => !/^[<[(]|__$/.test(text))
}

/** Closes an utterance that failed half way, so that the next one can begin. */
function abandon(decoder: { stop(): void }): void {
  try {
    decoder.stop()
  } catch {
    // It was closed already.
  }
}

/** Leads the times of the spoken words back to the written ones. */
function place(
  words: RecognisedWord[],
  spoken: string[][],
  result: { b: number; d: number }[],
): RecognisedWord[] {
  let at = 0
  let previousEnd = 0
  return words.map((word, index) => {
    const count = spoken[index]!.length
    const first = result[at]
    const last = result[at + count - 1]
    at += count
    // A word that is not spoken at all has no length; it stands after its neighbour.
    const start = count > 0 && first ? first.b : previousEnd
    const end = count > 0 && last ? last.b + last.d : previousEnd
    previousEnd = end
    return { ...word, start, end }
  })
}
