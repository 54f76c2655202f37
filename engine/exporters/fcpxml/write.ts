/**
 * FCPXML 1.9 to 1.14 for Final Cut Pro and Resolve. Times are exact fractions of a second on the
 * frame grid; the asset starts at the source timecode, so a clip's `start` is source timecode and
 * its `offset` is timeline timecode. Clips of a storyline meet; a transition lies over the meeting.
 * The event also holds the whole source once, with findings and speakers as keyword ranges and
 * selects as favourites, for the browser. Clips of one speaker carry that speaker's role.
 */
import type { ExportOptions } from '../../../contract/export-options.ts'
import type { Findings } from '../../../contract/findings.ts'
import { multiply, rational } from '../../../contract/rational.ts'
import type { Rational } from '../../../contract/rational.ts'
import type { Cue } from '../captions/captions.ts'
import type { SourceMarker, TimelineMarker } from '../timeline/markers.ts'
import { fileUrl } from '../timeline/names.ts'
import type { Clip, Timeline } from '../timeline/timeline.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { dialogueRole, speakerRanges } from './speaker-roles.ts'

export interface FcpxmlInput {
  timeline: Timeline
  findings: Findings
  markers: TimelineMarker[]
  /** Ranges of the source for the browser. */
  keywords: SourceMarker[]
  /** On the timeline. */
  captions: Cue[]
  language: string
  options: ExportOptions
}

const crossDissolve = 'FxPlug:4731E73A-8DAC-4113-9A30-AE85B1761265'

export function writeFcpxml(input: FcpxmlInput): string {
  const { timeline, options } = input
  const { grid, title } = timeline
  const soft = timeline.clips.some((clip) => clip.transition)
  const sequence = element(
    'sequence',
    {
      format: 'r1',
      duration: duration(input, timeline.frames),
      tcStart: duration(input, timeline.recordStart),
      tcFormat: tcFormat(input),
      audioLayout: 'stereo',
      audioRate: audioRateName(timeline.source.audio[0]),
    },
    grid.notes.length > 0 && text('note', grid.notes.join(' ')),
    element('spine', {}, ...spine(input)),
  )
  const root = element(
    'fcpxml',
    { version: options.fcpxml_version },
    element(
      'resources',
      {},
      sequenceFormat(input),
      asset(input),
      soft && element('effect', { id: 'r3', name: 'Cross Dissolve', uid: crossDissolve }),
    ),
    element(
      'library',
      {},
      element(
        'event',
        { name: title },
        browserClip(input),
        element('project', { name: title }, sequence),
      ),
    ),
  )
  return renderXml('fcpxml', root)
}

function duration(input: FcpxmlInput, frames: number): string {
  return timeOfFrames(frames, input.timeline.grid.format.rate)
}

/** The exact time of a number of frames, over the denominator of the frame duration. */
export function timeOfFrames(frames: number, rate: Rational): string {
  const frame = frameDurationOf(rate)
  const num = BigInt(frames) * frame.num
  return num % frame.den === 0n ? `${num / frame.den}s` : `${num}/${frame.den}s`
}

/** Apple writes whole rates over hundredths: 100/2500s. */
export function frameDurationOf(rate: Rational): { num: bigint; den: bigint } {
  return rate.den === 1n ? { num: 100n, den: rate.num * 100n } : { num: rate.den, den: rate.num }
}

function sourceTime(input: FcpxmlInput, frame: number): string {
  return duration(input, input.timeline.grid.startFrame + frame)
}

function tcFormat(input: FcpxmlInput): 'DF' | 'NDF' {
  return input.timeline.grid.format.dropFrame ? 'DF' : 'NDF'
}

function sequenceFormat(input: FcpxmlInput): XmlNode {
  const frame = frameDurationOf(input.timeline.grid.format.rate)
  const { media, hasVideo } = input.timeline.source
  const turned = media.rotation % 180 !== 0
  const [width, height] = turned ? [media.height, media.width] : [media.width, media.height]
  const aspect = /^(\d+)\/(\d+)$/.exec(media.pixel_aspect ?? '')
  const square = !aspect || aspect[1] === aspect[2]
  const isInterlaced = media.field_order === 'upper' || media.field_order === 'lower'
  return element('format', {
    id: 'r1',
    frameDuration: `${frame.num}/${frame.den}s`,
    fieldOrder: isInterlaced ? `${media.field_order} first` : undefined,
    width: hasVideo ? (width ?? 1920) : 1920,
    height: hasVideo ? (height ?? 1080) : 1080,
    paspH: square ? undefined : aspect[1],
    paspV: square ? undefined : aspect[2],
    colorSpace: colorSpace(input.findings),
  })
}

