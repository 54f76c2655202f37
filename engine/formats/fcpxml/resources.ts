/** The formats and files that an FCPXML names. */
import { uprightSize } from '../../../domain/cuts/frame-size.ts'
import type { Findings, Media } from '../../../domain/findings/findings.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { fileUrl } from '../../timeline/names.ts'
import type { Source, Timeline } from '../../timeline/timeline.ts'
import { element, branch } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { fileTime, frameDurationOf, timeOfFrames, timeText } from './times.ts'

/** Builds resources; the `findings` of a job supply the colours and slates of its source. */
export function resourceNodes(timeline: Timeline, findings: Findings | null): XmlNode[] {
  return [
    formatNode('r1', timeline.format.rate, { media: timeline.frame, findings }),
    ...timeline.sources.flatMap((source) => {
      const { fileGrid, media } = source
      const id = formatIdOf(timeline, source)
      const isOwn = id !== undefined && id !== 'r1'
      return [
        ...(isOwn ? [formatNode(id, fileGrid.format.rate, { media, findings })] : []),
        assetNode(timeline, source, findings),
      ]
    }),
    ...(timeline.tracks[0]!.items.some((item) => item.transition)
      ? [element('effect', { id: 'r3', name: 'Cross Dissolve', uid: crossDissolve })]
      : []),
  ]
}

const crossDissolve = 'FxPlug:4731E73A-8DAC-4113-9A30-AE85B1761265'

export function assetIdOf({ sources }: Timeline, source: Source): string {
  return `a${sources.indexOf(source) + 1}`
}

/** The format id of a source: the sequence's if both count alike; none for sound. */
export function formatIdOf({ format, sources }: Timeline, source: Source): string | undefined {
  if (!source.hasVideo) return undefined
  return source.fileGrid.format === format ? 'r1' : `f${sources.indexOf(source) + 1}`
}

function formatNode(
  id: string,
  rate: Rational,
  { media, findings }: { media: Media | undefined; findings: Findings | null },
): XmlNode {
  const frame = frameDurationOf(rate)
  const size = media && uprightSize(media)
  const aspect = /^(\d+)\/(\d+)$/.exec(media?.pixel_aspect ?? '')
  const square = !aspect || aspect[1] === aspect[2]
  const isInterlaced = media?.field_order === 'upper' || media?.field_order === 'lower'
  return element('format', {
    id,
    frameDuration: `${frame.num}/${frame.den}s`,
    fieldOrder: isInterlaced ? `${media.field_order} first` : undefined,
    width: size?.width ?? 1920,
    height: size?.height ?? 1080,
    paspH: square ? undefined : aspect[1],
    paspV: square ? undefined : aspect[2],
    colorSpace: colorSpace(findings),
  })
}

function colorSpace(findings: Findings | null): string | undefined {
  const color = findings?.ffprobe?.color
  if (color?.transfer === 'smpte2084') return '9-16-9 (Rec. 2020 PQ)'
  if (color?.transfer === 'arib-std-b67') return '9-18-9 (Rec. 2020 HLG)'
  if (color?.primaries === 'bt2020') return '9-1-9 (Rec. 2020)'
  if (color?.primaries === 'bt709') return '1-1-1 (Rec. 709)'
  return undefined
}

function assetNode(timeline: Timeline, source: Source, findings: Findings | null): XmlNode {
  const { audio, contentId, fileGrid, hasVideo } = source
  const { rate } = fileGrid.format
  const [first] = audio
  return element(
    'asset',
    {
      id: assetIdOf(timeline, source),
      name: source.name,
      uid: contentId?.replaceAll('-', '').toUpperCase(),
      start: timeText(fileTime(source, 0), rate),
      duration: timeOfFrames(fileGrid.frames, rate),
      hasVideo: hasVideo ? 1 : undefined,
      format: formatIdOf(timeline, source),
      videoSources: hasVideo ? 1 : undefined,
      hasAudio: first && 1,
      audioSources: first && audio.length,
      audioChannels: first && Math.max(...audio.map((track) => track.channels)),
      audioRate: first?.sample_rate,
    },
    element('media-rep', { kind: 'original-media', src: fileUrl(source.path, '', ':') }),
    metadataNode(source, findings),
  )
}

/** Final Cut's own keys, under which its inspector shows reel, scene, take and camera angle. */
function metadataNode({ tape }: Source, findings: Findings | null): XmlNode | null {
  const slate = findings?.text?.slates[0]
  const values = Object.entries({
    'com.apple.proapps.studio.reel': tape,
    'com.apple.proapps.studio.scene': slate?.scene?.text,
    'com.apple.proapps.studio.shot': slate?.take?.text,
    'com.apple.proapps.studio.angle': slate?.camera?.text,
    'cutindex.slate.roll': slate?.roll?.text,
    'cutindex.slate.date': slate?.date?.text,
    'cutindex.slate.timecode': slate?.timecode?.text,
  }).flatMap(([key, value]) => (value ? [element('md', { key, value })] : []))
  return values.length > 0 ? branch('metadata', ...values) : null
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

/** The audio rate of the sequence: that of its first source with sound. */
export function audioRateName({ sources }: Timeline): string {
  const track = sources.find((source) => source.audio[0])?.audio[0]
  return namedAudioRates.get(track?.sample_rate ?? 48_000) ?? '48k'
}
