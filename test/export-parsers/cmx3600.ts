/**
 * CMX3600 as strict readers take it (OpenTimelineIO's is one): a title, the frame code mode, then
 * events, each with the comments behind it. Nothing stands before the first event; an event is as
 * long in its source as on the timeline, never negative, and never before the one ahead of it.
 */

interface TrackClip {
  name: string
  sourceIn: number
  frames: number
  recordIn: number
}

const tracksOfChannel: Record<string, string[]> = {
  A: ['A1'],
  AA: ['A1', 'A2'],
  B: ['V', 'A1'],
  'AA/V': ['V', 'A1', 'A2'],
}

/** `nominal`: the frames that its timecode counts to a second. */
export function readStrictEdl(text: string, nominal: number): Map<string, TrackClip[]> {
  const tracks = new Map<string, TrackClip[]>()
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  while (lines.length > 0) {
    const line = lines.shift()!
    if (line.startsWith('TITLE:') || line.startsWith('FCM')) continue
    if (!/^\d/.test(line)) throw new Error(`Unknown event type: ${line}`)
    const number = /^\d+/.exec(line)![0]
    const comments: string[] = []
    let effect: string | null = null
    while (lines.length > 0) {
      const next = /^\d+/.exec(lines[0]!)?.[0]
      if (next !== undefined && next !== number) break
      if (next === undefined) comments.push(lines.shift()!)
      else if (effect) throw new Error(`Two transitions: ${lines[0]}`)
      else effect = lines.shift()!
    }
    addEvent(tracks, { line, effect, comments, nominal })
  }
  return tracks
}

function addEvent(
  tracks: Map<string, TrackClip[]>,
  event: { line: string; effect: string | null; comments: string[]; nominal: number },
): void {
  const { line, effect, comments, nominal } = event
  const cut = line.split(/\s+/)
  if (cut.length !== 8 || cut[3] !== 'C') throw new Error(`No event: ${line}`)
  const words = effect ? effect.split(/\s+/) : cut
  if (effect && (words.length !== 9 || !/^(?:D|W\d{3})$/.test(words[3]!))) {
    throw new Error(`No transition: ${effect}`)
  }
  const [sourceIn, sourceOut, recordIn, recordOut] = words
    .slice(-4)
    .map((timecode) => countFrames(timecode, nominal)) as [number, number, number, number]
  const frames = sourceOut - sourceIn
  if (frames < 0) throw new Error(`A negative event: ${words.join(' ')}`)
  if (frames !== recordOut - recordIn) throw new Error(`Two lengths: ${words.join(' ')}`)
  const name = comments.find((comment) => comment.startsWith('* FROM CLIP NAME:'))
  const channel = words[2]!
  for (const track of tracksOfChannel[channel] ?? [channel]) {
    const clips = tracks.get(track) ?? []
    tracks.set(track, clips)
    const last = clips.at(-1)
    if (last && recordIn < last.recordIn + last.frames) throw new Error(`Overlapping: ${line}`)
    if (effect && !last) throw new Error(`A transition at the very beginning: ${effect}`)
    clips.push({ name: name?.slice(17).trim() ?? '', sourceIn, frames, recordIn })
  }
}

function countFrames(timecode: string, nominal: number): number {
  const match = /^(\d\d):(\d\d):(\d\d)([:;])(\d{2,3})$/.exec(timecode)
  if (!match) throw new Error(`No timecode: ${timecode}`)
  const [hours, minutes, seconds] = match.slice(1, 4).map(Number) as [number, number, number]
  const frame = Number(match[5])
  if (minutes > 59 || seconds > 59 || frame >= nominal) throw new Error(`No timecode: ${timecode}`)
  const total = hours * 60 + minutes
  const dropped = match[4] === ';' ? (nominal / 15) * (total - Math.floor(total / 10)) : 0
  return (total * 60 + seconds) * nominal + frame - dropped
}
