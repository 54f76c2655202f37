/**
 * Gives words their speakers. A sentence that one voice says for the greater part is all his, since
 * the sound places a change less exactly than the words do. Where only one voice is heard there is
 * nobody to tell apart, and no word gets a speaker.
 */
import type { Seconds } from '../speech/voice/vad.ts'
import type { VoiceTurn } from './tell-apart.ts'

export interface WordSpeaker {
  speaker: string | null
  speaker_confidence: number | null
}

const nobody: WordSpeaker = { speaker: null, speaker_confidence: null }
/** The share of a sentence that makes it one voice's. */
const wholeShare = 0.8
/** A change inside a sentence is not sure to the word. */
const changeConfidence = 0.6
/** A word this far from all turns is nobody's. */
const maxDistanceSeconds = 1

export function labelWords(
  words: readonly Seconds[],
  sentences: readonly { first: number; last: number }[],
  turns: readonly VoiceTurn[],
): WordSpeaker[] {
  if (new Set(turns.map((turn) => turn.speaker)).size < 2) return words.map(() => nobody)
  const labels = words.map((word) => turnOf(word, turns))
  const result = labels.map((turn): WordSpeaker => written(turn))
  for (const { first, last } of sentences) {
    const seconds = new Map<number, number>()
    const sureness = new Map<number, number>()
    let total = 0
    for (let at = first; at <= last; at++) {
      const turn = labels[at]
      const length = words[at]!.end - words[at]!.start
      total += length
      if (!turn) continue
      seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + length)
      const before = sureness.get(turn.speaker) ?? 1
      sureness.set(turn.speaker, Math.min(before, turn.confidence))
    }
    const [leader] = [...seconds].toSorted(([, a], [, b]) => b - a)
    if (!leader) continue
    const isWhole = leader[1] >= total * wholeShare
    const isMixed = seconds.size > 1
    for (let at = first; at <= last; at++) {
      const speaker = isWhole ? leader[0] : labels[at]?.speaker
      if (speaker === undefined) continue
      const confidence = sureness.get(speaker) ?? 0
      result[at] = {
        speaker: voiceId(speaker),
        speaker_confidence: isMixed ? Math.min(confidence, changeConfidence) : confidence,
      }
    }
  }
  return result
}

function written(turn: VoiceTurn | null): WordSpeaker {
  if (!turn) return nobody
  return { speaker: voiceId(turn.speaker), speaker_confidence: turn.confidence }
}

function voiceId(speaker: number): string {
  return `voice-${speaker + 1}`
}

/** The turn that a word lies in for the greater part, or the nearest. */
function turnOf({ start, end }: Seconds, turns: readonly VoiceTurn[]): VoiceTurn | null {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (turns[middle]!.end <= start) low = middle + 1
    else high = middle
  }
  let best: VoiceTurn | null = null
  let nearest = -maxDistanceSeconds
  for (const turn of turns.slice(Math.max(0, low - 1), low + 3)) {
    const shared = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (shared > nearest) [best, nearest] = [turn, shared]
  }
  return best
}
