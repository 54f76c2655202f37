/** A sync on the screen: asked again while it runs, moved at once and saved a moment later. */
import { replaceEqualDeep, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Sync, SyncItem } from '../../../contract/footage/syncs.ts'
import { api } from '../../app/api.ts'
import { messageOf } from '../../app/failures.ts'
import { keepAddresses, renewEveryMs } from '../../playback/keep-addresses.ts'
import { showToast } from '../../ui/toast.tsx'
import { rateOf, secondsOf } from './sync-clock.ts'
import type { Placements } from './sync-clock.ts'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'

const askAgainMs = 1000
const savePauseMs = 400
/** Offsets are kept in steps of a sample of professional sound. */
const offsetRate = 48_000

export function useSync(id: string) {
  return useQuery({
    queryKey: ['sync', id],
    queryFn: ({ signal }) => api.getSync({ params: { id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.sync.finished_at === null ? askAgainMs : renewEveryMs,
    // A nudge is answered with addresses that are signed again; what plays goes on with its own.
    structuralSharing: (before, next) =>
      keepSyncAddresses(before as SyncReply | undefined, next as SyncReply, Date.now()),
  })
}

interface SyncReply {
  sync: Sync
}

function keepSyncAddresses(
  before: SyncReply | undefined,
  next: SyncReply,
  nowMs: number,
): SyncReply {
  const items = keepAddresses(before?.sync.items ?? [], next.sync.items, nowMs)
  return replaceEqualDeep(before, { ...next, sync: { ...next.sync, items: [...items] } })
}

export function useSyncs() {
  return useInfiniteQuery({
    queryKey: ['syncs'],
    queryFn: ({ pageParam, signal }) =>
      api.listSyncs({ query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
}

export interface Placing extends Placements {
  place: (item: SyncItem, offset: number | null) => void
  /** Ends when the service knows where everything was moved; false where it refused. */
  save: () => Promise<boolean>
  /** Whether the drift of its clock is taken out, on the screen and in exports. */
  isCorrected: (item: SyncItem) => boolean
  setCorrected: (item: SyncItem, isOn: boolean) => void
}

/** From here on a drift can be seen, so it is corrected unless a person says otherwise. */
const seenDriftFrames = 0.5

/** How many frames an item is off at its end. */
export function driftFrames(item: SyncItem, rate: number): number {
  return (Math.abs(item.drift_ppm ?? 0) / 1e6) * item.media.duration * rate
}

/** Which drifts a person switched on or off; kept by this browser. */
function useCorrected(sync: Sync): Pick<Placing, 'isCorrected' | 'setCorrected' | 'stretchOf'> {
  const key = `sync-drift-${sync.id}`
  const [chosen, setChosen] = useState<Record<string, boolean>>(() => {
    try {
      return JSON.parse(readLocal(key) ?? '{}') as Record<string, boolean>
    } catch {
      return {}
    }
  })
  const rate = rateOf(sync)
  const isCorrected = (item: SyncItem): boolean =>
    chosen[item.content_id] ?? driftFrames(item, rate) >= seenDriftFrames
  return {
    isCorrected,
    setCorrected(item, isOn) {
      const next = { ...chosen, [item.content_id]: isOn }
      setChosen(next)
      writeLocal(key, JSON.stringify(next))
    },
    stretchOf: (item) => (isCorrected(item) ? 1 + (item.drift_ppm ?? 0) / 1e6 : 1),
  }
}

/** Shows a move at once; many nudges become one save. */
export function usePlacing(sync: Sync): Placing {
  const queries = useQueryClient()
  const corrected = useCorrected(sync)
  const [moved, setMoved] = useState<ReadonlyMap<string, number>>(new Map())
  const waiting = useRef(new Map<string, string | null>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<boolean> | null>(null)
  const send = useCallback(async (): Promise<boolean> => {
    const items = [...waiting.current].map(([content_id, offset]) => ({ content_id, offset }))
    waiting.current.clear()
    if (items.length === 0) return true
    let isSaved = true
    try {
      const saved = await api.updateSync({ params: { id: sync.id }, body: { items } })
      queries.setQueryData(['sync', sync.id], saved)
    } catch (error) {
      const message = messageOf(error, 'Please check your connection and try again.')
      showToast({ type: 'error', title: 'Not moved', message })
      isSaved = false
    }
    if (waiting.current.size === 0) setMoved(new Map())
    return isSaved
  }, [queries, sync.id])
  /** One after the other, so that an older place never comes last. */
  const save = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    const earlier = running.current
    const work = (async () => {
      const wasSaved = earlier ? await earlier : true
      return (await send()) && wasSaved
    })()
    running.current = work
    const isSaved = await work
    if (running.current === work) running.current = null
    return isSaved
  }, [send])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      void save()
    },
    [save],
  )
  const place = (item: SyncItem, offset: number | null): void => {
    const steps = offset === null ? null : `${Math.round(offset * offsetRate)}/${offsetRate}`
    waiting.current.set(item.content_id, steps)
    setMoved((known) => {
      const next = new Map(known)
      if (offset === null) next.delete(item.content_id)
      else next.set(item.content_id, offset)
      return next
    })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), savePauseMs)
  }
  return {
    sync,
    offsetOf: (item) => moved.get(item.content_id) ?? secondsOf(item.offset),
    place,
    save,
    ...corrected,
  }
}
