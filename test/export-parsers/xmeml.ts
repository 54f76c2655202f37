/** xmeml by Apple's FCP7 interchange reference: frames of the sequence, -1 beside a transition. */
import { pathOf } from './edit.ts'
import type { Edit, ParsedTimeline } from './edit.ts'
import { find, grammarFaults, only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface ParsedXmeml extends ParsedTimeline {
  root: XmlTree
  timebase: number
  ntsc: boolean
  pathUrl: string
  startTimecode: string
}

export function parseXmeml(text: string): ParsedXmeml {
  const root = parseXml(text)
  const sequence = only(root, 'sequence')
  const media = only(sequence, 'media')
  const file = find(media, 'file').find((item) => item.children.length > 0)!
  const video = media.children.find((child) => child.name === 'video')
  const audio = media.children.find((child) => child.name === 'audio')
  const tracks = audio ? audio.children.filter((child) => child.name === 'track') : []
  const track = video && only(video, 'track')
  const items = track ? track.children : []
  return {
    root,
    timebase: number(only(sequence, 'rate'), 'timebase'),
    ntsc: only(sequence, 'rate', 'ntsc').text === 'TRUE',
    pathUrl: only(file, 'pathurl').text,
    startTimecode: only(sequence, 'timecode', 'string').text,
    sourceStart: number(only(file, 'timecode'), 'frame'),
    recordStart: number(only(sequence, 'timecode'), 'frame'),
    dropFrame: only(sequence, 'timecode', 'displayformat').text === 'DF',
    video: track ? edits(track) : [],
    transitions: items.flatMap((item): [number, number][] =>
      item.name === 'transitionitem' ? [[number(item, 'start'), number(item, 'end')]] : [],
    ),
    sound: tracks.map(edits),
    markers: sequence.children
      .filter((child) => child.name === 'marker')
      .map((marker) => {
        const [start, end] = [number(marker, 'in'), number(marker, 'out')]
        return { start, frames: end < 0 ? 1 : end - start, name: only(marker, 'name').text }
      }),
  }
}

function edits(track: XmlTree): Edit[] {
  return track.children.flatMap((item, index) => {
    if (item.name !== 'clipitem') return []
    const [start, end] = [number(item, 'start'), number(item, 'end')]
    return [
      {
        recordIn: start === -1 ? number(track.children[index - 1]!, 'start') : start,
        recordOut: end === -1 ? number(track.children[index + 1]!, 'end') : end,
        sourceIn: number(item, 'in'),
        sourceOut: number(item, 'out'),
      },
    ]
  })
}

export function number(tree: XmlTree, name: string): number {
  const { text } = only(tree, name)
  if (!/^-?\d+$/.test(text)) throw new Error(`<${name}> is ${text}`)
  return Number(text)
}

/** Paths of the files, by their ids. */
export function pathsIn(sequence: XmlTree): Map<string, string> {
  const whole = find(sequence, 'file').filter((file) => file.children.length > 0)
  return new Map(whole.map((file) => [file.attributes['id']!, pathOf(only(file, 'pathurl').text)]))
}

/** Faults of the structure. */
export function xmemlFaults(body: string): string[] {
  const faults = grammarFaults('xmeml', body)
  const root = parseXml(body)
  const ids = new Set(find(root, 'clipitem').map((item) => item.attributes['id']))
  for (const link of find(root, 'linkclipref')) {
    if (!ids.has(link.text)) faults.push(`${link.text} is linked and missing`)
  }
  const all = find(root, 'file')
  const files = all.filter((item) => item.children.length > 0)
  const named = new Set(all.map((item) => item.attributes['id']))
  if (files.length !== named.size) faults.push(`${files.length} whole files of ${named.size}`)
  return faults
}
