/**
 * Groups in sync, read by the formats' definitions: for each angle the file, its first frame and
 * its place on the common clock. Shares nothing with the exporters or their readers.
 */
import SmpteTimecode from 'smpte-timecode'
import { clipsOf, itemsOf, otioEdit } from './cut.ts'
import type { OtioClip } from './cut.ts'
import type { SourceEdit } from './edit.ts'
import { find, only, parseXml } from './xml.ts'
import type { XmlTree } from './xml.ts'

export interface Angle extends SourceEdit {
  /** Seconds of the source for each second of the timeline, where it is retimed. */
  speed?: number
}

export function parseMulticam(text: string): Angle[] {
  const root = parseXml(text)
  const multicam = only(root, 'resources', 'media', 'multicam')
  const { byId, frames, editOf } = clipsOf(root, multicam)
  const used = only(root, 'library', 'event', 'project', 'sequence', 'spine', 'mc-clip')
  if (byId.get(used.attributes['ref'])?.name !== 'media') throw new Error('No multicam is used')
  const ids = new Set(multicam.children.map((angle) => angle.attributes['angleID']))
  for (const source of find(used, 'mc-source')) {
    if (!ids.has(source.attributes['angleID'])) throw new Error('An angle that is not there')
  }
  return multicam.children.map((angle) => {
    const edit = editOf(only(angle, 'asset-clip'))
    // The item before it in the angle fills the time until then.
    const gaps = angle.children.filter((item) => item.name === 'gap')
    const filled = gaps.reduce((sum, gap) => sum + frames(gap.attributes['duration']!), 0)
    if (filled !== edit.recordIn) throw new Error(`A gap of ${filled} before ${edit.recordIn}`)
    return edit
  })
}

export interface StackedTrack extends Angle {
  kind: 'video' | 'audio'
  /** Ids of the clips that move with it. */
  linked: string[]
  id: string
}

export function parseStackedXmeml(text: string): StackedTrack[] {
  const sequence = only(parseXml(text), 'sequence')
  const editOf = itemsOf(sequence)
  return only(sequence, 'media').children.flatMap((kind) =>
    kind.children
      .filter((child) => child.name === 'track')
      .map((track): StackedTrack => {
        const clip = only(track, 'clipitem')
        return {
          kind: kind.name === 'video' ? 'video' : 'audio',
          id: clip.attributes['id']!,
          linked: find(clip, 'linkclipref').map((link) => link.text),
          ...editOf(clip),
          speed: speedIn(clip),
        }
      }),
  )
}

function speedIn(clip: XmlTree): number {
  const speeds = find(clip, 'effect')
    .filter((effect) => only(effect, 'effectid').text === 'timeremap')
    .flatMap((effect) => find(effect, 'parameter'))
    .filter((parameter) => only(parameter, 'parameterid').text === 'speed')
  return speeds.length === 0 ? 1 : Number(only(speeds[0]!, 'value').text) / 100
}

export function parseStackedOtio(text: string): (Angle & { kind: string })[] {
  const { global_start_time: start, tracks } = JSON.parse(text) as {
    global_start_time: { rate: number }
    tracks: {
      OTIO_SCHEMA: string
      children: {
        kind: string
        children: (OtioClip & {
          OTIO_SCHEMA: string
          effects: { OTIO_SCHEMA: string; time_scalar: number }[]
        })[]
      }[]
    }
  }
  if (tracks.OTIO_SCHEMA !== 'Stack.1') throw new Error('No stack')
  return tracks.children.map(({ kind, children }) => {
    const at = children.findIndex((child) => child.OTIO_SCHEMA !== 'Gap.1')
    const clip = children[at]
    if (!clip) throw new Error('A track without a clip')
    let record = 0
    for (const { source_range: gap } of children.slice(0, at)) {
      if (gap.duration.rate !== start.rate) throw new Error('A gap at another rate')
      record += gap.duration.value
    }
    const speed = clip.effects
      .filter((effect) => effect.OTIO_SCHEMA === 'LinearTimeWarp.1')
      .reduce((product, effect) => product * effect.time_scalar, 1)
    return { kind, ...otioEdit(clip, record, start.rate), speed }
  })
}

/** Record in and out of the only event, and the source's timecode. */
export function parseAngleEdl(text: string, fps: number): { sourceIn: string; record: number[] } {
  const events = text.split('\r\n').filter((line) => /^\d+\s/.test(line))
  if (events.length !== 1) throw new Error(`${events.length} events`)
  const [sourceIn = '', , ...record] = events[0]!.trim().split(/\s+/).slice(-4)
  return {
    sourceIn,
    record: record.map((at) => new SmpteTimecode(at, fps as 25, at.includes(';')).frameCount),
  }
}
