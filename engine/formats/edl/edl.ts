/**
 * CMX3600, which has one video track and one rate. Out points are exclusive. A transition is an
 * event of two lines: a cut of no length that leaves the outgoing clip, then the incoming clip from
 * the first blended frame, with the length of the effect; a comment names the edit point, its
 * middle. Sound is cut there, so beside a transition it has an event of its own; elsewhere one
 * event carries both. A source of another rate is placed by time; its own timecode stands in a
 * comment. CMX3600 numbers 999 events and 4 channels: more events get longer numbers, or come in
 * parts.
 */
import { rateLabel } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { listFormat, listRange, ownTimecodes } from '../../timeline/list-frames.ts'
import { ExportRefused } from '../../timeline/refused.ts'
import { markerLabel } from '../../timeline/timeline.ts'
import type { Item, Marker, Source, Timeline } from '../../timeline/timeline.ts'
import { expectSame, placeMeant } from '../compare.ts'
import { markerColors } from '../marker-colors.ts'
import type { ExportInput, Format } from '../format.ts'
import { readEdl } from './read.ts'
import { countedTimecode, sourceTimecodes } from './times.ts'

export const edl: Format = {
  write: writeEdl,
  check: checkEdl,
}

const eventsPerPart = 999
const maximumChannels = 4

function writeEdl({ timeline, options: { edl_part: part } }: ExportInput): string {
  const all = eventsOf(timeline)
  const parts = Math.max(1, Math.ceil(all.length / eventsPerPart))
  if (part !== undefined && part > parts) {
    throw new ExportRefused(`This list has ${parts} part${parts === 1 ? '' : 's'}.`)
  }
  const from = ((part ?? 1) - 1) * eventsPerPart
  const events = part === undefined ? all : all.slice(from, from + eventsPerPart)
  const width = Math.max(3, String(events.length).length)
  const markers = Map.groupBy(timeline.markers, (marker) => marker.item)
  let mode = modeLine(timeline.format)
  const lines = [`TITLE: ${timeline.title}`, mode, '']
  events.forEach((event, index) => {
    const own = modeLine(listFormat(event.item.source, timeline.format))
    if (own !== mode) lines.push(own)
    mode = own
    const number = String(index + 1).padStart(width, '0')
    lines.push(...eventLines(event, timeline).map((line) => `${number}  ${line}`))
    lines.push(...eventNotes(event, timeline, markers.get(event.index) ?? []))
    // OpenTimelineIO refuses a comment before the first event.
    if (index === 0) lines.push(...listNotes(timeline, events.length).map((note) => `* ${note}`))
  })
  return `${lines.join('\r\n')}\r\n`
}

/** The first stands for the timeline, one before an event for its source. */
function modeLine({ dropFrame }: TimecodeFormat): string {
  return `FCM: ${dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`
}

interface EdlEvent {
  channel: 'V' | 'B' | 'AA/V' | 'A' | 'AA'
  item: Item
  index: number
  sourceIn: number
  recordIn: number
  frames: number
}

function eventsOf({ tracks }: Timeline): EdlEvent[] {
  const { items } = tracks[0]!
  return items.flatMap((item, index): EdlEvent[] => {
    const { source, transition, sourceIn, recordIn, recordOut } = item
    const next = items[index + 1]?.transition
    const sound = source.channels === 1 ? 'A' : 'AA'
    // An event starts at its own transition and ends at the next event's start.
    const early = transition ? transition.cut - transition.start : 0
    const short = next ? next.cut - next.start : 0
    const heard = { item, index, sourceIn, recordIn, frames: recordOut - recordIn }
    const seen = {
      ...heard,
      sourceIn: sourceIn - early,
      recordIn: recordIn - early,
      frames: heard.frames + early - short,
    }
    if (!source.hasVideo) return [{ channel: sound, ...heard }]
    if (source.channels === 0) return [{ channel: 'V', ...seen }]
    if (!transition && !next) return [{ channel: sound === 'A' ? 'B' : 'AA/V', ...heard }]
    return [
      { channel: 'V', ...seen },
      { channel: sound, ...heard },
    ]
  })
}

