/** CMX3600 by its columns; timecodes are counted by the smpte-timecode package. */
import SmpteTimecode from 'smpte-timecode'
import type { Edit, ParsedTimeline } from './edit.ts'

interface Event {
  number: string
  reel: string
  channels: string
  effect: string
  length: number
  sourceIn: string
  sourceOut: string
  recordIn: string
  recordOut: string
  moreChannels: string[]
  comments: string[]
}

export interface ParsedEdl extends ParsedTimeline {
  title: string
  events: Event[]
}

export function parseEdl(text: string, fps: number): ParsedEdl {
  const events: Event[] = []
  let title = ''
  let dropFrame: boolean | null = null
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim().split(/\s+/)
    if (line.startsWith('TITLE:')) title = line.slice(6).trim()
    else if (line.startsWith('FCM:')) dropFrame = line.slice(4).trim() === 'DROP FRAME'
    else if (/^\d+\s/.test(line)) events.push(eventOf(words))
    else if (words[0] === 'AUD') events.at(-1)!.moreChannels.push(...words.slice(1))
    else if (line.startsWith('*')) events.at(-1)?.comments.push(line.slice(1).trim())
    else if (line.trim() !== '') throw new Error(`Unknown line: ${line}`)
  }
  if (dropFrame === null) throw new Error('No frame code mode')
  return { title, events, ...timelineOf(events, counter(fps, dropFrame)), dropFrame, markers: [] }
}

function eventOf(words: string[]): Event {
  const [number = '', reel = '', channels = '', effect = ''] = words
  const [sourceIn = '', sourceOut = '', recordIn = '', recordOut = ''] = words.slice(-4)
  const length = words.length === 9 ? Number(words[4]) : 0
  return {
    ...{ number, reel, channels, effect, length, sourceIn, sourceOut, recordIn, recordOut },
    moreChannels: [],
    comments: [],
  }
}

interface Counter {
  count(timecode: string): number
  day: number
}

function counter(fps: number, dropFrame: boolean): Counter {
  const last = `23:59:59${dropFrame ? ';' : ':'}${Math.round(fps) - 1}`
  const count = (timecode: string): number => {
    if (timecode.includes(';') !== dropFrame) throw new Error(`Wrong separator: ${timecode}`)
    // Out points and the timeline count on after midnight.
    const name = timecode.replace(/^\d\d/, (hours) => String(Number(hours) % 24).padStart(2, '0'))
    return new SmpteTimecode(name, fps, dropFrame).frameCount
  }
  return { count, day: count(last) + 1 }
}

function timelineOf(events: Event[], time: Counter) {
  const first = events[0]!
  const sourceStart = time.count(first.sourceIn)
  const recordStart = time.count(first.recordIn)
  const since = (timecode: string, start: number): number =>
    (time.count(timecode) - start + time.day) % time.day
  const editOf = (event: Event): Edit => ({
    sourceIn: since(event.sourceIn, sourceStart),
    sourceOut: since(event.sourceOut, sourceStart),
    recordIn: since(event.recordIn, recordStart),
    recordOut: since(event.recordOut, recordStart),
  })
  const seen = events.filter((event) => /^(?:V|B|AA\/V)$/.test(event.channels))
  // The first line of a transition leaves the outgoing clip and has no length of its own.
  const shown = seen.filter((event) => event.recordIn !== event.recordOut)
  const video = shown.map(editOf)
  const transitions: [number, number][] = []
  shown.forEach((event, index) => {
    if (event.effect === 'C') return
    const { recordIn } = video[index]!
    transitions.push([recordIn, recordIn + event.length])
    // The outgoing clip runs on below the transition.
    video[index - 1]!.recordOut += event.length
    video[index - 1]!.sourceOut += event.length
  })
  const heard = events.filter((event) => event.channels !== 'V')
  const channels = heard[0] ? channelCount(heard[0]) : 0
  const sound = Array.from({ length: channels }, () => heard.map(editOf))
  return { sourceStart, recordStart, video, transitions, sound }
}

function channelCount(event: Event): number {
  return (event.channels.startsWith('AA') ? 2 : 1) + event.moreChannels.length
}
