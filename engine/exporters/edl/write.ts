/**
 * CMX3600. Out points are exclusive. A transition is an event of two lines: a cut of no length that
 * leaves the outgoing clip, then the incoming clip from the first blended frame, with the length of
 * the effect; a comment names the edit point, its middle. Sound is cut where the pictures meet, so beside a transition it has an event of its
 * own; elsewhere one event carries both. CMX3600 numbers 999 events and 4 channels: more events get
 * longer numbers (or come in parts), more channels are left to FCPXML and XML.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { rateLabel } from '../../../domain/time/timecode.ts'
import type { TimelineMarker } from '../timeline/markers.ts'
import type { Clip, Timeline } from '../timeline/timeline.ts'
import { countedTimecode, sourceTimecodes } from './times.ts'

const eventsPerPart = 999
const maximumChannels = 4

export function writeEdl(
  timeline: Timeline,
  markers: TimelineMarker[],
  options: Pick<ExportOptions, 'edl_part'>,
): string {
  const { grid, title } = timeline
  const events = edlEvents(timeline)
  const part = options.edl_part
  const from = part === undefined ? 0 : (part - 1) * eventsPerPart
  const shown = part === undefined ? events : events.slice(from, from + eventsPerPart)
  const width = Math.max(3, String(shown.length).length)
  const byClip = Map.groupBy(markers, (marker) => marker.clip)
  const lines = [
    `TITLE: ${title}`,
    `FCM: ${grid.format.dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
    '',
  ]
  shown.forEach((event, index) => {
    const number = String(index + 1).padStart(width, '0')
    for (const line of eventLines(event, timeline)) lines.push(`${number}  ${line}`)
    lines.push(...eventNotes(event, timeline, byClip.get(event.index) ?? []))
    // OpenTimelineIO refuses a comment before the first event.
    if (index === 0) lines.push(...listNotes(timeline, events.length).map((note) => `* ${note}`))
  })
  return `${lines.join('\r\n')}\r\n`
}

/** How many parts of 999 events the timeline makes. */
export function edlParts(timeline: Timeline): number {
  return Math.max(1, Math.ceil(edlEvents(timeline).length / eventsPerPart))
}

interface EdlEvent {
  channel: 'V' | 'B' | 'AA/V' | 'A' | 'AA'
  clip: Clip
  index: number
  sourceIn: number
  sourceOut: number
  recordIn: number
  recordOut: number
}

function edlEvents(timeline: Timeline): EdlEvent[] {
  const { clips, source } = timeline
  const sound = source.channels === 1 ? 'A' : 'AA'
  return clips.flatMap((clip, index): EdlEvent[] => {
    const next = clips[index + 1]
    const heard = { index, clip, ...plainRange(clip) }
    const seen = { index, clip, ...pictureRange(clip, next) }
    if (!source.hasVideo) return [{ channel: sound, ...heard }]
    if (source.channels === 0) return [{ channel: 'V', ...seen }]
    if (clip.transition || next?.transition) {
      return [
        { channel: 'V', ...seen },
        { channel: sound, ...heard },
      ]
    }
    return [{ channel: sound === 'A' ? 'B' : 'AA/V', ...heard }]
  })
}

function plainRange(clip: Clip) {
  const { sourceIn, sourceOut, recordIn, recordOut } = clip
  return { sourceIn, sourceOut, recordIn, recordOut }
}

/** An event starts with its own transition and ends where the next one starts. */
function pictureRange(clip: Clip, next: Clip | undefined) {
  const early = clip.transition ? clip.transition.cut - clip.transition.start : 0
  const short = next?.transition ? next.transition.cut - next.transition.start : 0
  return {
    sourceIn: clip.sourceIn - early,
    sourceOut: clip.sourceOut - short,
    recordIn: clip.recordIn - early,
    recordOut: clip.recordOut - short,
  }
}

