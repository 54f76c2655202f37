/** Plays a search hit in the viewer before it is added. */
import { useCallback, useState, useSyncExternalStore } from 'react'
import { api as endpoints } from '../../../../contract/api.ts'
import { addressOf } from '../../../../contract/endpoint.ts'
import type { SearchHit } from '../../../../contract/footage/search.ts'
import { parseRational, toNumber } from '../../../../domain/time/rational.ts'
import { knownFrameTimes } from '../../../../domain/time/source-times.ts'
import { api } from '../../../app/api.ts'
import { currentApiAddress } from '../../../app/api-address.ts'
import { frameClock } from '../../../playback/frame-clock.ts'
import { readFrameSeconds } from '../../../playback/frame-seconds.ts'
import { showToast } from '../../../ui/toast.tsx'
import { rangeOfHit } from '../hit-range.ts'
import { spanSeconds } from '../source-seconds.ts'
import type { Program } from './cut-player.ts'
import type { Deck } from './deck.ts'

export function useHitPreview(
  deck: Deck,
  framesPerSecond: number,
): {
  hit: SearchHit | null
  start: (hit: SearchHit) => Promise<void>
} {
  const [shown, setShown] = useState<SearchHit | null>(null)
  const isPreview = useSyncExternalStore(deck.subscribe, deck.isPreview)
  const start = useCallback(
    async (hit: SearchHit) => {
      const isWanted = deck.ask()
      const program = await programOf(hit, framesPerSecond).catch(() => null)
      if (!isWanted()) return
      if (program) {
        setShown(hit)
        deck.preview(program)
      } else {
        const message = 'Run Thumbnails on the clip to see it here.'
        showToast({ type: 'info', title: 'No preview of this clip', message })
      }
    },
    [deck, framesPerSecond],
  )
  return { hit: isPreview ? shown : null, start }
}

async function programOf(hit: SearchHit, framesPerSecond: number): Promise<Program | null> {
  const range = rangeOfHit(hit)
  if (!range) return null
  const params = { id: hit.job_id }
  const [{ results }, { ticket }] = await Promise.all([
    api.getJobResults({ params, query: {} }),
    api.createFileTicket({ params }),
  ])
  const proxy = results.thumbnail?.proxy
  const rate = proxy && parseRational(proxy.frame_rate)
  if (!proxy || !rate) return null
  const url = addressOf(currentApiAddress(), endpoints.getJobFile, {
    params: { ...params, name: proxy.file },
    query: { ticket },
  })
  const { media } = results
  const source = media && {
    content_id: range.content_id,
    media,
    frame_times: knownFrameTimes({ ...results, media }),
  }
  const frames = Math.max(1, Math.round(spanSeconds(source, range) * framesPerSecond))
  const event = {
    rangeId: 'preview',
    rangeIndex: 0,
    contentId: range.content_id,
    in: range.in,
    out: range.out,
    recordIn: 0,
    recordOut: frames,
  }
  const exactSeconds = media?.variable_frame_rate
    ? ((await readFrameSeconds(url).catch(() => null)) ?? undefined)
    : undefined
  const clip = {
    url,
    clock: frameClock({
      startFrame: proxy.start_frame ?? 0,
      framesPerSecond: toNumber(rate),
      frameTimes: source?.frame_times,
      exactSeconds,
    }),
  }
  return { events: [event], frames, framesPerSecond, clip: () => clip }
}
