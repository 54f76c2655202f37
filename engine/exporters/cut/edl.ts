/**
 * A cut as CMX3600: an event for each clip, a reel for each source, its whole name as a comment. A
 * source of another rate is placed by time; its own timecode stands in a comment. There are no
 * speed changes, so no `M2`.
 */
import type { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { rateLabel } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import { countedTimecode, parseCountedTimecode, sourceTimecodes } from '../edl/times.ts'
import { ExportRefused } from '../refused.ts'
import { listFormat, listRange, ownTimecodes } from './timeline.ts'
import type { CutClip, CutTimeline, TrackSource } from './timeline.ts'

const eventsPerPart = 999

export function makeCutEdl(timeline: CutTimeline, options: CutExportOptions): string {
  const parts = Math.ceil(timeline.clips.length / eventsPerPart)
  const part = options.edl_part
  if (part !== undefined && part > parts) {
    throw new ExportRefused(`This list has ${parts} part${parts === 1 ? '' : 's'}.`)
  }
  const whole = write(timeline, timeline.clips)
  checkCutEdl(whole, timeline)
  if (part === undefined) return whole
  const from = (part - 1) * eventsPerPart
  return write(timeline, timeline.clips.slice(from, from + eventsPerPart))
}

function write(timeline: CutTimeline, clips: readonly CutClip[]): string {
  const { format, title } = timeline
  const width = Math.max(3, String(clips.length).length)
  let mode = modeLine(format)
  const lines = [`TITLE: ${title}`, mode, '']
  clips.forEach((clip, index) => {
    const number = String(index + 1).padStart(width, '0')
    const own = modeLine(listFormat(clip.source, format))
    if (own !== mode) lines.push(own)
    mode = own
    lines.push(`${number}  ${eventLine(clip, timeline)}`, ...notesOf(clip, timeline))
    // OpenTimelineIO refuses a comment before the first event.
    if (index === 0) lines.push(...listNotes(timeline, clips.length))
  })
  return `${lines.join('\r\n')}\r\n`
}

function listNotes({ format, notes }: CutTimeline, events: number): string[] {
  const lines = [`FRAME RATE: ${rateLabel(format.rate)}`, ...notes]
  if (events > eventsPerPart) {
    lines.push(`${events} EVENTS, MORE THAN THE 999 OF CMX3600: ALSO AVAILABLE IN PARTS`)
  }
  return lines.map((line) => `* ${line}`)
}

/** The first stands for the timeline, one before an event for its source. */
function modeLine({ dropFrame }: TimecodeFormat): string {
  return `FCM: ${dropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'}`
}

function eventLine(clip: CutClip, timeline: CutTimeline): string {
  const { format } = timeline
  const times = [
    ...sourceTimecodes(...listRange(clip, format), listFormat(clip.source, format)),
    recordTimecode(timeline, clip.recordIn),
    recordTimecode(timeline, clip.recordOut),
  ]
  return `${clip.source.reel.padEnd(8)} ${channelOf(clip.source).padEnd(5)} C        ${times.join(' ')}`
}

function recordTimecode({ format, recordStart }: CutTimeline, frame: number): string {
  return countedTimecode((recordStart % format.framesPerDay) + frame, format)
}

function channelOf({ hasVideo, channels }: TrackSource): string {
  if (channels === 0) return 'V'
  const sound = channels === 1 ? 'A' : 'AA'
  return hasVideo ? (sound === 'A' ? 'B' : 'AA/V') : sound
}

function notesOf(clip: CutClip, timeline: CutTimeline): string[] {
  const { source } = clip
  const more = source.channels > 3 ? '3    4' : '3'
  const notes = source.channels > 2 ? [`AUD  ${more}`] : []
  notes.push(`* FROM CLIP NAME: ${source.name}`, `* SOURCE FILE: ${source.path}`)
  if (clip.name !== source.name) notes.push(`* COMMENT: ${clip.name}`)
  if (clip.note) notes.push(`* NOTE: ${clip.note}`)
  if (source.conformed) {
    const rate = rateLabel(source.grid.format.rate)
    notes.push(`* SOURCE AT ${rate} FPS, PLACED BY TIME: ${ownTimecodes(clip).join(' - ')}`)
  }
  for (const marker of timeline.markers) {
    if (marker.at < clip.recordIn || marker.at >= clip.recordOut) continue
    const at = recordTimecode(timeline, marker.at)
    notes.push(`* LOC: ${at} YELLOW  ${marker.name}: ${marker.text}`)
  }
  return notes
}

const pattern = /^(\d{3,6}) {2}(\S+) +(V|B|AA\/V|A|AA) +C {8}(\S+) (\S+) (\S+) (\S+)$/

export function checkCutEdl(body: string, timeline: CutTimeline): void {
  const { format, recordStart } = timeline
  const lines = body.split('\r\n')
  const events: { line: string; mode: string }[] = []
  let mode = ''
  for (const line of lines) {
    if (line.startsWith('FCM: ')) mode = line
    else if (/^\d/.test(line)) events.push({ line, mode })
  }
  expectEqual('the mode', lines[1], modeLine(format))
  expectEqual('the number of events', events.length, timeline.clips.length)
  events.forEach(({ line, mode: read }, index) => {
    const clip = timeline.clips[index]!
    const [, , reel, channel, sourceIn, sourceOut, recordIn, recordOut] =
      pattern.exec(line) ?? fail(`this is no event: ${line}`)
    const own = listFormat(clip.source, format)
    const [start, end] = listRange(clip, format)
    const compareTime = (what: string, text: string, frame: number, of: TimecodeFormat): void =>
      expectEqual(
        `event ${index + 1}: ${what}`,
        parse(text, of) % of.framesPerDay,
        frame % of.framesPerDay,
      )
    expectEqual(`event ${index + 1}: reel`, reel, clip.source.reel)
    expectEqual(`event ${index + 1}: channel`, channel, channelOf(clip.source))
    expectEqual(`event ${index + 1}: mode`, read, modeLine(own))
    compareTime('source in', sourceIn!, start, own)
    compareTime('source out', sourceOut!, end, own)
    compareTime('record in', recordIn!, recordStart + clip.recordIn, format)
    compareTime('record out', recordOut!, recordStart + clip.recordOut, format)
  })
}

function parse(text: string, format: TimecodeFormat): number {
  if (text.includes(';') !== format.dropFrame) fail(`${text} has the wrong separator`)
  return parseCountedTimecode(text, format) ?? fail(`there is no timecode ${text}`)
}
