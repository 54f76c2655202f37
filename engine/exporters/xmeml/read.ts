/** Reads an xmeml sequence back; beside a transition the clip's edge is where the pictures meet. */
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { isNtsc, parseTimecode } from '../../../domain/time/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ReadClip, ReadMarker, ReadTimeline } from '../compare.ts'
import { child, childrenOf, integer, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'

export function readXmeml(body: string, format: TimecodeFormat): ReadTimeline {
  const sequence = child(readXml(body, 'xmeml'), 'sequence')
  const media = child(sequence, 'media')
  const files = body.match(/<file id="file-1">/g) ?? []
  expectEqual('the number of whole file descriptions', files.length, 1)
  const video = childrenOf(media, 'video')[0]
  const audio = childrenOf(media, 'audio')[0]
  const picture = video ? readTrack(child(video, 'track'), format) : []
  const sound = audio ? childrenOf(audio, 'track').map((track) => readTrack(track, format)) : []
  const last = (picture.at(-1) ?? sound[0]?.at(-1))?.recordOut
  expectEqual('the length of the sequence', integer(sequence, 'duration'), last)
  const file = findFile(media) ?? fail('there is no file')
  readRate(child(sequence, 'rate'), format)
  readRate(child(file, 'rate'), format)
  const start = readTimecode(child(sequence, 'timecode'), format)
  return {
    recordStart: start.frame,
    sourceStart: readTimecode(child(file, 'timecode'), format).frame,
    dropFrame: start.dropFrame,
    picture,
    sound,
    markers: childrenOf(sequence, 'marker').map(readMarker),
  }
}

export function readClipMarkers(body: string): ReadMarker[] {
  const media = child(child(readXml(body, 'xmeml'), 'sequence'), 'media')
  const kind = childrenOf(media, 'video')[0] ?? child(media, 'audio')
  return childrenOf(child(kind, 'track'), 'clipitem').flatMap((clip) =>
    childrenOf(clip, 'marker').map(readMarker),
  )
}

function readMarker(marker: Tree): ReadMarker {
  const [start, end] = [integer(marker, 'in'), integer(marker, 'out')]
  return { start, frames: end === -1 ? 1 : end - start, name: child(marker, 'name').text }
}

function readTimecode(timecode: Tree, format: TimecodeFormat) {
  readRate(child(timecode, 'rate'), format)
  const frame = integer(timecode, 'frame')
  expectEqual('the timecode', parseTimecode(child(timecode, 'string').text, format), frame)
  return { frame, dropFrame: child(timecode, 'displayformat').text === 'DF' }
}

function readRate(rate: Tree, format: TimecodeFormat): void {
  expectEqual('the time base', integer(rate, 'timebase'), format.nominal)
  expectEqual('ntsc', child(rate, 'ntsc').text, isNtsc(format.rate) ? 'TRUE' : 'FALSE')
}

function readTrack(track: Tree, format: TimecodeFormat): ReadClip[] {
  const items = track.children.filter((item) => /^(?:clip|transition)item$/.test(item.name))
  return items.flatMap((item, index) => {
    readRate(child(item, 'rate'), format)
    if (item.name === 'transitionitem') return []
    const before = readTransition(items[index - 1])
    const after = readTransition(items[index + 1])
    const [start, end] = [integer(item, 'start'), integer(item, 'end')]
    if ((start === -1) !== (before !== null)) fail('a start of -1 without a transition')
    if ((end === -1) !== (after !== null)) fail('an end of -1 without a transition')
    return [
      {
        sourceIn: integer(item, 'in') + (before ? before.cut - before.start : 0),
        sourceOut: integer(item, 'out') - (after ? after.end - after.cut : 0),
        recordIn: before ? before.cut : start,
        recordOut: after ? after.cut : end,
        transition: before && { start: before.start, end: before.end },
      },
    ]
  })
}

function readTransition(item: Tree | undefined) {
  if (item?.name !== 'transitionitem') return null
  const [start, end] = [integer(item, 'start'), integer(item, 'end')]
  return { start, end, cut: start + Math.floor((end - start) / 2) }
}

function findFile(tree: Tree): Tree | undefined {
  for (const one of tree.children) {
    if (one.name === 'file' && one.children.length > 0) return one
    const inside = findFile(one)
    if (inside) return inside
  }
  return undefined
}
