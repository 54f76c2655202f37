/** Reads a CMX3600 list back into clips. */
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { fail } from '../compare.ts'
import type { ReadClip, ReadTimeline } from '../compare.ts'
import { parseCountedTimecode } from './times.ts'

interface Row {
  number: number
  channel: string
  /** Sound channels that the event carries. */
  channels: number
  effect: string
  frames: number
  times: [number, number, number, number]
}

const eventLine =
  /^(\d{3,6}) {2}(\S+) +(V|B|AA\/V|A|AA) +(C|D|W\d{3}) +(?:(\d{3,}) )?((?:\d\d:\d\d:\d\d[:;]\d{2,3} ?){4})$/

const channelCounts: Record<string, number> = { V: 0, B: 1, A: 1, AA: 2, 'AA/V': 2 }

/** Source frames count from `sourceStart`, timeline frames from `recordStart`. */
export function readEdl(
  body: string,
  format: TimecodeFormat,
  starts: { sourceStart: number; recordStart: number },
): ReadTimeline {
  const lines = body.split('\r\n')
  if (!lines[0]?.startsWith('TITLE: ')) fail('the first line is no title')
  const mode = lines[1]
  if (mode !== 'FCM: DROP FRAME' && mode !== 'FCM: NON-DROP FRAME') fail(`the mode is ${mode}`)
  const rows: Row[] = []
  for (const line of lines) {
    if (/^\d/.test(line)) rows.push(readRow(line, format))
    else if (line.startsWith('AUD ')) rows.at(-1)!.channels += line.split(/ +/).length - 1
  }
  const heard = rows.filter((row) => row.channels > 0)
  if (heard.some((row) => row.channels !== heard[0]!.channels)) fail('the channels change')
  const day = format.framesPerDay
  const from = { source: starts.sourceStart % day, record: starts.recordStart % day, day }
  return {
    recordStart: from.record,
    sourceStart: null,
    dropFrame: mode === 'FCM: DROP FRAME',
    picture: readPicture(
      rows.filter((row) => row.channel.includes('V') || row.channel === 'B'),
      from,
    ),
    sound: Array.from({ length: heard[0]?.channels ?? 0 }, () =>
      heard.map((row) => ({ ...ranges(row, from), transition: null })),
    ),
    markers: null,
  }
}

function readRow(line: string, format: TimecodeFormat): Row {
  const match = eventLine.exec(line.trimEnd())
  if (!match) fail(`this is no event: ${line}`)
  const times = match[6]!
    .trim()
    .split(' ')
    .map((text) => {
      if (text.includes(';') !== format.dropFrame) fail(`${text} has the wrong separator`)
      return parseCountedTimecode(text, format) ?? fail(`there is no timecode ${text}`)
    })
  return {
    number: Number(match[1]),
    channel: match[3]!,
    channels: channelCounts[match[3]!]!,
    effect: match[4]!,
    frames: Number(match[5] ?? 0),
    times: times as Row['times'],
  }
}

interface Origin {
  source: number
  record: number
  day: number
}

/** Names of the source wrap at 24 h: what lies before the start belongs to the next day. */
function ranges(row: Row, from: Origin) {
  const [sourceIn, sourceOut, recordIn, recordOut] = row.times
  const since = (frame: number, start: number) => (frame - start + from.day) % from.day
  return {
    sourceIn: since(sourceIn, from.source),
    sourceOut: since(sourceOut, from.source),
    recordIn: since(recordIn, from.record),
    recordOut: since(recordOut, from.record),
  }
}

function readPicture(rows: Row[], from: Origin): ReadClip[] {
  const clips: ReadClip[] = []
  rows.forEach((row, index) => {
    const range = ranges(row, from)
    const next = rows[index + 1]
    const leaves = next?.number === row.number && next.effect !== 'C'
    const before = clips.at(-1)
    if (leaves) {
      if (range.recordIn !== range.recordOut) fail(`event ${row.number} leaves with a length`)
      if (range.sourceIn !== before?.sourceOut) fail(`event ${row.number} leaves another frame`)
      return
    }
    if (row.effect === 'C') {
      clips.push({ ...range, transition: null })
      return
    }
    const half = Math.floor(row.frames / 2)
    if (!before) fail('the list starts with a transition')
    before.sourceOut += half
    before.recordOut += half
    clips.push({
      ...range,
      sourceIn: range.sourceIn + half,
      recordIn: range.recordIn + half,
      transition: { start: range.recordIn, end: range.recordIn + row.frames },
    })
  })
  return clips
}
