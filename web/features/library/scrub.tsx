/** The pointer over a poster shows the frame at that place of the clip, out of its sprite. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PointerEvent } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { Findings, Media } from '../../../domain/findings/findings.ts'
import { addressOf } from '../../../contract/endpoint.ts'
import { sourceTimecode } from '../../../domain/time/source-timecode.ts'
import { sourceTimes } from '../../../domain/time/source-times.ts'
import { api } from '../../app/api.ts'
import { currentApiAddress } from '../../app/api-address.ts'

/** Tickets of files live for an hour. */
const freshMs = 30 * 60_000

export function useScrub(clip: ContentItem) {
  const [share, setShare] = useState<number | null>(null)
  const thumbnails = clip.analysis.find(
    ({ extractor, state }) => extractor === 'thumbnail' && state === 'done',
  )
  return {
    overlay: share !== null && thumbnails && (
      <Scrubbed clip={clip} jobId={thumbnails.job_id} share={share} />
    ),
    handlers: thumbnails
      ? {
          onPointerMove: (event: PointerEvent) => {
            if (event.pointerType !== 'mouse') return
            const { left, width } = event.currentTarget.getBoundingClientRect()
            setShare(Math.min(1, Math.max(0, (event.clientX - left) / width)))
          },
          onPointerLeave: () => setShare(null),
        }
      : {},
  }
}

function Scrubbed({ clip, jobId, share }: { clip: ContentItem; jobId: string; share: number }) {
  const { data } = useQuery({
    queryKey: ['scrub', jobId],
    queryFn: ({ signal }) => readSprite(jobId, signal),
    staleTime: freshMs,
    retry: false,
  })
  if (!data) return null
  const { results, sprite, sheets } = data
  const frames = clip.media?.frames ?? sprite.count * sprite.interval_frames
  const frame = Math.min(frames - 1, Math.floor(share * frames))
  const wanted = Math.floor((frame - (sprite.start_frame ?? 0)) / sprite.interval_frames)
  const tile = Math.min(sprite.count - 1, Math.max(0, wanted))
  const perSheet = sprite.columns * sprite.rows
  const [column, row] = [tile % sprite.columns, Math.floor((tile % perSheet) / sprite.columns)]
  const part = (at: number, count: number): string =>
    count > 1 ? `${(at / (count - 1)) * 100}%` : '0'
  return (
    <span aria-hidden className="pointer-events-none absolute inset-0 grid bg-surround">
      <span
        className="m-auto h-full max-w-full"
        style={{
          aspectRatio: `${sprite.tile_width} / ${sprite.tile_height}`,
          backgroundImage: `url("${sheets[Math.floor(tile / perSheet)] ?? ''}")`,
          backgroundSize: `${sprite.columns * 100}% ${sprite.rows * 100}%`,
          backgroundPosition: `${part(column, sprite.columns)} ${part(row, sprite.rows)}`,
        }}
      />
      <span className="absolute inset-y-0 w-px bg-playhead" style={{ left: `${share * 100}%` }} />
      <span className="timecode absolute bottom-1 left-1 rounded-sm bg-[oklch(0%_0_0/70%)] px-1 text-xs text-[oklch(80%_0.13_70)]">
        {timecodeAt(frame, results.media ?? clip.media, results)}
      </span>
    </span>
  )
}

async function readSprite(id: string, signal: AbortSignal) {
  const [{ results }, { ticket }] = await Promise.all([
    api.getJobResults({ params: { id }, query: { extractor: 'thumbnail' } }, { signal }),
    api.createFileTicket({ params: { id } }, { signal }),
  ])
  const sprite = results.thumbnail?.sprite
  if (!sprite) return null
  const sheets = sprite.file.map((name) =>
    addressOf(currentApiAddress(), endpoints.getJobFile, {
      params: { id, name },
      query: { ticket },
    }),
  )
  return { results, sprite, sheets }
}

/** The stills are the frames of a variable clip whose times are at hand here. */
function timecodeAt(frame: number, media: Media | null, findings: Partial<Findings>): string {
  if (!media?.frame_rate) return ''
  return sourceTimecode(media, frame, sourceTimes({ ...findings, media })(frame))
}
