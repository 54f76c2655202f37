/** Reads an xmeml sequence back; beside a transition the clip's edge is where the clips meet. */
import { isNtsc, parseTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ReadMarker } from '../compare.ts'
import { attribute, child, childrenOf, descendants, integer, readXml } from '../xml/tree.ts'
import type { Tree } from '../xml/tree.ts'

/** Reads a sequence; files and clips count at their source's rate, which the timeline knows. */
export function readXmeml(body: string, { format, sources }: Timeline) {
  const sequence = child(readXml(body, 'xmeml'), 'sequence')
  const media = child(sequence, 'media')
  const whole = descendants(media, 'file').filter((file) => file.children.length > 0)
  const empty = body.match(/<file id="[^"]*"><\/file>/g) ?? []
  expectEqual('the number of files without a description', empty.length, 0)
  const formatOf = (file: Tree): TimecodeFormat => {
    const number = Number(/^file-(\d+)$/.exec(attribute(file, 'id'))?.[1])
    return sources[number - 1]?.grid.format ?? fail(`there is no source ${number}`)
  }
  const ids = whole.map((file) => attribute(file, 'id')).toSorted(byNumber)
  readRate(child(sequence, 'rate'), format)
  const start = readTimecode(child(sequence, 'timecode'), format)
  const tracks = (['video', 'audio'] as const).flatMap((kind) =>
    childrenOf(media, kind).flatMap((tree) =>
      childrenOf(tree, 'track').map((track) => ({ kind, ...readTrack(track, { formatOf, ids }) })),
    ),
  )
  return {
    frames: integer(sequence, 'duration'),
    recordStart: start.frame,
    dropFrame: start.dropFrame,
    files: ids.map((id) => {
      const file = whole.find((tree) => attribute(tree, 'id') === id)!
      readRate(child(file, 'rate'), formatOf(file))
      const { frame, dropFrame } = readTimecode(child(file, 'timecode'), formatOf(file))
      return { url: child(file, 'pathurl').text, start: frame, dropFrame }
    }),
    tracks,
    markers: [...childrenOf(sequence, 'marker').map(readMarker), ...(tracks[0]?.markers ?? [])],
  }
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(5)) - Number(b.slice(5))
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

function readTrack(
  track: Tree,
  { formatOf, ids }: { formatOf: (file: Tree) => TimecodeFormat; ids: readonly string[] },
) {
  const parts = track.children.filter((item) => /^(?:clip|transition)item$/.test(item.name))
  const items = parts.flatMap((item, index) => {
    if (item.name === 'transitionitem') return []
    const before = readTransition(parts[index - 1])
    const after = readTransition(parts[index + 1])
    const [start, end] = [integer(item, 'start'), integer(item, 'end')]
    if ((start === -1) !== (before !== null)) fail('a start of -1 without a transition')
    if ((end === -1) !== (after !== null)) fail('an end of -1 without a transition')
    const file = child(item, 'file')
    readRate(child(item, 'rate'), formatOf(file))
    return [
      {
        file: ids.indexOf(attribute(file, 'id')),
        sourceIn: integer(item, 'in') + (before ? before.cut - before.start : 0),
        sourceOut: integer(item, 'out') - (after ? after.end - after.cut : 0),
        recordIn: before ? before.cut : start,
        recordOut: after ? after.cut : end,
        transition: before && { start: before.start, end: before.end },
        speed: readSpeed(item),
      },
    ]
  })
  const markers = parts.flatMap((item) => childrenOf(item, 'marker').map(readMarker))
  return { items, markers }
}

function readTransition(item: Tree | undefined) {
  if (item?.name !== 'transitionitem') return null
  const [start, end] = [integer(item, 'start'), integer(item, 'end')]
  return { start, end, cut: start + Math.floor((end - start) / 2) }
}

/** Reads the speed, which is written in percent. */
function readSpeed(item: Tree): string {
  const speed = childrenOf(item, 'filter')
    .flatMap((filter) => descendants(filter, 'parameter'))
    .find((parameter) => child(parameter, 'parameterid').text === 'speed')
  return speed ? child(speed, 'value').text : '100.00000'
}