function colorSpace(findings: Findings): string | undefined {
  const color = findings.ffprobe?.color
  if (color?.transfer === 'smpte2084') return '9-16-9 (Rec. 2020 PQ)'
  if (color?.transfer === 'arib-std-b67') return '9-18-9 (Rec. 2020 HLG)'
  if (color?.primaries === 'bt2020') return '9-1-9 (Rec. 2020)'
  if (color?.primaries === 'bt709') return '1-1-1 (Rec. 709)'
  return undefined
}

function asset(input: FcpxmlInput): XmlNode {
  const { grid, source } = input.timeline
  const { audio, hasVideo } = source
  const sound = audio.length > 0
  const metadata = metadataOf(input)
  return element(
    'asset',
    {
      id: 'r2',
      name: source.name,
      start: sourceTime(input, 0),
      duration: duration(input, grid.frames),
      hasVideo: hasVideo ? 1 : undefined,
      format: hasVideo ? 'r1' : undefined,
      videoSources: hasVideo ? 1 : undefined,
      hasAudio: sound ? 1 : undefined,
      audioSources: sound ? audio.length : undefined,
      audioChannels: sound ? Math.max(...audio.map((track) => track.channels)) : undefined,
      audioRate: sound ? audio[0]!.sample_rate : undefined,
    },
    element('media-rep', { kind: 'original-media', src: fileUrl(source.path, '', ':') }),
    metadata.length > 0 && element('metadata', {}, ...metadata),
  )
}

/** Final Cut's own keys, under which its inspector shows reel, scene, take and camera angle. */
function metadataOf({ timeline, findings }: FcpxmlInput): XmlNode[] {
  const slate = findings.text?.slates[0]
  const values: [string, string | undefined][] = [
    ['com.apple.proapps.studio.reel', timeline.source.tape],
    ['com.apple.proapps.studio.scene', slate?.scene?.text],
    ['com.apple.proapps.studio.shot', slate?.take?.text],
    ['com.apple.proapps.studio.angle', slate?.camera?.text],
    ['cutindex.slate.roll', slate?.roll?.text],
    ['cutindex.slate.date', slate?.date?.text],
    ['cutindex.slate.timecode', slate?.timecode?.text],
  ]
  return values.flatMap(([key, value]) => (value ? [element('md', { key, value })] : []))
}

const namedAudioRates = new Map([
  [32_000, '32k'],
  [44_100, '44.1k'],
  [48_000, '48k'],
  [88_200, '88.2k'],
  [96_000, '96k'],
  [176_400, '176.4k'],
  [192_000, '192k'],
])

export function audioRateName(track: { sample_rate: number } | undefined): string {
  return namedAudioRates.get(track?.sample_rate ?? 48_000) ?? '48k'
}

function spine(input: FcpxmlInput): XmlNode[] {
  const { timeline } = input
  const markers = Map.groupBy(input.markers, (marker) => marker.clip)
  const captions = Map.groupBy(input.captions, (cue) =>
    timeline.clips.findIndex((clip) => cue.start >= clip.recordIn && cue.start < clip.recordOut),
  )
  const speakers = speakerRanges(input.findings, timeline.grid)
  let style = 0
  return timeline.clips.flatMap((clip, index) => {
    const anchored = (captions.get(index) ?? []).map((cue) =>
      caption({
        cue,
        offset: sourceTime(input, clip.sourceIn + cue.start - clip.recordIn),
        rate: timeline.grid.format.rate,
        language: input.language,
        style: ++style,
      }),
    )
    const marked = (markers.get(index) ?? []).map((marker) => markerOf(input, clip, marker))
    const node = element(
      'asset-clip',
      {
        ref: 'r2',
        offset: duration(input, timeline.recordStart + clip.recordIn),
        name: clip.name,
        start: sourceTime(input, clip.sourceIn),
        duration: duration(input, clip.sourceOut - clip.sourceIn),
        tcFormat: tcFormat(input),
        audioRole: timeline.source.audio.length > 0 ? dialogueRole(speakers, clip) : undefined,
      },
      ...anchored,
      ...marked,
      ...channelSources(input),
    )
    return clip.transition ? [transition(input, clip), node] : [node]
  })
}

