/** The parts that an FCP7 XML sequence is written from. */
import type { Media } from '../../../domain/findings/findings.ts'
import { uprightSize } from '../../../domain/cuts/frame-size.ts'
import { isNtsc, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { fileUrl } from '../../timeline/names.ts'
import type { Source } from '../../timeline/timeline.ts'
import { element, text, branch } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'

export function rate(format: TimecodeFormat): XmlNode {
  return branch(
    'rate',
    text('timebase', format.nominal),
    text('ntsc', isNtsc(format.rate) ? 'TRUE' : 'FALSE'),
  )
}

export function timecode(format: TimecodeFormat, frame: number, reel?: string): XmlNode {
  const wrapped = frame % format.framesPerDay
  return branch(
    'timecode',
    rate(format),
    text('string', toTimecode(wrapped, format)),
    text('frame', wrapped),
    text('displayformat', format.dropFrame ? 'DF' : 'NDF'),
    reel !== undefined && branch('reel', text('name', reel)),
  )
}

/** Describes a file in full; later clips of the same file only refer to its id. */
export function wholeFile(id: string, source: Source): XmlNode {
  const { grid } = source
  let channel = 0
  return element(
    'file',
    { id },
    text('name', source.name),
    text('pathurl', fileUrl(source.path, 'localhost', '%3a')),
    rate(grid.format),
    text('duration', grid.frames),
    timecode(grid.format, grid.startFrame, source.tape),
    branch(
      'media',
      source.hasVideo &&
        branch(
          'video',
          text('duration', grid.frames),
          frameNode(source.media, rate(grid.format), false),
        ),
      ...source.audio.map((track) =>
        branch(
          'audio',
          soundCharacteristics(track.sample_rate),
          text('channelcount', track.channels),
          ...Array.from({ length: track.channels }, () =>
            branch('audiochannel', text('sourcechannel', ++channel)),
          ),
        ),
      ),
    ),
  )
}

/** The sound of a sequence: the clips of each channel, alternating left and right. */
export function soundMedia(sampleRate: number, tracks: readonly XmlNode[][]): XmlNode {
  const channels = tracks.length
  const outputs = channels > 1 ? [1, 2] : [1]
  return branch(
    'audio',
    branch('format', soundCharacteristics(sampleRate)),
    branch(
      'outputs',
      ...outputs.map((index) =>
        branch(
          'group',
          text('index', index),
          text('numchannels', 1),
          text('downmix', 0),
          branch('channel', text('index', index)),
        ),
      ),
    ),
    ...tracks.map((items, index) =>
      branch('track', ...items, text('outputchannelindex', (index % 2) + 1)),
    ),
  )
}

/** A constant speed, which the format has in percent. */
export function timeRemap(speed: number, kind: 'video' | 'audio'): XmlNode {
  const parameter = (id: string, value: string | number, ...limits: XmlNode[]): XmlNode =>
    branch('parameter', text('parameterid', id), text('name', id), ...limits, text('value', value))
  return branch(
    'filter',
    branch(
      'effect',
      text('name', 'Time Remap'),
      text('effectid', 'timeremap'),
      text('effectcategory', 'motion'),
      text('effecttype', 'motion'),
      text('mediatype', kind),
      parameter('variablespeed', 0, text('valuemin', 0), text('valuemax', 1)),
      parameter('speed', percentOf(speed), text('valuemin', -100_000), text('valuemax', 100_000)),
      parameter('reverse', 'FALSE'),
      parameter('frameblending', 'FALSE'),
    ),
  )
}

/** The speed in percent, exact to a tenth of a millionth. */
export function percentOf(speed: number): string {
  return (speed * 100).toFixed(5)
}

export function frameNode(media: Media, frameRate: XmlNode, upright: boolean): XmlNode {
  const size = uprightSize(upright ? media : { ...media, rotation: 0 })
  return branch(
    'samplecharacteristics',
    frameRate,
    text('width', size?.width ?? 1920),
    text('height', size?.height ?? 1080),
    text('anamorphic', 'FALSE'),
    text('pixelaspectratio', pixelAspect(media)),
    text('fielddominance', fieldsOf(media)),
  )
}

function fieldsOf({ field_order: order }: Media): string {
  return order === 'upper' || order === 'lower' ? order : 'none'
}

/** The named ratios of the format; any other is left to the file itself. */
function pixelAspect(media: Media): string {
  if (media.pixel_aspect === null || media.pixel_aspect === '1/1') return 'square'
  if (media.width === 1440 && media.height === 1080) return 'HD-(1440x1080)'
  if (media.width === 1280 && media.height === 1080) return 'HD-(1280x1080)'
  if (media.width === 960 && media.height === 720) return 'HD-(960x720)'
  if (media.width === 720 && media.height === 576) return 'PAL-601'
  if (media.width === 720 && (media.height === 480 || media.height === 486)) return 'NTSC-601'
  return 'square'
}

function soundCharacteristics(sampleRate: number): XmlNode {
  return branch('samplecharacteristics', text('depth', 16), text('samplerate', sampleRate))
}
