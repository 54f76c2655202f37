/** Reads a CMX3600 list back into clips; each source counts as the timeline knows. */
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { listFormat } from '../../timeline/list-frames.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { expectEqual, fail } from '../compare.ts'
import { parseCountedTimecode } from './times.ts'

interface Row {
  number: number
  reel: string
  channel: string
  /** Sound channels of the event. */
  channels: number
  effect: string
  effectFrames: number
  sourceIn: number
  sourceFrames: number
  recordIn: number
  recordOut: number
  /** Timecodes of its source count from here again at midnight. */
  day: number
}

const eventLine =
  /^(\d{3,6}) {2}(\S+) +(V|B|AA\/V|A|AA) +(C|D|W\d{3}) +(?:(\d{3,}) )?(\S+) (\S+) (\S+) (\S+)$/

const channelCounts: Record<string, number> = { V: 0, B: 1, A: 1, AA: 2, 'AA/V': 2 }

export function readEdl(body: string, timeline: Timeline) {
  const { format } = timeline
  const lines = body.split('\r\n')
  if (!lines[0]?.startsWith('TITLE: ')) fail('the first line is no title')
  const dropFrame = isDropFrame(lines[1] ?? '')
  const formats = new Map(
    timeline.sources.map((source) => [source.reel, listFormat(source, format)]),
  )
  const rows: Row[] = []
  let mode = dropFrame
  for (const line of lines) {
    if (line.startsWith('FCM: ')) mode = isDropFrame(line)
    else if (/^\d/.test(line)) rows.push(readRow(line, { format, formats, mode }))
    else if (line.startsWith('AUD ')) rows.at(-1)!.channels += line.split(/ +/).length - 1
  }
  const start = timeline.recordStart % format.framesPerDay
  for (const row of rows) {
    row.recordIn -= start
    row.recordOut -= start
  }
  return {
    dropFrame,
    video: readVideo(rows.filter(({ channel }) => channel.includes('V') || channel === 'B')),
    sound: rows.filter((row) => row.channels > 0).map((row) => ({ ...row, transition: null })),
  }
}

function isDropFrame(line: string): boolean {
  const mode = /^FCM: (NON-)?DROP FRAME$/.exec(line)
  return mode ? mode[1] === undefined : fail(`the mode is ${line}`)
}

function readRow(
  line: string,
  {
    format,
    formats,
    mode,
  }: { format: TimecodeFormat; formats: ReadonlyMap<string, TimecodeFormat>; mode: boolean },
): Row {
  const match = eventLine.exec(line.trimEnd()) ?? fail(`this is no event: ${line}`)
  const [, number, reel, channel, effect, effectFrames, ...times] = match
  const own = formats.get(reel!) ?? fail(`there is no reel ${reel}`)
  expectEqual('the mode of a source', mode, own.dropFrame)
  const [sourceIn, sourceOut] = times.slice(0, 2).map((text) => readTime(text, own))
  const [recordIn, recordOut] = times.slice(2).map((text) => readTime(text, format))
  return {
    number: Number(number),
    reel: reel!,
    channel: channel!,
    channels: channelCounts[channel!]!,
    effect: effect!,
    effectFrames: Number(effectFrames ?? 0),
    sourceIn: sourceIn!,
    sourceFrames: sourceOut! - sourceIn!,
    recordIn: recordIn!,
    recordOut: recordOut!,
    day: own.framesPerDay,
  }
}

function readTime(text: string, format: TimecodeFormat): number {
  if (text.includes(';') !== format.dropFrame) fail(`${text} has the wrong separator`)
  return parseCountedTimecode(text, format) ?? fail(`there is no timecode ${text}`)
}

type ReadItem = Pick<Row, 'reel' | 'sourceIn' | 'sourceFrames' | 'recordIn' | 'recordOut'> & {
  transition: { start: number; end: number } | null
}

function readVideo(rows: readonly Row[]): ReadItem[] {
  const items: ReadItem[] = []
  rows.forEach((row, index) => {
    const before = items.at(-1)
    const next = rows[index + 1]
    if (next?.number === row.number && next.effect !== 'C') {
      if (row.recordIn !== row.recordOut) fail(`event ${row.number} leaves with a length`)
      const left = before && (before.sourceIn + before.sourceFrames) % row.day
      expectEqual(`event ${row.number}: the frame that it leaves`, row.sourceIn, left)
      return
    }
    const half = Math.floor(row.effectFrames / 2)
    const { recordIn, effectFrames } = row
    if (row.effect !== 'C') {
      if (!before) fail('the list starts with a transition')
      before.sourceFrames += half
      before.recordOut += half
    }
    items.push({
      ...row,
      sourceIn: (row.sourceIn + half) % row.day,
      sourceFrames: row.sourceFrames - half,
      recordIn: recordIn + half,
      transition: row.effect === 'C' ? null : { start: recordIn, end: recordIn + effectFrames },
    })
  })
  return items
}