function eventLines(event: EdlEvent, timeline: Timeline): string[] {
  const { transition } = event.item
  if (event.channel !== 'V' || !transition) return [line('C', '', event, timeline)]
  const before = timeline.tracks[0]!.items[event.index - 1]!
  const sourceIn = before.sourceOut - (transition.cut - transition.start)
  const leaving = { ...event, item: before, sourceIn, frames: 0 }
  const frames = String(transition.end - transition.start).padStart(3, '0')
  const effect = transition.type === 'wipe' ? 'W001' : 'D'
  return [line('C', '', leaving, timeline), line(effect, frames, event, timeline)]
}

function line(effect: string, length: string, event: EdlEvent, timeline: Timeline): string {
  const { format } = timeline
  const { recordIn, frames } = event
  const { source } = event.item
  const times = [
    ...sourceTimecodes(...listRange(source, event, format), listFormat(source, format)),
    recordTimecode(timeline, recordIn),
    recordTimecode(timeline, recordIn + frames),
  ]
  return `${source.reel.padEnd(8)} ${event.channel.padEnd(5)} ${effect.padEnd(5)}${length.padStart(3)} ${times.join(' ')}`
}

function recordTimecode({ format, recordStart }: Timeline, frame: number): string {
  return countedTimecode((recordStart % format.framesPerDay) + frame, format)
}

const effectNames = { dissolve: 'CROSS DISSOLVE', fade: 'FADE', wipe: 'WIPE' } as const

function eventNotes(event: EdlEvent, timeline: Timeline, markers: readonly Marker[]): string[] {
  const { item, channel } = event
  const { source, transition } = item
  const more = ['3', '4'].slice(0, Math.max(0, source.channels - 2))
  const notes = channel !== 'V' && more.length > 0 ? [`AUD  ${more.join('    ')}`] : []
  notes.push(`* FROM CLIP NAME: ${source.name}`)
  if (channel === 'V' && transition) {
    notes.push(`* TO CLIP NAME: ${source.name}`, `* EFFECT NAME: ${effectNames[transition.type]}`)
    const edit = recordTimecode(timeline, transition.cut)
    notes.push(`* EDIT POINT: ${edit}, THE MIDDLE OF THE EFFECT`)
  }
  if (source.hasVideo && (channel === 'A' || channel === 'AA')) return notes
  if (source.contentId !== null) notes.push(`* SOURCE FILE: ${source.path}`)
  if (item.name !== source.name) notes.push(`* COMMENT: ${item.name}`)
  if (item.note) notes.push(`* NOTE: ${item.note}`)
  if (source.conformed) {
    const rate = rateLabel(source.grid.format.rate)
    notes.push(`* SOURCE AT ${rate} FPS, PLACED BY TIME: ${ownTimecodes(item).join(' - ')}`)
  }
  for (const marker of markers) {
    const color = markerColors[marker.kind].avid.toUpperCase().padEnd(7)
    notes.push(`* LOC: ${recordTimecode(timeline, marker.start)} ${color} ${markerLabel(marker)}`)
  }
  return notes
}

function listNotes({ format, sources, notes }: Timeline, events: number): string[] {
  const lines = [`FRAME RATE: ${rateLabel(format.rate)}`, ...notes]
  const [source, another] = sources
  if (!another && source!.channels > maximumChannels) {
    lines.push(`${source!.channels} AUDIO CHANNELS IN THE SOURCE, THE FIRST 4 LISTED`)
  }
  if (events > eventsPerPart) {
    lines.push(`${events} EVENTS, MORE THAN THE 999 OF CMX3600: ALSO AVAILABLE IN PARTS`)
  }
  return lines
}

function checkEdl(body: string, { timeline }: ExportInput): void {
  const { format } = timeline
  const { items } = timeline.tracks[0]!
  const meant = (item: Item) => {
    const { source, recordIn, recordOut } = item
    const day = listFormat(source, format).framesPerDay
    const [start, end] = listRange(source, { ...item, frames: recordOut - recordIn }, format)
    return {
      ...placeMeant(item),
      reel: source.reel,
      sourceIn: start % day,
      sourceFrames: end - start,
    }
  }
  const heard = (source: Source): boolean => source.channels > 0
  expectSame('the list', readEdl(body, timeline), {
    dropFrame: format.dropFrame,
    video: items.filter(({ source }) => source.hasVideo).map(meant),
    sound: items
      .filter(({ source }) => heard(source))
      .map((item) => ({
        ...meant({ ...item, transition: null }),
        channels: Math.min(maximumChannels, item.source.channels),
      })),
  })
}
