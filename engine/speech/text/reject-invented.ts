/**
 * Keeps invented text out. On music, noise and silence a speech model writes what it saw most
 * often in its training ("you", "Thank you.", "Thanks for watching!") or falls into a loop.
 */

/** Index at which the last tokens begin to repeat, or -1. */
export function loopStart(ids: readonly number[]): number {
  for (let period = 1; period <= 30; period++) {
    // "No, no, no, no" is said; the same sentence four times in a row is not.
    const needed = period === 1 ? 10 : period === 2 ? 7 : 4
    const length = period * needed
    if (ids.length < length) break
    const from = ids.length - length
    let isLoop = true
    for (let at = from + period; at < ids.length && isLoop; at++) {
      isLoop = ids[at] === ids[at - period]
    }
    if (isLoop) return from
  }
  return -1
}

export interface Evidence {
  /** Highest and mean voice probability in the window. */
  voiceMax: number
  voiceMean: number
  noSpeech: number
  meanLogProbability: number
  looped: boolean
}

const stockPhrases = new Set(
  [
    'you',
    'the',
    'a',
    'i',
    'oh',
    'ah',
    'hmm',
    'mm',
    'so',
    'and',
    'bye',
    'bye bye',
    'okay',
    'yeah',
    'thank you',
    'thanks',
    'thank you very much',
    'thank you so much',
    'thank you for watching',
    'thanks for watching',
    'thank you for listening',
    'please subscribe',
    'music',
    'applause',
    'laughter',
    'silence',
    'subtitles by the amara org community',
    'sous titres réalisés par la communauté d amara org',
    'merci d avoir regardé cette vidéo',
    'untertitel im auftrag des zdf für funk 2017',
    'untertitel der amara org community',
    'gracias por ver el video',
    'subtítulos realizados por la comunidad de amara org',
    'продолжение следует',
    'ご視聴ありがとうございました',
    '謝謝觀看',
    '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
    '시청해주셔서 감사합니다',
  ].map(plain),
)

/** True if the words of a window are believable. */
export function isBelievable(
  words: readonly { text: string; confidence: number }[],
  evidence: Evidence,
): boolean {
  if (words.length === 0) return true
  if (evidence.voiceMax < 0.1) return false
  if (evidence.noSpeech > 0.6 && evidence.meanLogProbability < -1) return false
  // Two ears that hear nobody: over a weak voice in noise the model's own doubt stays below 0.1.
  if (evidence.noSpeech > 0.6 && evidence.voiceMax < 0.3) return false
  if (evidence.looped && evidence.meanLogProbability < -0.5) return false
  const text = plain(words.map((word) => word.text).join(' '))
  const isWeak = evidence.voiceMax < 0.5 || evidence.noSpeech > 0.5
  if (stockPhrases.has(text) && (isWeak || evidence.meanLogProbability < -0.7)) return false
  if (evidence.voiceMax >= 0.8) return true
  // Below .3 a token it is a guess; speech below noise is heard with .5 and more.
  return evidence.meanLogProbability > (evidence.voiceMax >= 0.3 ? -1.2 : -1)
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
