/** xmeml by Apple's FCP7 interchange reference: frames of the sequence, -1 beside a transition. */
import type { Edit, ParsedTimeline } from './edit.ts'
import { find, only, parseXml } from './xml.ts'
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
  const file = find(media, 'file').find((one) => one.children.length > 0)!
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
    picture: track ? edits(track) : [],
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

function number(tree: XmlTree, name: string): number {
  const { text } = only(tree, name)
  if (!/^-?\d+$/.test(text)) throw new Error(`<${name}> is ${text}`)
  return Number(text)
}

/** What each element that exports use may hold. */
const grammar: Record<string, string> = {
  xmeml: 'sequence',
  sequence: 'name duration rate timecode marker media',
  rate: 'timebase ntsc',
  timecode: 'rate string frame displayformat reel',
  reel: 'name',
  media: 'video audio',
  video: 'format track duration samplecharacteristics',
  audio: 'format outputs track samplecharacteristics channelcount audiochannel',
  audiochannel: 'sourcechannel',
  format: 'samplecharacteristics',
  samplecharacteristics:
    'rate width height anamorphic pixelaspectratio fielddominance depth samplerate',
  outputs: 'group',
  group: 'index numchannels downmix channel',
  channel: 'index',
  track: 'clipitem transitionitem outputchannelindex',
  clipitem: 'name enabled duration rate start end in out file sourcetrack filter link marker',
  transitionitem: 'name rate start end alignment effect',
  effect:
    'name effectid effectcategory effecttype mediatype wipecode wipeaccuracy startratio endratio reverse parameter',
  filter: 'effect',
  parameter: 'parameterid name valuemin valuemax value',
  file: 'name pathurl rate duration timecode media',
  sourcetrack: 'mediatype trackindex',
  link: 'linkclipref mediatype trackindex clipindex',
  marker: 'name comment in out',
}

/** What is wrong with the structure; empty when nothing is. */
export function xmemlFaults(root: XmlTree): string[] {
  const faults: string[] = []
  const ids = new Set(find(root, 'clipitem').map((item) => item.attributes['id']))
  const visit = (tree: XmlTree): void => {
    const allowed = new Set((grammar[tree.name] ?? '').split(' '))
    for (const child of tree.children) {
      if (!allowed.has(child.name)) faults.push(`<${tree.name}> holds <${child.name}>`)
      visit(child)
    }
  }
  visit(root)
  for (const link of find(root, 'linkclipref')) {
    if (!ids.has(link.text)) faults.push(`${link.text} is linked and missing`)
  }
  const all = find(root, 'file')
  const files = all.filter((one) => one.children.length > 0)
  const named = new Set(all.map((one) => one.attributes['id']))
  if (files.length !== named.size) faults.push(`${files.length} whole files of ${named.size}`)
  return faults
}
