/** Findings as markers, on the source first and then where the timeline shows that source frame. */
import type { ExportOptions, MarkerKind } from '../../contract/footage/export-options.ts'
import type { Findings, Slate, Span } from '../../domain/findings/findings.ts'
import { editFrame, joinsShots } from '../../domain/findings/recut.ts'
import { slateText } from '../../domain/findings/slates.ts'
import { soundDelayText } from '../../domain/findings/lip-sync.ts'
import { toTimecode } from '../../domain/time/timecode.ts'
import { chosenChanges, chosenPoints } from './chosen.ts'
import type { Grid } from './grid.ts'
import { oneLine } from './names.ts'
import type { Item, Marker } from './timeline.ts'

/** A comment on a shared link, in frames of the source. */
export interface SourceComment {
  start_frame: number
  end_frame: number
  name: string
  text: string
}

export interface SourceMarker extends Pick<Marker, 'kind' | 'name' | 'note'> {
  /** Source frames on the grid; at least one frame long. */
  start: number
  end: number
}

const nameLength = 60

/** Sound after the last frame has no frame to stand on, and no marker. */
export function sourceMarkers(
  kinds: readonly MarkerKind[],
  findings: Findings,
  options: ExportOptions,
  grid: Grid,
): SourceMarker[] {
  const wanted = new Set(kinds)
  const { media } = findings
  return Object.entries(makers)
    .flatMap(([kind, make]) => (wanted.has(kind as MarkerKind) ? make(findings, options) : []))
    .filter(({ span }) => media.kind !== 'video' || span.start_frame < media.frames)
    .map(({ span, editFrame: edit, ...marker }) => {
      const start = Math.min(grid.place(span.start_frame, span.start_time), grid.frames - 1)
      const end = Math.max(start + 1, grid.place(span.end_frame, span.end_time))
      const note =
        edit === undefined
          ? marker.note
          : `${marker.note}, edit point ${toTimecode(grid.startFrame + grid.place(edit), grid.format)}`
      return {
        ...marker,
        name: shortened(marker.name) || marker.kind,
        note: oneLine(note),
        start,
        end,
      }
    })
    .sort(byPlace)
}

/** Comments as markers: who, and the beginning of what they wrote; the note is all of it. */
export function commentMarkers(comments: readonly SourceComment[], grid: Grid): SourceMarker[] {
  return comments.map((comment) => {
    const start = Math.min(grid.place(comment.start_frame), grid.frames - 1)
    return {
      kind: 'comments',
      name: shortened(`${comment.name}: ${comment.text}`),
      note: oneLine(comment.text),
      start,
      end: Math.max(start + 1, grid.place(comment.end_frame)),
    }
  })
}

/** A marker stands in every item that shows a part of it, cut to that part. */
export function placeMarkers(markers: SourceMarker[], items: readonly Item[]): Marker[] {
  const isOrdered = items.every(
    (item, index) => item.sourceIn >= (items[index - 1]?.sourceOut ?? 0),
  )
  const placed = markers.toSorted(byPlace).flatMap((marker) => {
    const shown: Marker[] = []
    for (
      let index = isOrdered ? firstAfter(items, marker.start) : 0;
      index < items.length;
      index++
    ) {
      const item = items[index]!
      if (isOrdered && item.sourceIn >= marker.end) break
      const from = Math.max(marker.start, item.sourceIn)
      // The next item of an uncut source shows the rest of a range: one marker is enough.
      const continues = index > 0 && from > marker.start && isContinuous(items, index)
      if (Math.min(marker.end, item.sourceOut) <= from || continues) continue
      const start = item.recordIn + from - item.sourceIn
      const end = start + continuesTo(items, index, marker.end) - from
      const { kind, name, note } = marker
      const sourceFrames = marker.end - marker.start
      shown.push({ kind, author: null, name, note, start, end, sourceFrames, item: index })
    }
    return shown
  })
  return placed.sort(byPlace)
}

function byPlace(a: SourceMarker | Marker, b: SourceMarker | Marker): number {
  return a.start - b.start || a.end - b.end
}

/** The first item that ends after a source frame, in a timeline that follows its source. */
function firstAfter(items: readonly Item[], frame: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]!.sourceOut > frame) high = middle
    else low = middle + 1
  }
  return low
}

function isContinuous(items: readonly Item[], index: number): boolean {
  return items[index - 1]?.sourceOut === items[index]?.sourceIn
}

