import type { FindingsOf, Media } from '../../../../domain/findings/findings.ts'
import { canDropFrame, parseRate, rateLabel } from '../../../../domain/time/timecode.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { BadgeTone } from '../../../ui/badge.tsx'
import { codecName, colourName, containerName, sampleRateName } from '../viewer/media-names.ts'

const verdicts: Record<string, { label: string; tone: BadgeTone }> = {
  ok: { label: 'Ready', tone: 'good' },
  note: { label: 'Note', tone: 'brand' },
  warning: { label: 'Check', tone: 'warn' },
}

/** Facts of the file, and whether it will conform. */
export function MetadataTab({
  media,
  ffprobe,
}: {
  media: Media
  ffprobe: FindingsOf<'ffprobe'> | undefined
}) {
  const { document } = ffprobe ?? {}
  const rows: Row[] = document ? documentRows(document) : mediaRows(media, ffprobe)
  return (
    <div className="flex flex-col gap-5">
      {ffprobe && ffprobe.conform.length > 0 && (
        <section aria-label="Will it conform?">
          <h3 className="mb-2 font-semibold">Will it conform?</h3>
          <ul className="flex flex-col gap-2">
            {ffprobe.conform.map((note) => (
              <li key={note.code} className="flex items-start gap-2">
                <Badge tone={verdicts[note.severity]?.tone}>{verdicts[note.severity]?.label}</Badge>
                <span className="text-ink-2">{note.message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1.5 [&_dt]:text-ink-3">
        {rows
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <Line key={name} name={name} value={String(value)} />
          ))}
        {media.audio.map((track, at) => (
          <Line
            key={track.index}
            name={media.audio.length > 1 ? `Sound ${at + 1}` : 'Sound'}
            value={[
              codecName(track.codec),
              layoutName(track),
              sampleRateName(track.sample_rate),
              track.language === 'und' ? null : track.language,
              track.title,
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </dl>
    </div>
  )
}

type Row = [string, string | number | null]

function documentRows(document: NonNullable<FindingsOf<'ffprobe'>['document']>): Row[] {
  return [
    ['Kind', `Document, ${document.format.toUpperCase()}`],
    ['Title', document.title],
    ['Author', document.author],
    ['Pages', document.pages],
    ['Words', document.words],
    ['Characters', document.characters],
  ]
}

const kinds: Record<string, string> = { video: 'Video', audio: 'Sound only', image: 'Image' }

function mediaRows(media: Media, ffprobe: FindingsOf<'ffprobe'> | undefined): Row[] {
  const rate = media.kind === 'video' && media.frame_rate ? parseRate(media.frame_rate) : null
  return [
    ['Kind', kinds[media.kind] ?? media.kind],
    ['Container', media.container && containerName(media.container)],
    ['Duration', media.duration > 0 ? `${media.duration.toFixed(3)} s` : null],
    ['Frames', rate && media.frames.toLocaleString('en-US')],
    [
      'Frame rate',
      rate && `${rateLabel(rate)} fps${media.variable_frame_rate ? ', variable' : ''}`,
    ],
    ['Start timecode', media.start_timecode],
    ['Counting', rate && canDropFrame(rate) ? countingName(media) : null],
    ['Reel', media.reel],
    ['Size', media.width && media.height ? `${media.width}×${media.height}` : null],
    ['Rotation', media.rotation ? `${media.rotation}°` : null],
    ['Video codec', media.video_codec && codecName(media.video_codec)],
    ['Primaries', colourName(ffprobe?.color.primaries ?? null)],
    ['Transfer', colourName(ffprobe?.color.transfer ?? null)],
    ['Bit depth', ffprobe?.color.bit_depth ? `${ffprobe.color.bit_depth} bit` : null],
  ]
}

function countingName(media: Media): string {
  return media.drop_frame ? 'Drop frame' : 'Non-drop frame'
}

function layoutName({ layout, channels }: Media['audio'][number]): string {
  return layout ?? (channels === 1 ? 'mono' : `${channels} channels`)
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="timecode break-words">{value}</dd>
    </>
  )
}
