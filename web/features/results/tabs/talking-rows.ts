/** Who is seen and heard when, as rows of one list. */
import type { FindingsOf } from '../../../../contract/findings.ts'
import { speakerName } from '../../../../contract/speakers.ts'

export interface TalkingRow {
  /** What the list can be narrowed to: a face, or one of the kinds that have none. */
  of: string
  startFrame: number
  endFrame: number
  label: string
  hint: string
}

export interface TalkingChoice {
  value: string
  label: string
}

interface Frames {
  start_frame: number
  end_frame: number
}

const kinds = { flap: 'Lip flap', voice: 'Voice only', silence: 'Silence' }

export function talkingRows(found: FindingsOf<'talking'>): TalkingRow[] {
  const row = (of: string, label: string, hint: string, span: Frames): TalkingRow => ({
    of,
    label,
    hint,
    startFrame: span.start_frame,
    endFrame: span.end_frame,
  })
  const rows = [
    ...found.talking.map((span) =>
      row(span.face ?? '', `${whoOf(span.face)} talks`, 'Seen and heard', span),
    ),
    ...found.lip_flap.map((span) =>
      row('flap', kinds.flap, `${whoOf(span.face)} moves the lips, no voice fits`, span),
    ),
    ...found.voice_only.map((span) =>
      row('voice', kinds.voice, 'Voice-over: nobody speaking on screen', span),
    ),
    ...found.silence.map((span) => row('silence', kinds.silence, 'Nothing is said', span)),
  ]
  return rows.toSorted((a, b) => a.startFrame - b.startFrame || a.endFrame - b.endFrame)
}

/** What is there to narrow the list to: those who talk the most first. */
export function talkingChoices(found: FindingsOf<'talking'>): TalkingChoice[] {
  const people = found.faces
    .filter((face) => face.talking_seconds > 0)
    .toSorted((a, b) => b.talking_seconds - a.talking_seconds)
    .map((face) => ({
      value: face.id,
      label: `${speakerName(face.id)} (${face.talking_seconds.toFixed(1)} s)`,
    }))
  const counts = {
    flap: found.lip_flap.length,
    voice: found.voice_only.length,
    silence: found.silence.length,
  }
  const others = (['flap', 'voice', 'silence'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({ value: kind, label: `${kinds[kind]} (${counts[kind]})` }))
  return [{ value: '', label: 'Everything' }, ...people, ...others]
}

function whoOf(face: string | null): string {
  return face === null ? 'Somebody' : speakerName(face)
}