function eventLines(event: EdlEvent, timeline: Timeline): string[] {
  const { transition } = event.clip
  if (event.channel !== 'V' || !transition) return [line('C', '', event, timeline)]
  const before = timeline.clips[event.index - 1]!
  const leaving = before.sourceOut - (transition.cut - transition.start)
  const out = {
    ...event,
    sourceIn: leaving,
    sourceOut: leaving,
    recordOut: event.recordIn,
  }
  const frames = String(transition.end - transition.start).padStart(3, '0')
  const effect = transition.type === 'wipe' ? 'W001' : 'D'
  return [line('C', '', out, timeline), line(effect, frames, event, timeline)]
}

function line(effect: string, frames: string, event: EdlEvent, timeline: Timeline): string {
  const { format, startFrame } = timeline.grid
  const times = [
    ...sourceTimecodes(startFrame + event.sourceIn, startFrame + event.sourceOut, format),
    recordTimecode(timeline, event.recordIn),
    recordTimecode(timeline, event.recordOut),
  ]
  const reel = timeline.source.reel.padEnd(8)
  return `${reel} ${event.channel.padEnd(5)} ${effect.padEnd(5)}${frames.padStart(3)} ${times.join(' ')}`
}

function recordTimecode({ grid, recordStart }: Timeline, frame: number): string {
  return countedTimecode((recordStart % grid.format.framesPerDay) + frame, grid.format)
}

function eventNotes(event: EdlEvent, timeline: Timeline, markers: TimelineMarker[]): string[] {
  const { transition } = event.clip
  const { name, channels, hasVideo } = timeline.source
  const soft = event.channel === 'V' && transition
  const more = Array.from(
    { length: Math.max(0, Math.min(channels, maximumChannels) - 2) },
    (_, at) => at + 3,
  )
  const notes = [`* FROM CLIP NAME: ${name}`]
  if (event.channel !== 'V' && more.length > 0) notes.unshift(`AUD  ${more.join('    ')}`)
  if (soft) {
    notes.push(`* TO CLIP NAME: ${name}`)
    notes.push(`* EFFECT NAME: ${effectNames[transition.type]}`)
    const edit = recordTimecode(timeline, transition.cut)
    notes.push(`* EDIT POINT: ${edit}, THE MIDDLE OF THE EFFECT`)
  }
  if (hasVideo && (event.channel === 'A' || event.channel === 'AA')) return notes
  notes.push(`* COMMENT: ${event.clip.name}`)
  for (const marker of markers) {
    const at = recordTimecode(timeline, marker.recordStart)
    notes.push(`* LOC: ${at} ${locatorColors[marker.kind].padEnd(7)} ${marker.name}`)
  }
  return notes
}

const effectNames = { dissolve: 'CROSS DISSOLVE', fade: 'FADE', wipe: 'WIPE' } as const

const locatorColors: Record<TimelineMarker['kind'], string> = {
  comments: 'YELLOW',
  shots: 'BLUE',
  cutpoints: 'GREEN',
  removals: 'YELLOW',
  'lip-flap': 'RED',
  'voice-only': 'CYAN',
  talking: 'MAGENTA',
  sentences: 'WHITE',
  flashes: 'YELLOW',
  black: 'BLACK',
  freeze: 'BLACK',
  text: 'CYAN',
  slates: 'MAGENTA',
}

function listNotes(timeline: Timeline, events: number): string[] {
  const { grid, source } = timeline
  const notes = [`FRAME RATE: ${rateLabel(grid.format.rate)}`, ...grid.notes]
  if (source.channels > maximumChannels) {
    notes.push(`${source.channels} AUDIO CHANNELS IN THE SOURCE, THE FIRST 4 LISTED`)
  }
  if (events > eventsPerPart) {
    notes.push(`${events} EVENTS, MORE THAN THE 999 OF CMX3600: ALSO AVAILABLE IN PARTS`)
  }
  return notes
}
