/** A sync on the screen: asked again while it runs, moved at once and saved a moment later. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { parseRational, toNumber } from '../../../contract/rational.ts'
import type { Sync, SyncItem } from '../../../contract/syncs.ts'
import {
  nearestStandardRate,
  parseRate,
  parseSourceTimecode,
  timecodeFormat,
  toTimecode,
} from '../../../contract/timecode.ts'
import type { TimecodeFormat } from '../../../contract/timecode.ts'
import { api } from '../../app/api.ts'
import { messageOf } from '../../app/failures.ts'
import { showToast } from '../../ui/toast.tsx'

const askAgainMs = 1000
const savePauseMs = 400
/** Offsets are kept in steps of a sample of professional sound. */
const offsetRate = 48_000

export function useSync(id: string) {
  return useQuery({
    queryKey: ['sync', id],
    queryFn: ({ signal }) => api.getSync({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.sync.finished_at === null ? askAgainMs : false),
  })
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

export interface Placing {
  sync: Sync
  /** Second of the group's clock at which an item begins; null: not placed. */
  offsetOf: (item: SyncItem) => number | null
  place: (item: SyncItem, offset: number | null) => void
  /** Ends when the service knows where everything was moved; false where it refused. */
  save: () => Promise<boolean>
  /** Whether the drift of its clock is taken out, on the screen and in exports. */
  isCorrected: (item: SyncItem) => boolean
  setCorrected: (item: SyncItem, isOn: boolean) => void
  /** Seconds of the group's clock for each second of an item. */
  stretchOf: (item: SyncItem) => number
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
      return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, boolean>
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
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // A full or forbidden storage only means that the choice is not remembered.
      }
    },
    stretchOf: (item) => (isCorrected(item) ? 1 + (item.drift_ppm ?? 0) / 1e6 : 1),
  }
}

/** What a person moves is shown at once; many nudges become one save. */
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

export function secondsOf(fraction: string | null): number | null {
  const exact = fraction === null ? null : parseRational(fraction)
  return exact ? toNumber(exact) : null
}

/** Frames a second of the first picture, on which everything is counted. */
export function rateOf(sync: Sync): number {
  const seen = sync.items.find(({ media }) => media.kind === 'video' && media.frame_rate)
  const rate = parseRate(seen?.media.frame_rate ?? '25/1')
  return rate ? toNumber(nearestStandardRate(rate)) : 25
}

/** +00:00:06:02.4, with tenths of a frame. */
export function offsetText(seconds: number, rate: number): string {
  const tenths = Math.round(Math.abs(seconds) * rate * 10)
  const sign = tenths === 0 ? '' : seconds < 0 ? '−' : '+'
  const format = timecodeFormat(String(Math.round(rate)), false)
  return `${sign}${toTimecode(Math.floor(tenths / 10), format)}.${tenths % 10}`
}

/** Where an item runs on the group's clock. */
export function spanOf(
  item: SyncItem,
  { offset, stretch }: { offset: number; stretch: number },
): { start: number; end: number } {
  return { start: offset, end: offset + item.media.duration * stretch }
}

/** Where everything that is placed or guessed lies, with the stretches that all placed items share. */
export function clockOf({ sync, offsetOf, stretchOf }: Placing, group: number) {
  const placed = sync.items.flatMap((item) => {
    const offset = offsetOf(item)
    return item.group === group && offset !== null
      ? [spanOf(item, { offset, stretch: stretchOf(item) })]
      : []
  })
  const start = Math.min(0, ...placed.map((span) => span.start))
  const end = Math.max(1, ...placed.map((span) => span.end))
  const common = {
    start: Math.max(...placed.map((span) => span.start)),
    end: Math.min(...placed.map((span) => span.end)),
  }
  return { start, end, common: common.end > common.start ? common : null }
}

/** The reference first; each keeps the number of its angle. */
export function tracksOf(sync: Sync): { item: SyncItem; number: number }[] {
  return sync.items
    .map((item, index) => ({ item, number: index + 1 }))
    .toSorted((a, b) => Number(b.item.reference) - Number(a.item.reference))
}

/** The clock in timecode: that of the group's reference, or of the item that has one. */
export function rulerOf(
  placing: Placing,
  group: number,
  rate: number,
): { format: TimecodeFormat; startFrame: number } {
  const format = timecodeFormat(String(Math.round(rate)), false)
  const { start } = clockOf(placing, group)
  const witness = tracksOf(placing.sync).find(
    ({ item }) => item.group === group && item.media.start_timecode,
  )?.item
  const offset = witness ? placing.offsetOf(witness) : null
  const known = parseSourceTimecode(witness?.media.start_timecode ?? '', format)
  if (known === null || offset === null) return { format, startFrame: 0 }
  return { format, startFrame: Math.max(0, known + Math.round((start - offset) * rate)) }
}

/** A second of the group's clock as timecode. */
export function clockTimecode(
  placing: Placing,
  group: number,
  rate: number,
  second: number,
): string {
  const { format, startFrame } = rulerOf(placing, group, rate)
  const { start } = clockOf(placing, group)
  return toTimecode(startFrame + Math.max(0, Math.round((second - start) * rate)), format)
}

export function lengthText(seconds: number): string {
  const whole = Math.floor(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
