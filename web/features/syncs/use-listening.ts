/** Two tracks at once, while they play together and for a second after each nudge. */
import { useEffect, useRef, useState } from 'react'
import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { showFailure } from '../../app/failures.ts'
import type { Heard, Listening } from './listen.ts'
import type { Placing } from './sync-data.ts'

export interface Transport {
  /** Second of the group's clock. */
  at: number
  isPlaying: boolean
  /** The chosen track left and the reference right, instead of the chosen track alone. */
  isBoth: boolean
  /** Counts jumps of the playhead, which playing follows. */
  jumps: number
}

/** To each side of the playhead. */
const momentSeconds = 0.5

export function useListening({
  placing,
  item,
  reference,
  transport: { at, isPlaying, isBoth, jumps },
  until,
  onTime,
  onEnd,
}: {
  placing: Placing
  item: SyncItem
  reference: SyncItem | undefined
  transport: Transport
  until: number
  onTime: (second: number) => void
  onEnd: () => void
}): { hearMoment: () => void } {
  const [moment, setMoment] = useState(0)
  const offset = placing.offsetOf(item)
  const stretch = placing.stretchOf(item)
  const syncId = placing.sync.id
  const leftId = item.content_id
  const rightId = reference?.content_id
  // Effects start with the newest of these without starting again for them.
  const latest = useRef({ at, until, onTime, onEnd })
  useEffect(() => {
    latest.current = { at, until, onTime, onEnd }
  })
  const canListen = offset !== null && rightId !== undefined && rightId !== leftId
  useEffect(() => {
    if (!canListen || !isPlaying || !isBoth) return undefined
    const { at: from, until: end } = latest.current
    return listen(
      {
        left: { syncId, contentId: leftId, offset, stretch },
        right: { syncId, contentId: rightId },
      },
      {
        from,
        until: end,
        onTime: (second) => latest.current.onTime(second),
        onEnd: () => latest.current.onEnd(),
      },
    )
  }, [canListen, isPlaying, isBoth, jumps, syncId, leftId, rightId, offset, stretch])
  const isHeard = moment > 0 && canListen && !isPlaying
  useEffect(() => {
    if (!isHeard) return undefined
    const { at: middle } = latest.current
    return listen(
      {
        left: { syncId, contentId: leftId, offset, stretch },
        right: { syncId, contentId: rightId },
      },
      {
        from: middle - momentSeconds,
        until: middle + momentSeconds,
        onTime: () => undefined,
        onEnd: () => undefined,
      },
    )
    // Each nudge is heard once, whatever else changes meanwhile.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [moment])
  return { hearMoment: () => setMoment((count) => count + 1) }
}

/** The player comes when it is needed first; what it returns stops it, loaded or not. */
function listen(
  tracks: { left: Heard; right: Pick<Heard, 'syncId' | 'contentId'> },
  play: { from: number; until: number; onTime: (second: number) => void; onEnd: () => void },
): () => void {
  let listening: Listening | null = null
  let isStopped = false
  const onFault = (error: unknown): void => {
    if (isStopped) return
    play.onEnd()
    showFailure(error, { title: 'The sound could not be played' })
  }
  const start = async (): Promise<void> => {
    const { listenToBoth } = await import('./listen.ts')
    if (isStopped) return
    // The clock is the reference's own.
    const right = { ...tracks.right, offset: 0, stretch: 1 }
    listening = listenToBoth({ left: tracks.left, right, ...play, onFault })
  }
  start().catch(onFault)
  return () => {
    isStopped = true
    listening?.stop()
  }
}
