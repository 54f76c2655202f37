/** A sync group as an FCPXML multicam clip: an angle for each item, a gap before those that begin later. */
import type { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import { expectEqual, fail } from '../compare.ts'
import {
  fcpxmlDocument,
  formatIdOf,
  framesIn,
  sequencePlace,
  sourceFrameIn,
  sourceTimeText,
} from '../cut/fcpxml.ts'
import { timeOfFrames } from '../fcpxml/write.ts'
import { fileUrl } from '../timeline/names.ts'
import { attribute, child, childrenOf, readXml } from '../xml/tree.ts'
import { element } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import type { SyncClip, SyncTimeline } from './timeline.ts'

export function makeSyncFcpxml(timeline: SyncTimeline, options: SyncExportOptions): string {
  const media = element(
    'media',
    { id: 'm1', name: timeline.title },
    element(
      'multicam',
      sequencePlace(timeline),
      ...timeline.clips.map((clip, index) => angle(timeline, clip, index)),
    ),
  )
  const body = fcpxmlDocument(timeline, {
    version: options.fcpxml_version,
    media,
    spine: [multicamClip(timeline)],
  })
  checkSyncFcpxml(body, timeline)
  return body
}

function angle(timeline: SyncTimeline, clip: SyncClip, index: number): XmlNode {
  const { format, recordStart } = timeline
  const { source } = clip
  const at = (frame: number): string => timeOfFrames(recordStart + frame, format.rate)
  return element(
    'mc-angle',
    { name: source.name, angleID: angleId(index) },
    clip.recordIn > 0 &&
      element('gap', {
        name: 'Gap',
        offset: at(0),
        start: timeOfFrames(0, format.rate),
        duration: timeOfFrames(clip.recordIn, format.rate),
      }),
    element('asset-clip', {
      ref: `a${timeline.sources.indexOf(source) + 1}`,
      offset: at(clip.recordIn),
      name: source.name,
      start: sourceTimeText(source, clip.sourceIn),
      duration: timeOfFrames(clip.recordOut - clip.recordIn, format.rate),
      format: formatIdOf(timeline, source),
      tcFormat: source.grid.format.dropFrame ? 'DF' : 'NDF',
      audioRole: source.audio.length > 0 ? 'dialogue' : undefined,
    }),
  )
}

/** Shows the first picture and hears the reference. */
function multicamClip(timeline: SyncTimeline): XmlNode {
  const seen = timeline.clips.findIndex(({ source }) => source.hasVideo)
  const heard = timeline.clips.findIndex(({ item }) => item.isReference)
  const isOne = seen === heard || seen < 0
  return element(
    'mc-clip',
    {
      ref: 'm1',
      name: timeline.title,
      offset: timeOfFrames(timeline.recordStart, timeline.format.rate),
      start: timeOfFrames(timeline.recordStart, timeline.format.rate),
      duration: timeOfFrames(timeline.frames, timeline.format.rate),
    },
    element('mc-source', {
      angleID: angleId(Math.max(0, heard)),
      srcEnable: isOne ? 'all' : 'audio',
    }),
    !isOne && element('mc-source', { angleID: angleId(seen), srcEnable: 'video' }),
  )
}

function angleId(index: number): string {
  return `angle-${index + 1}`
}

export function checkSyncFcpxml(body: string, timeline: SyncTimeline): void {
  const { format, recordStart } = timeline
  const resources = child(readXml(body, 'fcpxml'), 'resources')
  const angles = childrenOf(child(child(resources, 'media'), 'multicam'), 'mc-angle')
  expectEqual('the number of angles', angles.length, timeline.clips.length)
  const assets = new Map(childrenOf(resources, 'asset').map((one) => [one.attributes['id'], one]))
  angles.forEach((one, index) => {
    const clip = timeline.clips[index]!
    const { path } = clip.source
    const item = child(one, 'asset-clip')
    const file = assets.get(attribute(item, 'ref')) ?? fail(`angle ${index + 1} has no asset`)
    expectEqual('a path', attribute(child(file, 'media-rep'), 'src'), fileUrl(path, '', ':'))
    const recordIn = framesIn(attribute(item, 'offset'), format.rate) - recordStart
    const gaps = childrenOf(one, 'gap').map((gap) => attribute(gap, 'duration'))
    const before = gaps.reduce((sum, gap) => sum + framesIn(gap, format.rate), 0)
    const length = framesIn(attribute(item, 'duration'), format.rate)
    const start = sourceFrameIn(attribute(item, 'start'), clip.source)
    expectEqual(`angle ${index + 1}: place`, recordIn, clip.recordIn)
    expectEqual(`angle ${index + 1}: gap`, before, clip.recordIn)
    expectEqual(`angle ${index + 1}: end`, recordIn + length, clip.recordOut)
    expectEqual(`angle ${index + 1}: source in`, start, clip.sourceIn)
  })
}
