/**
 * Words that carry nothing: "um", "you know". A recogniser leaves most of them out, so a voice that
 * holds one vowel between two words counts as a hesitation too. Fillers are offered for removal: a
 * word that is taken for a filler costs more than a filler that stays.
 */
import { colourChange } from '../voice/steady.ts'
import { voiceIn } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'
import type { TimedWord } from './passages.ts'
import { readWindow } from '../whisper/windows.ts'

export interface Filler extends Seconds {
  text: string
}

/** Sounds that are never anything else. */
const sounds = new Set(
  'um umm uhm uh uhh er erm ehm hmm hm mm mmm mhm euh heu äh ähm öh öhm eeh ehh'.split(' '),
)
/** Phrases that are fillers only when a comma or a pause sets them off on both sides. */
const phrases = ['you know', 'i mean', 'sort of', 'kind of', 'you see', 'like', 'so', 'well'].map(
  (phrase) => phrase.split(' '),
)
const setOffSeconds = 0.2
const hesitationSeconds = { min: 0.22, max: 1.5 }
/** Words end and begin a little inside of their sound. */
const edgeSeconds = 0.04
/** One in a hundred stretches of words changes less. */
const steadyBelow = 0.8

export function findFillers(words: readonly TimedWord[]): Filler[] {
  const fillers: Filler[] = []
  for (let at = 0; at < words.length; at++) {
    const length = isSound(words, at) ? 1 : phraseAt(words, at)
    if (length === 0) continue
    const spoken = words.slice(at, at + length)
    fillers.push({
      start: spoken[0]!.start,
      end: spoken.at(-1)!.end,
      text: spoken.map(bare).join(' '),
    })
    at += length - 1
  }
  return fillers
}

/** "ER" is spelled out, and "35 mm" is a length. */
function isSound(words: readonly TimedWord[], at: number): boolean {
  const { text } = words[at]!
  if (!sounds.has(bare(words[at]!))) return false
  const isSpelled = text.length > 1 && /^\p{Lu}{2,}/u.test(text)
  const isUnit = bare(words[at]!) === 'mm' && /\d$/.test(words[at - 1]?.text ?? '')
  return !isSpelled && !isUnit
}

function phraseAt(words: readonly TimedWord[], at: number): number {
  for (const phrase of phrases) {
    const isHere = phrase.every(
      (part, index) => words[at + index] && bare(words[at + index]!) === part,
    )
    const last = at + phrase.length - 1
    if (isHere && isSetOff(words[at - 1], words[at]) && isSetOff(words[last], words[last + 1])) {
      // At the start of a sentence "so" and "well" lead on, alone they answer; "you know" does not.
      const isInside = words[at - 1] && !endsSentence(words[at - 1]!) && !endsSentence(words[at]!)
      return isInside || phrase.length > 1 ? phrase.length : 0
    }
  }
  return 0
}

function endsSentence(word: TimedWord): boolean {
  return /[.?!…]["'”’)]*$/u.test(word.text)
}

function isSetOff(before: TimedWord | undefined, after: TimedWord | undefined): boolean {
  if (!before || !after) return true
  return /[,;:.?!…—–-]["'”’)]*$/u.test(before.text) || after.start - before.end >= setOffSeconds
}

/** Voiced gaps between words that hold one vowel. */
export async function findHesitations(
  words: readonly TimedWord[],
  { vad, audioFile }: { vad: Float32Array; audioFile: string },
): Promise<Filler[]> {
  const result: Filler[] = []
  for (let at = 1; at < words.length; at++) {
    const start = words[at - 1]!.end + edgeSeconds
    const end = words[at]!.start - edgeSeconds
    const length = end - start
    if (length < hesitationSeconds.min || length > hesitationSeconds.max) continue
    const core = voicedCore(vad, { start, end })
    if (!core || core.end - core.start < hesitationSeconds.min) continue
    if (colourChange(await readWindow(audioFile, core)) < steadyBelow) {
      result.push({ ...core, text: '(hesitation)' })
    }
  }
  return result
}

/** The unbroken voiced part of a gap. */
function voicedCore(vad: Float32Array, gap: Seconds): Seconds | null {
  const step = 0.032
  let best: Seconds | null = null
  let start = -1
  for (let time = gap.start; time <= gap.end + 1e-6; time += step) {
    const isVoiced =
      time + step <= gap.end && voiceIn(vad, { start: time, end: time + step }).mean > 0.7
    if (isVoiced && start < 0) start = time
    if (!isVoiced && start >= 0) {
      if (!best || time - start > best.end - best.start) best = { start, end: time }
      start = -1
    }
  }
  return best
}

function bare(word: TimedWord): string {
  return word.text.toLowerCase().replaceAll(/[^\p{L}']/gu, '')
}