function transition(input: FcpxmlInput, clip: Clip): XmlNode {
  const { type, start, end } = clip.transition!
  const names = { dissolve: 'Cross Dissolve', fade: 'Fade', wipe: 'Wipe' }
  return element(
    'transition',
    {
      name: names[type],
      offset: duration(input, input.timeline.recordStart + start),
      duration: duration(input, end - start),
    },
    element('filter-video', { ref: 'r3', name: 'Cross Dissolve' }),
  )
}

/** Several tracks: each its own component, so that none is hidden in a mix. */
function channelSources(input: FcpxmlInput): XmlNode[] {
  const { audio } = input.timeline.source
  if (audio.length < 2) return []
  let first = 1
  return audio.map((track, index) => {
    const channels = Array.from({ length: track.channels }, (_, channel) => first + channel)
    first += track.channels
    return element('audio-channel-source', {
      srcCh: channels.join(', '),
      role: `dialogue.dialogue-${index + 1}`,
    })
  })
}

function markerOf(input: FcpxmlInput, clip: Clip, marker: TimelineMarker): XmlNode {
  const at = clip.sourceIn + marker.recordStart - clip.recordIn
  return element('marker', {
    start: sourceTime(input, at),
    duration: duration(input, 1),
    value: marker.name || marker.kind,
    note: markerNote(marker) || undefined,
  })
}

function markerNote(marker: TimelineMarker): string {
  const frames = marker.end - marker.start
  return [marker.note, frames > 1 ? `${frames} frames` : ''].filter(Boolean).join(', ')
}

export function caption(input: {
  cue: Cue
  /** Where it starts, in the time of the clip that holds it. */
  offset: string
  rate: Rational
  language: string
  style: number
}): XmlNode {
  const { cue, rate, style } = input
  const oneHour = multiply(rate, rational(3600))
  return element(
    'caption',
    {
      lane: 1,
      offset: input.offset,
      name: cue.lines.join(' '),
      // Final Cut counts the inside of a caption from about one hour; any frame will do.
      start: timeOfFrames(Number(oneHour.num / oneHour.den), rate),
      duration: timeOfFrames(cue.end - cue.start, rate),
      role: `iTT?captionFormat=ITT.${input.language}`,
    },
    element(
      'text',
      { placement: 'bottom' },
      element('text-style', { ref: `ts${style}` }, cue.lines.join('\n')),
    ),
    element(
      'text-style-def',
      { id: `ts${style}` },
      element('text-style', {
        font: '.AppleSystemUIFont',
        fontSize: 13,
        fontFace: 'Regular',
        fontColor: '1 1 1 1',
        backgroundColor: '0 0 0 1',
      }),
    ),
  )
}

function browserClip(input: FcpxmlInput): XmlNode {
  const { grid, source } = input.timeline
  const { selects = [] } = input.options
  const ranges = input.keywords.map((range) =>
    element('keyword', {
      start: sourceTime(input, range.start),
      duration: duration(input, range.end - range.start),
      value: range.name.replaceAll(',', ' '),
      note: range.note || undefined,
    }),
  )
  const speakers = speakerRanges(input.findings, grid).map((range) =>
    element('keyword', {
      start: sourceTime(input, range.start),
      duration: duration(input, range.end - range.start),
      value: range.name.replaceAll(',', ' '),
      note: 'Speaker',
    }),
  )
  const favourites = selects.flatMap((select) => {
    const start = grid.place(select.start_frame)
    const end = grid.place(select.end_frame)
    if (end <= start) return []
    return [
      element('rating', {
        name: select.name || undefined,
        start: sourceTime(input, start),
        duration: duration(input, end - start),
        value: 'favorite',
      }),
    ]
  })
  return element(
    'asset-clip',
    {
      ref: 'r2',
      name: source.name,
      start: sourceTime(input, 0),
      duration: duration(input, grid.frames),
      format: 'r1',
      tcFormat: tcFormat(input),
      audioRole: source.audio.length > 0 ? 'dialogue' : undefined,
    },
    ...ranges,
    ...speakers,
    ...favourites,
    ...channelSources(input),
  )
}
