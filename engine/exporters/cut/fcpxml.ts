/**
 * A cut as FCPXML. Each source is an asset with a format of its own; `start` counts in its exact
 * time, `offset` and `duration` in frames of the sequence, so Final Cut conforms another rate itself.
 */
import type { CutExportOptions } from '../../../contract/footage/cuts.ts'
import type { Media } from '../../../domain/findings/findings.ts'
import { uprightSize } from '../../../domain/cuts/frame-size.ts'
import { add, multiply, rational, subtract } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { recordedAt } from '../../../domain/time/source-timecode.ts'
import { frameTime } from '../../../domain/time/timecode.ts'
import type { Cue } from '../captions/captions.ts'
import { expectEqual, fail } from '../compare.ts'
import {
  audioRateName,
  caption,
  frameDurationOf,
  secondsText,
  timeOfFrames,
} from '../fcpxml/write.ts'
import { fileUrl } from '../timeline/names.ts'
import { attribute, child, childrenOf, readXml } from '../xml/tree.ts'
import { element, renderXml, text } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { clipAt } from './timeline.ts'
import type { CutClip, CutTimeline, TrackSource } from './timeline.ts'

export function makeCutFcpxml(
  timeline: CutTimeline,
  { cues, language, options }: { cues: Cue[]; language: string; options: CutExportOptions },
): string {
  const body = fcpxmlDocument(timeline, {
    version: options.fcpxml_version,
    spine: spine(timeline, cues, language),
  })
  checkCutFcpxml(body, timeline, cues)
  return body
}

/** Formats and assets of all sources, and a project with one sequence. */
export function fcpxmlDocument(
  timeline: Omit<CutTimeline, 'clips'>,
  { version, media, spine }: { version: string; media?: XmlNode; spine: readonly XmlNode[] },
): string {
  const { format, title } = timeline
  const root = element(
    'fcpxml',
    { version },
    element(
      'resources',
      {},
      formatNode('r1', format.rate, timeline.picture),
      ...timeline.sources.flatMap((source, index) => [
        source.hasVideo && formatNode(`f${index + 1}`, source.grid.format.rate, source.media),
        asset(source, index),
      ]),
      media,
    ),
    element(
      'library',
      {},
      element(
        'event',
        { name: title },
        element(
          'project',
          { name: title },
          element(
            'sequence',
            {
              ...sequencePlace(timeline),
              audioLayout: 'stereo',
              audioRate: audioRateName(timeline.sources.find((one) => one.audio[0])?.audio[0]),
            },
            timeline.notes.length > 0 && text('note', timeline.notes.join(' ')),
            element('spine', {}, ...spine),
          ),
        ),
      ),
    ),
  )
  return renderXml('fcpxml', root)
}

export function sequencePlace({ format, frames, recordStart }: Omit<CutTimeline, 'clips'>) {
  return {
    format: 'r1',
    duration: timeOfFrames(frames, format.rate),
    tcStart: timeOfFrames(recordStart, format.rate),
    tcFormat: format.dropFrame ? 'DF' : 'NDF',
  }
}

export function formatNode(id: string, rate: Rational, media: Media | undefined): XmlNode {
  const frame = frameDurationOf(rate)
  const size = media && uprightSize(media)
  const interlaced = media?.field_order === 'upper' || media?.field_order === 'lower'
  const aspect = /^(\d+)\/(\d+)$/.exec(media?.pixel_aspect ?? '')
  const square = !aspect || aspect[1] === aspect[2]
  return element('format', {
    id,
    frameDuration: `${frame.num}/${frame.den}s`,
    fieldOrder: interlaced ? `${media.field_order} first` : undefined,
    width: size?.width ?? 1920,
    height: size?.height ?? 1080,
    paspH: square ? undefined : aspect[1],
    paspV: square ? undefined : aspect[2],
  })
}

export function asset(source: TrackSource, index: number): XmlNode {
  const { grid, audio, hasVideo } = source
  const sound = audio.length > 0
  return element(
    'asset',
    {
      id: `a${index + 1}`,
      name: source.name,
      uid: source.contentId.replaceAll('-', '').toUpperCase(),
      start: sourceTimeText(source, 0),
      duration: timeOfFrames(grid.frames, grid.format.rate),
      hasVideo: hasVideo ? 1 : undefined,
      format: hasVideo ? `f${index + 1}` : undefined,
      videoSources: hasVideo ? 1 : undefined,
      hasAudio: sound ? 1 : undefined,
      audioSources: sound ? audio.length : undefined,
      audioChannels: sound ? Math.max(...audio.map((track) => track.channels)) : undefined,
      audioRate: sound ? audio[0]!.sample_rate : undefined,
    },
    element('media-rep', { kind: 'original-media', src: fileUrl(source.path, '', ':') }),
    element(
      'metadata',
      {},
      element('md', { key: 'com.apple.proapps.studio.reel', value: source.tape }),
    ),
  )
}

/** The format of a source's picture; sound has none. */
export function formatIdOf(
  { sources }: Pick<CutTimeline, 'sources'>,
  source: TrackSource,
): string | undefined {
  return source.hasVideo ? `f${sources.indexOf(source) + 1}` : undefined
}

