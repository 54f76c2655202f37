import type { FindingsOf, Media } from '../../../contract/findings.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

const tones: Record<string, BadgeTone> = { ok: 'good', note: 'brand', warning: 'warn' }

/** What the file is, and whether it will conform. */
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
                <Badge tone={tones[note.severity]}>{note.severity}</Badge>
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
        {media.audio.map((track) => (
          <Line
            key={track.index}
            name={`Audio ${track.index}`}
            value={[
              track.codec,
              track.layout ?? `${track.channels} ch`,
              `${track.sample_rate} Hz`,
              track.language,
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
    ['Kind', `document, ${document.format}`],
    ['Title', document.title],
    ['Author', document.author],
    ['Pages', document.pages],
    ['Words', document.words],
    ['Characters', document.characters],
  ]
}

function mediaRows(media: Media, ffprobe: FindingsOf<'ffprobe'> | undefined): Row[] {
  return [
    ['Kind', media.kind],
    ['Container', media.container],
    ['Duration', `${media.duration.toFixed(3)} s`],
    ['Frames', media.frames],
    [
      'Frame rate',
      media.frame_rate && `${media.frame_rate}${media.variable_frame_rate ? ' (variable)' : ''}`,
    ],
    ['Start timecode', media.start_timecode],
    ['Drop frame', media.drop_frame ? 'yes' : 'no'],
    ['Reel', media.reel],
    ['Size', media.width && media.height ? `${media.width}×${media.height}` : null],
    ['Rotation', media.rotation ? `${media.rotation}°` : null],
    ['Video codec', media.video_codec],
    ['Primaries', ffprobe?.color.primaries ?? null],
    ['Transfer', ffprobe?.color.transfer ?? null],
    ['Bit depth', ffprobe?.color.bit_depth ?? null],
  ]
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="timecode break-words">{value}</dd>
    </>
  )
}
