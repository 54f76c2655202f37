/** Which paragraph is being corrected, and what its editor does. */
import { useImperativeHandle, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { joinerOf } from '../../../../domain/findings/replace-words.ts'
import type { Correcting } from '../corrections/save-corrections.ts'
import { editParagraph } from '../corrections/edit-paragraph.ts'
import type { WordGroup } from '../corrections/edit-words.ts'
import type { Playhead } from '../viewer/playhead.ts'
import type { LaidOut, PlacedWord } from './transcript-layout.ts'
import type { Editing } from './transcript-paragraph.tsx'

type Transcript = FindingsOf<'transcription'>

export function useEditing(input: {
  correcting: Correcting | null
  transcript: Transcript
  groups: readonly WordGroup[]
  paragraphs: readonly LaidOut[]
  playhead: Playhead
  correctHere: RefObject<(() => void) | null>
}) {
  const { correcting, transcript, groups, paragraphs, playhead, correctHere } = input
  const [open, setOpen] = useState<Opened | null>(null)
  const editing = useMemo((): (Editing & { paragraph: number }) | null => {
    const paragraph = open && openedParagraph(paragraphs, open)
    const detected = correcting?.detected.transcription
    if (!open || !paragraph || !detected) return null
    const range = wordRangeOf(paragraph)
    const { corrections, change } = correcting.state
    const edit = editParagraph({ corrections, detected, shown: transcript, groups, range })
    // A save by opening another paragraph does not close that one.
    const close = (): void => setOpen((now) => (now === open ? null : now))
    const apply = (next: Corrections): void => {
      change(next)
      close()
    }
    const above = paragraphs[paragraph.index - 1]
    const canJoin = above && paragraph.isParagraph && isOneVoice(above, paragraph)
    return {
      paragraph: paragraph.index,
      text: edit.text,
      selected:
        open.word === null ? null : placeOf(transcript, range.first, range.first + open.word),
      actions: {
        save: (text) => apply(edit.save(text)),
        split: (text, place) => apply(edit.split(text, place)),
        join: canJoin ? (text) => apply(edit.join(text)) : undefined,
        revert: edit.isCorrected ? () => apply(edit.revert()) : undefined,
        close,
      },
    }
  }, [open, paragraphs, correcting, transcript, groups])
  const isOffered = correcting !== null
  const onEdit = useMemo(() => {
    if (!isOffered) return undefined
    return (paragraph: LaidOut, word: PlacedWord | null) => {
      const { index, startFrame } = paragraph
      setOpen({ index, startFrame, word: word && word.index - wordRangeOf(paragraph).first })
    }
  }, [isOffered])
  const ask = correcting?.askSpeaker
  const onSpeaker = useMemo(() => {
    if (!ask) return undefined
    return (paragraph: LaidOut) => {
      const { first, last } = wordRangeOf(paragraph)
      const start = transcript.words[first]?.start ?? 0
      const end = transcript.words[last]?.end ?? start
      ask({ speaker: paragraph.speaker, passage: { start, end: Math.max(end, start) + 0.001 } })
    }
  }, [ask, transcript])
  useImperativeHandle(
    correctHere,
    () => () => {
      const frame = playhead.frame()
      const paragraph = paragraphs.findLast((item) => item.startFrame <= frame) ?? paragraphs[0]
      const word = paragraph?.words.findLast((item) => item.startFrame <= frame)
      if (paragraph) onEdit?.(paragraph, word ?? paragraph.words[0] ?? null)
    },
    [playhead, paragraphs, onEdit],
  )
  return { editing, onEdit, onSpeaker }
}

/** Which paragraph is open, and which of its words was meant. */
interface Opened {
  index: number
  startFrame: number
  /** Counted from its first word; null: no word was meant. */
  word: number | null
}

/** Found again by when it begins: a paragraph before it may be gone by a correction. */
function openedParagraph(
  paragraphs: readonly LaidOut[],
  { index, startFrame }: Opened,
): LaidOut | undefined {
  const same = paragraphs[index]
  if (same?.startFrame === startFrame) return same
  return paragraphs.find((item) => item.startFrame === startFrame) ?? same
}

/** Transcript indexes of the paragraph's first and last word (inclusive). */
function wordRangeOf({ words }: LaidOut): { first: number; last: number } {
  return { first: words[0]?.index ?? 0, last: words.at(-1)?.index ?? 0 }
}

/** Paragraphs of two speakers stay apart, whatever joins them. */
function isOneVoice(a: LaidOut, b: LaidOut): boolean {
  return a.speaker === null || b.speaker === null || a.speaker === b.speaker
}

/** Where a word stands in the text of its editor. */
function placeOf(
  transcript: Transcript,
  first: number,
  index: number,
): { from: number; to: number } {
  const joiner = joinerOf(transcript)
  const before = transcript.words.slice(first, index).map((word) => word.text + joiner)
  const from = before.join('').length
  return { from, to: from + (transcript.words[index]?.text.length ?? 0) }
}
