/** Findings as passages that can be searched for, in words that a person would type. */
import type { ExtractorId, PassageKind } from '../../domain/money/catalogue.ts'
import type { FindingsOf, Word } from '../../domain/findings/findings.ts'
import { slateText } from '../../domain/findings/slates.ts'

export interface Passage {
  kind: PassageKind
  start_frame: number
  end_frame: number
  start_seconds: number
  text: string
  /** [first character, first frame, seconds] of each word of speech. */
  words: [number, number, number][] | null
}

/** A thing that occurs more often than this is not found by looking for its name. */
const maxOfAKind = 5000
const maxWordsTogether = 40

const passagesBy: { [Id in ExtractorId]?: (findings: FindingsOf<Id>) => Passage[] } = {
  transcription: speech,
  shots,
  talking,
  cutpoints: cutPoints,
  text: onScreen,
  ffprobe: documentText,
}

export function passagesOf<Id extends ExtractorId>(
  extractor: Id,
  findings: FindingsOf<Id> | undefined,
): Passage[] {
  return (findings && passagesBy[extractor]?.(findings)) ?? []
}

function speech(findings: FindingsOf<'transcription'>): Passage[] {
  const groups = findings.sentences.map((sentence) =>
    findings.words.slice(sentence.first_word, sentence.last_word + 1),
  )
  return (groups.length > 0 ? groups : [findings.words]).flatMap(inPieces).map(passageOfWords)
}

function inPieces(words: Word[]): Word[][] {
  const pieces: Word[][] = []
  for (let first = 0; first < words.length; first += maxWordsTogether) {
    pieces.push(words.slice(first, first + maxWordsTogether))
  }
  return pieces
}

function passageOfWords(words: Word[]): Passage {
  let text = ''
  const places: [number, number, number][] = []
  for (const word of words) {
    if (text) text += ' '
    places.push([text.length, word.start_frame, word.start])
    text += word.text.trim()
  }
  return {
    kind: 'word',
    start_frame: words[0]?.start_frame ?? 0,
    end_frame: words.at(-1)?.end_frame ?? 0,
    start_seconds: words[0]?.start ?? 0,
    text,
    words: places,
  }
}

/** A document's frames are its pages. */
function documentText({ document }: FindingsOf<'ffprobe'>): Passage[] {
  const pages = document?.text ?? []
  const lines = pages.flatMap((text, page) =>
    (text.match(/[^\n]{1,300}(?:\s|$)|[^\n]{1,300}/g) ?? []).map((line) => ({ page, line })),
  )
  return lines.slice(0, maxOfAKind).map(({ page, line }) => {
    const span = { start_frame: page, end_frame: page + 1, start: page }
    return passage('text', span, line.trim())
  })
}

interface Timed {
  start_frame: number
  end_frame: number
  start: number
}

function passage(kind: Passage['kind'], span: Timed, text: string): Passage {
  const { start_frame, end_frame, start } = span
  return { kind, start_frame, end_frame, start_seconds: start, text, words: null }
}

function shots(findings: FindingsOf<'shots'>): Passage[] {
  return findings.shots.slice(0, maxOfAKind).map((shot) => {
    const traits = [
      `Shot ${shot.index + 1}`,
      shot.transition === 'start' ? 'opening' : shot.transition,
      shot.motion === 'still' ? 'still' : `${shot.motion} motion`,
      ...(shot.black ? ['black'] : []),
      ...(shot.frozen ? ['freeze frame'] : []),
    ]
    return passage('shot', shot, traits.join(' · '))
  })
}

/** Lines as they are read, and each slate in one line: "Slate 12A-3 · scene 12A, take 3". */
function onScreen({ lines, slates }: FindingsOf<'text'>): Passage[] {
  return [
    ...slates.map((slate) => {
      const name = slate.clip_name ? `Slate ${slate.clip_name}` : 'Slate'
      return passage('screen', slate, `${name} · ${slateText(slate)}`)
    }),
    ...lines.filter((line) => !line.on_slate).map((line) => passage('screen', line, line.text)),
  ].slice(0, maxOfAKind)
}

function talking(findings: FindingsOf<'talking'>): Passage[] {
  return [
    ...findings.talking.map((span) => passage('talking', span, 'Person talking')),
    ...findings.lip_flap.map((span) => passage('talking', span, 'Lip flap')),
    ...findings.voice_only.map((span) => passage('talking', span, 'Voice only, nobody talks')),
  ].slice(0, maxOfAKind)
}

function cutPoints(findings: FindingsOf<'cutpoints'>): Passage[] {
  const fillers = findings.removals.map((removal) => {
    const text = removal.kind === 'filler' ? `Filler: ${removal.text ?? ''}` : 'Silence'
    return passage('cutpoint', removal, text.trim())
  })
  const points = findings.points.map((point) => {
    const span = { start_frame: point.frame, end_frame: point.frame + 1, start: point.seconds }
    return passage('cutpoint', span, `Cut point · ${point.reasons.join(' · ')}`)
  })
  return [...points, ...fillers].slice(0, maxOfAKind)
}
