/** Plays a search hit in the viewer before it is added. */
import { useCallback, useState, useSyncExternalStore } from 'react'
import { api as endpoints } from '../../../../contract/api.ts'
import { addressOf } from '../../../../contract/endpoint.ts'
import type { SearchHit } from '../../../../contract/search.ts'
import { parseRational, toNumber } from '../../../../contract/rational.ts'
import { knownFrameTimes } from '../../../../contract/source-times.ts'
import { api } from '../../../app/api.ts'
import { currentApiAddress } from '../../../app/api-address.ts'
import { frameClock } from '../../../app/frame-clock.ts'
import { readFrameSeconds } from '../../../app/frame-seconds.ts'
import { showToast } from '../../../ui/toast.tsx'
import { rangeOfHit } from '../hit-range.ts'
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
  const own = parseRational(results.media?.frame_rate ?? '25/1')
  if (!proxy || !rate || !own) return null
  const url = addressOf(currentApiAddress(), endpoints.getJobFile, {
    params: { ...params, name: proxy.file },
    query: { ticket },
  })
  const seconds = (range.out - range.in) / toNumber(own)
  const frames = Math.max(1, Math.round(seconds * framesPerSecond))
  const event = {
    rangeId: 'preview',
    rangeIndex: 0,
    contentId: range.content_id,
    in: range.in,
    out: range.out,
    recordIn: 0,
    recordOut: frames,
  }
  const { media } = results
  const exactSeconds = media?.variable_frame_rate
    ? ((await readFrameSeconds(url).catch(() => null)) ?? undefined)
    : undefined
  const clip = {
    url,
    clock: frameClock({
      startFrame: proxy.start_frame ?? 0,
      framesPerSecond: toNumber(rate),
      frameTimes: media ? knownFrameTimes({ ...results, media }) : null,
      exactSeconds,
    }),
  }
  return { events: [event], frames, framesPerSecond, clip: () => clip }
}
