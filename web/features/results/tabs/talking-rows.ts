/** Who is seen and heard when, as rows of one list. */
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { speakerName } from '../../../../domain/findings/speakers.ts'

export interface TalkingRow {
  /** Narrows the list to a face, or to one of the kinds that have none. */
  of: readonly string[]
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
  face?: string | null
}

const kinds = { flap: 'Lip flap', voice: 'Voice only', silence: 'Silence' }

/**
 * One track: each frame is in one row at most. Where several things hold at once, lips without a
 * voice come first, since they need a decision, and silence last.
 */
export function talkingRows(detected: FindingsOf<'talking'>): TalkingRow[] {
  const layers = [detected.lip_flap, detected.talking, detected.voice_only, detected.silence]
  const edges = new Set(
    layers.flat().flatMap(({ start_frame, end_frame }: Frames) => [start_frame, end_frame]),
  )
  const [flaps, talks, voices, silences] = layers.map((spans) => openAt<Frames>(spans))
  const rows: TalkingRow[] = []
  const frames = [...edges].sort((a, b) => a - b)
  for (const [index, startFrame] of frames.entries()) {
    const endFrame = frames[index + 1]
    if (endFrame === undefined) break
    const row = rowOf({
      flapping: facesOf(flaps?.(startFrame)),
      talking: facesOf(talks?.(startFrame)),
      isVoice: Boolean(voices?.(startFrame).length),
      isSilence: Boolean(silences?.(startFrame).length),
    })
    if (!row) continue
    const last = rows.at(-1)
    const goesOn =
      last?.endFrame === startFrame && last.label === row.label && last.hint === row.hint
    if (goesOn) last.endFrame = endFrame
    else rows.push({ ...row, startFrame, endFrame })
  }
  return rows
}

/** Answers the spans that hold at a frame; asked in the order of time. */
function openAt<Some extends Frames>(spans: readonly Some[]): (frame: number) => Some[] {
  const waiting = spans.toSorted((a, b) => b.start_frame - a.start_frame)
  let open: Some[] = []
  return (frame) => {
    while ((waiting.at(-1)?.start_frame ?? Infinity) <= frame) {
      const next = waiting.pop()
      if (next) open.push(next)
    }
    open = open.filter((span) => span.end_frame > frame)
    return open
  }
}

interface Heard {
  flapping: string[]
  talking: string[]
  isVoice: boolean
  isSilence: boolean
}

function rowOf(heard: Heard): Pick<TalkingRow, 'of' | 'label' | 'hint'> | null {
  const { flapping, talking } = heard
  const names = namesOf(talking)
  if (flapping.length > 0) {
    const lips = `${namesOf(flapping)} ${flapping.length > 1 ? 'move' : 'moves'} the lips, no voice fits`
    const hint = talking.length > 0 ? `${lips}; ${names} ${talkVerb(talking)}` : lips
    return { of: ['flap', ...talking], label: kinds.flap, hint }
  }
  if (talking.length > 0) {
    return { of: talking, label: `${names} ${talkVerb(talking)}`, hint: 'Seen and heard' }
  }
  if (heard.isVoice) {
    return { of: ['voice'], label: kinds.voice, hint: 'Voice-over: nobody speaking on screen' }
  }
  return heard.isSilence ? { of: ['silence'], label: kinds.silence, hint: 'Nothing is said' } : null
}

function facesOf(spans: readonly Frames[] | undefined): string[] {
  const faces = (spans ?? []).map((span) => span.face ?? '')
  return [...new Set(faces)].sort()
}

function namesOf(faces: readonly string[]): string {
  return faces.map((face) => whoOf(face === '' ? null : face)).join(' and ')
}

function talkVerb(faces: readonly string[]): string {
  return faces.length > 1 ? 'talk' : 'talks'
}

/** Choices that narrow the list: those who talk the most first. */
export function talkingChoices(
  detected: FindingsOf<'talking'>,
  rows: readonly TalkingRow[],
): TalkingChoice[] {
  const people = detected.faces
    .filter((face) => face.talking_seconds > 0)
    .toSorted((a, b) => b.talking_seconds - a.talking_seconds)
    .map((face) => ({
      value: face.id,
      label: `${speakerName(face.id)} (${face.talking_seconds.toFixed(1)} s)`,
    }))
  const others = (['flap', 'voice', 'silence'] as const)
    .map((kind) => ({ kind, count: rows.filter((row) => row.of.includes(kind)).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ value: kind, label: `${kinds[kind]} (${count})` }))
  return [{ value: '', label: 'Everything' }, ...people, ...others]
}

function whoOf(face: string | null): string {
  return face === null ? 'Somebody' : speakerName(face)
}
