/** FCPXML by Apple's reference: rational seconds, storyline order, transitions over the cut. */
import type { Edit, ParsedTimeline } from './edit.ts'
import { grammarFaults, only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface ParsedFcpxml extends ParsedTimeline {
  root: XmlTree
  source: string
}

export function parseFcpxml(text: string): ParsedFcpxml {
  const root = parseXml(text)
  const sequence = only(root, 'library', 'event', 'project', 'sequence')
  const format = resource(root, sequence.attributes['format'])
  const frames = counter(format)
  const spine = only(sequence, 'spine').children
  const asset = resource(root, spine.find((item) => item.name === 'asset-clip')?.attributes['ref'])
  const recordStart = frames(sequence.attributes['tcStart']!)
  // Of a rate that counts as many frames to the second, each frame of the source is one here.
  const own = resource(root, asset.attributes['format'] ?? sequence.attributes['format'])
  const sourceFrames = nominal(own) === nominal(format) ? counter(own) : frames
  const sourceStart = sourceFrames(asset.attributes['start']!)
  const range = (item: XmlTree | undefined): [number, number] | null => {
    if (item?.name !== 'transition') return null
    const start = frames(item.attributes['offset']!) - recordStart
    return [start, start + frames(item.attributes['duration']!)]
  }
  const plain: Edit[] = []
  const video: Edit[] = []
  const markers: ParsedTimeline['markers'] = []
  spine.forEach((item, index) => {
    if (item.name !== 'asset-clip') return
    const recordIn = frames(item.attributes['offset']!) - recordStart
    const sourceIn = sourceFrames(item.attributes['start']!) - sourceStart
    const length = frames(item.attributes['duration']!)
    plain.push({ recordIn, recordOut: recordIn + length, sourceIn, sourceOut: sourceIn + length })
    const early = recordIn - (range(spine[index - 1])?.[0] ?? recordIn)
    const late = (range(spine[index + 1])?.[1] ?? recordIn + length) - (recordIn + length)
    video.push({
      recordIn: recordIn - early,
      recordOut: recordIn + length + late,
      sourceIn: sourceIn - early,
      sourceOut: sourceIn + length + late,
    })
    for (const marker of item.children.filter((child) => child.name === 'marker')) {
      markers.push({
        start: recordIn + frames(since(marker, item)),
        frames: frames(marker.attributes['duration']!),
        name: marker.attributes['value']!,
      })
    }
  })
  const sources = Number(asset.attributes['audioSources'] ?? 0)
  return {
    root,
    source: only(asset, 'media-rep').attributes['src']!,
    sourceStart,
    recordStart,
    dropFrame: sequence.attributes['tcFormat'] === 'DF',
    video: asset.attributes['hasVideo'] === '1' ? video : [],
    transitions: spine.flatMap((item) => (item.name === 'transition' ? [range(item)!] : [])),
    sound: Array.from({ length: sources }, () => plain),
    markers,
  }
}

function resource(root: XmlTree, id: string | undefined): XmlTree {
  const node = only(root, 'resources').children.find((item) => item.attributes['id'] === id)
  if (!node) throw new Error(`No resource ${id}`)
  return node
}

/** Counts a time in frames of a format. */
function counter(format: XmlTree): (time: string) => number {
  const frame = frameOf(format)
  return (time) => count(seconds(time), frame)
}

export function frameOf(format: XmlTree): Time {
  return seconds(format.attributes['frameDuration']!)
}

function nominal(format: XmlTree): number {
  const [num, den] = frameOf(format)
  return Math.round(Number(den) / Number(num))
}

/** How long after the start of a clip something in it starts. */
function since(inner: XmlTree, clip: XmlTree): string {
  const [num, den] = minus(seconds(inner.attributes['start']!), seconds(clip.attributes['start']!))
  return `${num}/${den}s`
}

export type Time = [num: bigint, den: bigint]

export function seconds(time: string): Time {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(time)
  if (!match) throw new Error(`${time} is no time`)
  return [BigInt(match[1]!), BigInt(match[2] ?? '1')]
}

export function minus([a, b]: Time, [c, d]: Time): Time {
  return [a * d - c * b, b * d]
}

export function count([num, den]: Time, [frameNum, frameDen]: Time): number {
  const [top, bottom] = [num * frameDen, den * frameNum]
  if (top % bottom !== 0n) throw new Error(`${num}/${den} is not on a frame`)
  return Number(top / bottom)
}

const timed = new Set(['start', 'offset', 'duration', 'tcStart', 'frameDuration'])

/** Faults of the structure and its times. */
export function fcpxmlFaults(body: string): string[] {
  const faults = grammarFaults('fcpxml', body)
  const visit = (tree: XmlTree): void => {
    for (const [name, value] of Object.entries(tree.attributes)) {
      // Readers of other programs know no whole seconds without a denominator.
      if (timed.has(name) && !/^\d+\/\d+s$/.test(value)) faults.push(`${name}="${value}"`)
    }
    tree.children.forEach(visit)
  }
  visit(parseXml(body))
  return faults
}
