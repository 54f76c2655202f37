/** Selects the heard windows whose words somebody said, in the order of the sound. */
import type { HeardWindow, Hearing } from '../hear-windows.ts'
import { voiceIn } from '../voice/vad.ts'
import type { RecognisedWord } from '../whisper/tokens.ts'
import { settleDoubts } from './doubts.ts'
import { isSecondBelievable, makeRoom } from './missed.ts'
import { isBelievable } from './reject-invented.ts'

export function believeHearings(
  hearings: readonly Hearing[],
  { vad, language }: { vad: Float32Array; language: string | null },
): HeardWindow[] {
  const first = hearings.map((hearing) => hearing.first)
  const written = first.flatMap(onFileClock)
  const all = hearings.flatMap((hearing) => hearing.second)
  const second = all.filter((window) => isSecondBelievable(window, language, written))
  const kept = hearings.map(({ first: window, second: again }) => {
    const others = again.filter(
      (other) => !second.includes(other) && !other.looped && other.language === window.language,
    )
    const words = settleDoubts(window, others)
    return { ...window, words: second.length > 0 ? makeRoom({ ...window, words }, second) : words }
  })
  return [...kept, ...second]
    .filter((window) => isBelievable(window.words, evidenceFor(vad, window)))
    .sort((a, b) => a.window.start - b.window.start)
}

function onFileClock({ window, words }: HeardWindow): RecognisedWord[] {
  return words.map((word) => ({
    ...word,
    start: window.start + word.start,
    end: window.start + word.end,
  }))
}

function evidenceFor(vad: Float32Array, item: HeardWindow) {
  const voice = voiceIn(vad, item.window)
  return {
    voiceMax: voice.max,
    voiceMean: voice.mean,
    noSpeech: item.noSpeech,
    meanLogProbability: item.meanLogProbability,
    looped: item.looped,
  }
}
