/**
 * The words of a speech part, to be read while the others are still at work. They are for reading
 * only: the join starts from the hearings, and settles language, numbers, times and speakers over
 * all.
 */
import { leadingLanguage } from '../speech/hear-windows.ts'
import type { Hearing } from '../speech/hear-windows.ts'
import { believeHearings } from '../speech/text/believe.ts'
import { groupParagraphs, passageText, splitSentences } from '../speech/text/passages.ts'
import { placeWords } from '../speech/voice/spans.ts'
import type { Seconds } from '../speech/voice/vad.ts'

/** Times are seconds of the film's sound. */
export interface SpeechPreview extends Seconds {
  paragraphs: (Seconds & { text: string })[]
}

export function previewSpeech(
  hearings: readonly Hearing[],
  { windows, vad }: { windows: readonly Seconds[]; vad: Float32Array },
): SpeechPreview {
  const start = windows[0]?.start ?? 0
  const end = windows.at(-1)?.end ?? 0
  const language = leadingLanguage(hearings) ?? null
  const words = placeWords(believeHearings(hearings, { vad, language }), end)
  const paragraphs = groupParagraphs(words, splitSentences(words))
  return {
    start,
    end,
    paragraphs: paragraphs.map((paragraph) => ({
      start: words[paragraph.first]!.start,
      end: words[paragraph.last]!.end,
      text: passageText(words, paragraph, language ?? 'en'),
    })),
  }
}
