/**
 * FCPXML 1.9 to 1.14 for Final Cut Pro and Resolve. Times are exact fractions of a second on the
 * frame grid; the asset starts at the source timecode, so a clip's `start` is source timecode and
 * its `offset` is timeline timecode. Clips of a storyline meet; a transition lies over the meeting.
 * The event also holds the whole source once, with findings and speakers as keyword ranges and
 * selects as favourites, for the browser. Clips of one speaker carry that speaker's role.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { Findings } from '../../../domain/findings/findings.ts'
import { uprightSize } from '../../../domain/cuts/frame-size.ts'
import {
  add,
  compare,
  divide,
  floor,
  multiply,
  rational,
  subtract,
} from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { frameTime, nearestFrame } from '../../../domain/time/timecode.ts'
import type { Cue } from '../captions/captions.ts'
import type { Grid } from '../timeline/grid.ts'
import type { SourceMarker, TimelineMarker } from '../timeline/markers.ts'
import { fileUrl } from '../timeline/names.ts'
import type { Clip, Timeline } from '../timeline/timeline.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { dialogueRole, speakerRanges } from './speaker-roles.ts'

export interface FcpxmlInput {
  timeline: Timeline
  /** On which the asset is declared: that of the timeline, unless this has another rate. */
  own: Grid
  findings: Findings
  markers: TimelineMarker[]
  /** Ranges of the source for the browser, in its own frames. */
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
      tcFormat: tcFormat(grid),
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
      formatNode(input, 'r1', grid.format.rate),
      ownFormat(input) !== 'r1' && formatNode(input, 'r4', input.own.format.rate),
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

/**
 * The exact time of a number of frames, over the denominator of the frame duration: some readers
 * know no time without one.
 */
export function timeOfFrames(frames: number, rate: Rational): string {
  const frame = frameDurationOf(rate)
  const num = BigInt(frames) * frame.num
  return `${num}/${frame.den}s`
}

/** Apple writes whole rates over hundredths: 100/2500s. */
export function frameDurationOf(rate: Rational): { num: bigint; den: bigint } {
  return rate.den === 1n ? { num: 100n, den: rate.num * 100n } : { num: rate.den, den: rate.num }
}

function sourceTime({ own }: FcpxmlInput, frame: number): string {
  return timeOfFrames(own.startFrame + frame, own.format.rate)
}

/** Frames of the timeline after the start of a clip, in the time of the asset. */
function clipTime(input: FcpxmlInput, clip: Clip, frames = 0): string {
  const { own, timeline } = input
  const { grid } = timeline
  const [rate, ownRate] = [grid.format.rate, own.format.rate]
  if (own === grid) return timeOfFrames(own.startFrame + clip.sourceIn + frames, rate)
  const length = frameTime(clip.sourceOut - clip.sourceIn, rate)
  const since = add(frameTime(own.startFrame, ownRate), startWithin(input, clip, length))
  return secondsText(add(since, frameTime(frames, rate)))
}

/** Where a clip starts in an asset of another rate, so that it ends before the asset does. */
function startWithin({ own, timeline }: FcpxmlInput, clip: Clip, length: Rational): Rational {
  const { grid } = timeline
  const [rate, ownRate] = [grid.format.rate, own.format.rate]
  if (isFrameForFrame(own, grid)) return frameTime(clip.sourceIn, ownRate)
  const exact = frameTime(clip.sourceIn, rate)
  const placed = frameTime(lastPlaced(clip.sourceIn, rate, ownRate), ownRate)
  // With a handle it may start within a source frame.
  const start = nearestFrame(placed, rate) === clip.sourceIn ? placed : exact
  const last = subtract(frameTime(own.frames, ownRate), length)
  return compare(start, last) < 0 ? start : last
}

/** 23.976 as 24: the asset's own frame of the same number. */
export function isFrameForFrame(own: Grid, grid: Grid): boolean {
  return !own.isByTime && !grid.isByTime
}

/**
 * The last source frame that is placed on a frame of the timeline: the one that was cut at, or one
 * after it where the timeline has fewer frames, never the last of the shot before.
 */
function lastPlaced(frame: number, rate: Rational, ownRate: Rational): number {
  if (frame === 0) return 0
  const next = multiply(divide(rational(2 * frame + 1, 2), rate), ownRate)
  return Number(-floor({ num: -next.num, den: next.den })) - 1
}

export function secondsText({ num, den }: Rational): string {
  return `${num}/${den}s`
}

function tcFormat({ format }: Grid): 'DF' | 'NDF' {
  return format.dropFrame ? 'DF' : 'NDF'
}

function ownFormat({ own, timeline }: FcpxmlInput): 'r1' | 'r4' {
  return own === timeline.grid ? 'r1' : 'r4'
}

function formatNode(input: FcpxmlInput, id: string, rate: Rational): XmlNode {
  const frame = frameDurationOf(rate)
  const { media, hasVideo } = input.timeline.source
  const size = hasVideo ? uprightSize(media) : null
  const aspect = /^(\d+)\/(\d+)$/.exec(media.pixel_aspect ?? '')
  const square = !aspect || aspect[1] === aspect[2]
  const isInterlaced = media.field_order === 'upper' || media.field_order === 'lower'
  return element('format', {
    id,
    frameDuration: `${frame.num}/${frame.den}s`,
    fieldOrder: isInterlaced ? `${media.field_order} first` : undefined,
    width: size?.width ?? 1920,
    height: size?.height ?? 1080,
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
  const { own } = input
  const { source } = input.timeline
  const { audio, hasVideo } = source
  const sound = audio.length > 0
  const metadata = metadataOf(input)
  return element(
    'asset',
    {
      id: 'r2',
      name: source.name,
      start: sourceTime(input, 0),
      duration: timeOfFrames(own.frames, own.format.rate),
      hasVideo: hasVideo ? 1 : undefined,
      format: hasVideo ? ownFormat(input) : undefined,
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
        offset: clipTime(input, clip, cue.start - clip.recordIn),
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
        start: clipTime(input, clip),
        duration: duration(input, clip.sourceOut - clip.sourceIn),
        format: input.own === timeline.grid ? undefined : ownFormat(input),
        tcFormat: tcFormat(input.own),
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
  return element('marker', {
    start: clipTime(input, clip, marker.recordStart - clip.recordIn),
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
  const { own } = input
  const { source } = input.timeline
  const length = (frames: number): string => timeOfFrames(frames, own.format.rate)
  const { selects = [] } = input.options
  const ranges = input.keywords.map((range) =>
    element('keyword', {
      start: sourceTime(input, range.start),
      duration: length(range.end - range.start),
      value: range.name.replaceAll(',', ' '),
      note: range.note || undefined,
    }),
  )
  const speakers = speakerRanges(input.findings, own).map((range) =>
    element('keyword', {
      start: sourceTime(input, range.start),
      duration: length(range.end - range.start),
      value: range.name.replaceAll(',', ' '),
      note: 'Speaker',
    }),
  )
  const favourites = selects.flatMap((select) => {
    const start = own.place(select.start_frame)
    const end = own.place(select.end_frame)
    if (end <= start) return []
    return [
      element('rating', {
        name: select.name || undefined,
        start: sourceTime(input, start),
        duration: length(end - start),
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
      duration: length(own.frames),
      format: ownFormat(input),
      tcFormat: tcFormat(own),
      audioRole: source.audio.length > 0 ? 'dialogue' : undefined,
    },
    ...ranges,
    ...speakers,
    ...favourites,
    ...channelSources(input),
  )
}