/** The source frame up to which the timeline runs on without a jump, at most `end`. */
function continuesTo(items: readonly Item[], index: number, end: number): number {
  let last = index
  while (items[last]!.sourceOut < end && isContinuous(items, last + 1)) last++
  return Math.min(end, items[last]!.sourceOut)
}

interface Found {
  kind: MarkerKind
  name: string
  note: string
  span: Pick<Span, 'start_frame' | 'end_frame' | 'start_time' | 'end_time'>
  /** The frame at which two shots meet inside the span. */
  editFrame?: number
}

type Maker = (findings: Findings, options: ExportOptions) => Found[]

const makers: Record<MarkerKind, Maker> = {
  shots: (findings, options) =>
    chosenChanges(findings, options).map((change) => ({
      kind: 'shots',
      name: change.type[0]!.toUpperCase() + change.type.slice(1),
      note: `Score ${change.score.toFixed(2)}`,
      span: change,
      ...(change.type !== 'cut' && joinsShots(change, wholeOf(findings))
        ? { editFrame: editFrame(change) }
        : {}),
    })),
  cutpoints: (findings, options) =>
    chosenPoints(findings, options).map((point) => ({
      kind: 'cutpoints',
      name: `Cut point ${point.score.toFixed(2)}`,
      note: point.reasons.join(', '),
      span: {
        start_frame: point.frame,
        end_frame: point.frame,
        start_time: point.time,
        end_time: point.time,
      },
    })),
  removals: (findings) =>
    (findings.cutpoints?.removals ?? []).map((removal) => ({
      kind: 'removals',
      name: removal.kind === 'silence' ? 'Silence' : `Filler: ${removal.text ?? ''}`,
      note: 'Suggested removal',
      span: removal,
    })),
  'lip-flap': (findings) =>
    (findings.talking?.lip_flap ?? []).map((flap) => ({
      kind: 'lip-flap',
      name: 'Lip flap',
      note: withFace(flapNote(findings), flap.face),
      span: flap,
    })),
  'voice-only': (findings) =>
    spans(findings.talking?.voice_only, 'voice-only', 'Voice only', 'No mouth seen: safe to cover'),
  talking: (findings) =>
    (findings.talking?.talking ?? []).map((talk) => ({
      kind: 'talking',
      name: 'Talking',
      note: withFace('Visibly talking', talk.face),
      span: talk,
    })),
  sentences: (findings) =>
    (findings.transcription?.sentences ?? []).map((sentence) => ({
      kind: 'sentences',
      name: sentence.text,
      note: sentence.text,
      span: sentence,
    })),
  flashes: (findings) => spans(findings.shots?.flashes, 'flashes', 'Flash', ''),
  black: (findings) => spans(findings.shots?.black, 'black', 'Black', ''),
  freeze: (findings) => spans(findings.shots?.freeze, 'freeze', 'Freeze', ''),
  text: (findings) =>
    (findings.text?.lines ?? [])
      .filter((line) => !line.on_slate)
      .map((line) => ({ kind: 'text', name: line.text, note: 'On-screen text', span: line })),
  slates: (findings) => (findings.text?.slates ?? []).flatMap(slateMarkers),
}

/** The slate while it is seen, and the frame of its clap. */
function slateMarkers(slate: Slate): Found[] {
  const name = slate.clip_name ?? 'unnamed'
  const note = slateText(slate)
  const { clap } = slate
  const at = clap && {
    start_frame: clap.frame,
    end_frame: clap.frame,
    start_time: clap.time,
    end_time: clap.time,
  }
  return [
    { kind: 'slates', name: `Slate ${name}`, note, span: slate },
    ...(at ? [{ kind: 'slates' as const, name: `Clap ${name}`, note, span: at }] : []),
  ]
}

function wholeOf({ media }: Findings) {
  return { start_frame: 0, end_frame: media.frames }
}

function spans(
  findings: Span[] | undefined,
  kind: MarkerKind,
  name: string,
  note: string,
): Found[] {
  return (findings ?? []).map((span) => ({ kind, name, note, span }))
}

function flapNote({ talking }: Partial<Findings>): string {
  const delay = talking?.sound_delay_seconds
  return typeof delay === 'number' ? soundDelayText(delay) : 'Mouth moves without a voice'
}

function withFace(note: string, face: string | null): string {
  return face === null ? note : `${note} (${face})`
}

function shortened(name: string): string {
  const line = oneLine(name)
  const characters = Array.from(line)
  return characters.length <= nameLength ? line : `${characters.slice(0, nameLength - 1).join('')}…`
}
