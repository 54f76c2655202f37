/**
 * FCPXML 1.9 to 1.14 for Final Cut Pro and Resolve. `start` is exact time of the source, `offset`
 * and `duration` are frames of the timeline, so Final Cut conforms another rate itself. Clips of a
 * storyline meet; a transition lies over the meeting. Angles are a multicam clip. The event of a
 * job also holds its source once for the browser, and clips of one speaker carry that speaker's
 * role.
 */
import { multiply, rational } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { fileUrl } from '../../timeline/names.ts'
import { itemAt, markerLabel } from '../../timeline/timeline.ts'
import type { Item, Marker, Source, Timeline } from '../../timeline/timeline.ts'
import type { Cue } from '../captions/cues.ts'
import { captionLanguage, captionsOf } from '../captions/words.ts'
import { expectSame, placeMeant } from '../compare.ts'
import { timelineMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { element, renderXml, text, branch } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { browserClip } from './browser-clip.ts'
import { readFcpxml } from './read.ts'
import { assetIdOf, audioRateName, formatIdOf, resourceNodes } from './resources.ts'
import { dialogueRole, speakerRanges } from './speaker-roles.ts'
import { fileTime, frameDurationOf, itemTime, timeOfFrames, timeText } from './times.ts'

export const fcpxml: Format = {
  markers: timelineMarkers,
  angles: true,
  anyRate: true,
  write: writeFcpxml,
  check: checkFcpxml,
}

function writeFcpxml(input: ExportInput): string {
  const { timeline, options, order } = input
  const { title } = timeline
  const findings = 'findings' in order ? order.findings : null
  const isMulticam = timeline.tracks[0]!.angle !== null
  const root = element(
    'fcpxml',
    { version: options.fcpxml_version },
    branch('resources', ...resourceNodes(timeline, findings), isMulticam && multicam(timeline)),
    branch(
      'library',
      element(
        'event',
        { name: title },
        findings &&
          browserClip(timeline, {
            findings,
            options,
            components: components(timeline.sources[0]!),
          }),
        element(
          'project',
          { name: title },
          element(
            'sequence',
            {
              ...sequencePlace(timeline),
              audioLayout: 'stereo',
              audioRate: audioRateName(timeline),
            },
            timeline.notes.length > 0 && text('note', timeline.notes.join(' ')),
            branch('spine', ...(isMulticam ? [multicamClip(timeline)] : spine(input))),
          ),
        ),
      ),
    ),
  )
  return renderXml('fcpxml', root)
}

function sequencePlace({ format, frames, recordStart }: Timeline) {
  return {
    format: 'r1',
    duration: timeOfFrames(frames, format.rate),
    tcStart: timeOfFrames(recordStart, format.rate),
    tcFormat: format.dropFrame ? 'DF' : 'NDF',
  }
}

function spine(input: ExportInput): XmlNode[] {
  const { timeline, order } = input
  const { rate } = timeline.format
  const findings = 'findings' in order ? order.findings : null
  const cues = input.options.captions ? captionsOf(input) : []
  const captions = Map.groupBy(cues, (cue) => itemAt(timeline, cue.start))
  const markers = Map.groupBy(timeline.markers, (marker) => marker.item)
  const speakers = findings ? speakerRanges(findings, timeline.sources[0]!.grid) : []
  const language = captionLanguage(input)
  let style = 0
  return timeline.tracks[0]!.items.flatMap((item, index) => {
    const clip = assetClip(
      timeline,
      item,
      { name: item.name, role: dialogueRole(speakers, item) },
      item.note !== '' && text('note', item.note),
      ...(captions.get(index) ?? []).map((cue) => {
        const offset = itemTime(item, rate, cue.start - item.recordIn)
        return caption(cue, { offset, rate, language, style: ++style })
      }),
      ...(markers.get(index) ?? []).map((marker) => markerNode(item, marker, rate)),
      ...(findings ? components(item.source) : []),
    )
    return item.transition ? [transition(timeline, item.transition), clip] : [clip]
  })
}

function assetClip(
  timeline: Timeline,
  item: Item,
  { name, role }: { name: string; role: string },
  ...children: Parameters<typeof element>[2][]
): XmlNode {
  const { source, recordIn, recordOut } = item
  const { rate } = timeline.format
  const format = formatIdOf(timeline, source)
  return element(
    'asset-clip',
    {
      ref: assetIdOf(timeline, source),
      offset: timeOfFrames(timeline.recordStart + recordIn, rate),
      name,
      start: itemTime(item, rate),
      duration: timeOfFrames(recordOut - recordIn, rate),
      format: format === 'r1' ? undefined : format,
      tcFormat: source.fileGrid.format.dropFrame ? 'DF' : 'NDF',
      audioRole: source.audio.length > 0 ? role : undefined,
    },
    ...children,
  )
}

function transition(
  { format: { rate }, recordStart }: Timeline,
  { type, start, end }: NonNullable<Item['transition']>,
): XmlNode {
  const names = { dissolve: 'Cross Dissolve', fade: 'Fade', wipe: 'Wipe' }
  return element(
    'transition',
    {
      name: names[type],
      offset: timeOfFrames(recordStart + start, rate),
      duration: timeOfFrames(end - start, rate),
    },
    element('filter-video', { ref: 'r3', name: 'Cross Dissolve' }),
  )
}

/** Makes each of several tracks its own component, so that none is hidden in a mix. */
function components({ audio }: Source): XmlNode[] {
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

function markerNode(item: Item, marker: Marker, rate: Rational): XmlNode {
  const { author, note, sourceFrames: frames } = marker
  const details = author === null ? [note, frames > 1 ? `${frames} frames` : ''] : []
  return element('marker', {
    start: itemTime(item, rate, marker.start - item.recordIn),
    duration: timeOfFrames(1, rate),
    value: markerLabel(marker),
    note: details.filter(Boolean).join(', ') || undefined,
  })
}

/** A caption; `offset` is its start in the time of the clip that contains it. */
function caption(
  cue: Cue,
  {
    offset,
    rate,
    language,
    style,
  }: { offset: string; rate: Rational; language: string; style: number },
): XmlNode {
  const oneHour = multiply(rate, rational(3600))
  return element(
    'caption',
    {
      lane: 1,
      offset,
      name: cue.lines.join(' '),
      // Final Cut counts the inside of a caption from about one hour; any frame will do.
      start: timeOfFrames(Number(oneHour.num / oneHour.den), rate),
      duration: timeOfFrames(cue.end - cue.start, rate),
      role: `iTT?captionFormat=ITT.${language}`,
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

/** An angle for each track, with a gap before those that begin later. */
function multicam(timeline: Timeline): XmlNode {
  const { format, recordStart, title, tracks } = timeline
  return element(
    'media',
    { id: 'm1', name: title },
    element(
      'multicam',
      sequencePlace(timeline),
      ...tracks.map(({ items }, index) => {
        const [first] = items
        return element(
          'mc-angle',
          { name: first!.source.name, angleID: angleId(index) },
          first!.recordIn > 0 &&
            element('gap', {
              name: 'Gap',
              offset: timeOfFrames(recordStart, format.rate),
              start: timeOfFrames(0, format.rate),
              duration: timeOfFrames(first!.recordIn, format.rate),
            }),
          ...items.map((item) => assetClip(timeline, item, { name: item.name, role: 'dialogue' })),
        )
      }),
    ),
  )
}

/** Shows the first angle with video and hears the reference. */
function multicamClip({ title, format: { rate }, frames, recordStart, tracks }: Timeline): XmlNode {
  const seen = tracks.findIndex(({ items }) => items[0]!.source.hasVideo)
  const heard = tracks.findIndex(({ angle }) => angle?.isReference)
  const isBoth = seen === heard || seen < 0
  const start = timeOfFrames(recordStart, rate)
  return element(
    'mc-clip',
    { ref: 'm1', name: title, offset: start, start, duration: timeOfFrames(frames, rate) },
    element('mc-source', {
      angleID: angleId(Math.max(0, heard)),
      srcEnable: isBoth ? 'all' : 'audio',
    }),
    !isBoth && element('mc-source', { angleID: angleId(seen), srcEnable: 'video' }),
  )
}

function angleId(index: number): string {
  return `angle-${index + 1}`
}

function checkFcpxml(body: string, input: ExportInput): void {
  const { timeline, options } = input
  const { format, sources } = timeline
  const frame = frameDurationOf(format.rate)
  const cues = options.captions && timeline.tracks[0]!.angle === null ? captionsOf(input) : []
  expectSame('the project', readFcpxml(body, timeline), {
    version: options.fcpxml_version,
    frameDuration: `${frame.num}/${frame.den}s`,
    recordStart: timeline.recordStart,
    frames: timeline.frames,
    dropFrame: format.dropFrame,
    assets: sources.map((source) => ({
      url: fileUrl(source.path, '', ':'),
      start: timeText(fileTime(source, 0), source.fileGrid.format.rate),
      hasVideo: source.hasVideo,
      audioSources: source.audio.length,
    })),
    tracks: timeline.tracks.map(({ items }) =>
      items.map((item) => ({
        ...placeMeant(item),
        asset: sources.indexOf(item.source),
        sourceIn: item.sourceIn,
      })),
    ),
    markers: timeline.markers.map((marker) => ({
      start: marker.start,
      frames: 1,
      name: markerLabel(marker),
    })),
    captions: cues.map((cue) => ({
      start: cue.start,
      frames: cue.end - cue.start,
      text: cue.lines.join('\n'),
    })),
  })
}
