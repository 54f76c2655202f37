/**
 * Tells people who say the same again and again (a chant, a chorus) from a recogniser that fell
 * into a loop. A loop runs on until it is stopped, or fills a pause or music; a chant ends, and the
 * sound has a voice and time enough for each repeat.
 */
import { sampleRate, vadHop } from '../voice/vad.ts'
import { loopStart } from './reject-invented.ts'

interface Said {
  /** The token. */
  id: number
  /** Seconds from the start of the window. */
  start: number
}

const tokensPerVoicedSecond = { min: 0.8, max: 8 }
const minVoice = 0.5
const voicedFrom = 0.5

/** More than this is not said in the time that a voice is heard. */
export function maxLoopedTokens(voice: Float32Array): number {
  return Math.floor(voicedSeconds(voice) * tokensPerVoicedSecond.max)
}

/** Whether the part that repeats itself was said; `end` is where the last token ends. */
export function isChant(
  tokens: readonly Said[],
  { end, voice }: { end: number; voice: Float32Array },
): boolean {
  const range = repeatedRange(tokens.map(({ id }) => id))
  if (!range) return false
  const perSecond = sampleRate / vadHop
  const heard = voice.subarray(
    Math.floor(tokens[range.from]!.start * perSecond),
    Math.ceil((tokens[range.to]?.start ?? end) * perSecond),
  )
  if (heard.length === 0) return false
  const mean = heard.reduce((sum, value) => sum + value, 0) / heard.length
  const rate = (range.to - range.from) / voicedSeconds(heard)
  const { min, max } = tokensPerVoicedSecond
  return mean >= minVoice && rate >= min && rate <= max
}

/** From the first token that is repeated to behind the last. */
function repeatedRange(ids: readonly number[]): { from: number; to: number } | null {
  let first = -1
  let last = -1
  for (let to = 1; to <= ids.length; to++) {
    const from = loopStart(ids.slice(0, to))
    if (from < 0) continue
    first = first < 0 ? from : Math.min(first, from)
    last = to
  }
  return first < 0 ? null : { from: first, to: last }
}

function voicedSeconds(voice: Float32Array): number {
  return (voice.filter((value) => value >= voicedFrom).length * vadHop) / sampleRate
}