function spine(timeline: CutTimeline, cues: Cue[], language: string): XmlNode[] {
  const { format } = timeline
  const captions = Map.groupBy(cues, (cue) => clipAt(timeline, cue.start))
  const markers = Map.groupBy(timeline.markers, (marker) => clipAt(timeline, marker.at))
  let style = 0
  return timeline.clips.map((clip, index) => {
    const { source } = clip
    const own = source.grid.format
    return element(
      'asset-clip',
      {
        ref: `a${timeline.sources.indexOf(source) + 1}`,
        offset: timeOfFrames(timeline.recordStart + clip.recordIn, format.rate),
        name: clip.name,
        start: sourceTimeText(source, clip.sourceIn),
        duration: timeOfFrames(clip.recordOut - clip.recordIn, format.rate),
        format: formatIdOf(timeline, source),
        tcFormat: own.dropFrame ? 'DF' : 'NDF',
        audioRole: source.audio.length > 0 ? 'dialogue' : undefined,
      },
      clip.note !== '' && text('note', clip.note),
      ...(captions.get(index) ?? []).map((cue) =>
        caption({
          cue,
          language,
          rate: format.rate,
          offset: sourceTimeAt(clip, cue.start, format.rate),
          style: ++style,
        }),
      ),
      ...(markers.get(index) ?? []).map((marker) =>
        element('marker', {
          start: sourceTimeAt(clip, marker.at, format.rate),
          duration: timeOfFrames(1, format.rate),
          value: `${marker.name}: ${marker.text}`,
        }),
      ),
    )
  })
}

/** The exact source time at a frame of the timeline. */
function sourceTimeAt(clip: CutClip, frame: number, rate: Rational): string {
  const start = sourceTime(clip.source, clip.sourceIn)
  return secondsText(add(start, frameTime(frame - clip.recordIn, rate)))
}

/** The time of a source's frame, which begins with a sample where a recorder wrote its clock. */
function sourceTime({ grid, media }: TrackSource, frame: number): Rational {
  const clock = recordedAt(media)
  return clock
    ? add(clock, frameTime(frame, grid.format.rate))
    : frameTime(grid.startFrame + frame, grid.format.rate)
}

export function sourceTimeText(source: TrackSource, frame: number): string {
  const { grid, media } = source
  return recordedAt(media)
    ? secondsText(sourceTime(source, frame))
    : timeOfFrames(grid.startFrame + frame, grid.format.rate)
}

/** The source's frame that such a time names. */
export function sourceFrameIn(time: string, source: TrackSource): number {
  const since = subtract(secondsOf(time), sourceTime(source, 0))
  return wholeFrames(since, source.grid.format.rate, time)
}

export function checkCutFcpxml(body: string, timeline: CutTimeline, cues: readonly Cue[]): void {
  const root = readXml(body, 'fcpxml')
  const { format, recordStart } = timeline
  const resources = child(root, 'resources')
  const sequence = child(child(child(child(root, 'library'), 'event'), 'project'), 'sequence')
  expectEqual('the start', framesIn(attribute(sequence, 'tcStart'), format.rate), recordStart)
  expectEqual('the length', framesIn(attribute(sequence, 'duration'), format.rate), timeline.frames)
  const items = childrenOf(child(sequence, 'spine'), 'asset-clip')
  expectEqual('the number of clips', items.length, timeline.clips.length)
  const assets = new Map(childrenOf(resources, 'asset').map((one) => [one.attributes['id'], one]))
  expectEqual('the number of assets', assets.size, timeline.sources.length)
  let captions = 0
  let markers = 0
  items.forEach((item, index) => {
    const clip = timeline.clips[index]!
    const { path } = clip.source
    const file = assets.get(attribute(item, 'ref')) ?? fail(`clip ${index + 1} has no asset`)
    expectEqual('a path', attribute(child(file, 'media-rep'), 'src'), fileUrl(path, '', ':'))
    const start = sourceFrameIn(attribute(item, 'start'), clip.source)
    const recordIn = framesIn(attribute(item, 'offset'), format.rate) - recordStart
    const length = framesIn(attribute(item, 'duration'), format.rate)
    expectEqual(`clip ${index + 1}: source in`, start, clip.sourceIn)
    expectEqual(`clip ${index + 1}: record in`, recordIn, clip.recordIn)
    expectEqual(`clip ${index + 1}: record out`, recordIn + length, clip.recordOut)
    captions += childrenOf(item, 'caption').length
    markers += childrenOf(item, 'marker').length
  })
  expectEqual('the number of captions', captions, cues.length)
  expectEqual('the number of markers', markers, timeline.markers.length)
}

export function framesIn(time: string, rate: Rational): number {
  return wholeFrames(secondsOf(time), rate, time)
}

function wholeFrames(seconds: Rational, rate: Rational, time: string): number {
  const count = multiply(seconds, rate)
  return count.den === 1n ? Number(count.num) : fail(`${time} is not on a frame`)
}

function secondsOf(time: string): Rational {
  const match = /^(\d+)(?:\/(\d+))?s$/.exec(time)
  return match ? rational(BigInt(match[1]!), BigInt(match[2] ?? 1)) : fail(`${time} is no time`)
}
