/**
 * Selects and decisions of a review: changed at once on the screen, kept on the server soon after,
 * and at the latest when the page is left. Who comes back to the tab sees what was decided elsewhere.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Review, Select } from '../../../../contract/review.ts'
import { api } from '../../../app/api.ts'
import { showToast } from '../../../ui/toast.tsx'
import { newSelect } from '../../../app/new-select.ts'

const savePauseMs = 600
const empty: Review = {
  selects: [],
  accepted_cut_frames: [],
  rejected_cut_frames: [],
  shot_threshold: null,
}

/** Nothing where nothing changes. */
type Change = (review: Review) => Partial<Review> | null

const maxUndone = 200

export interface ReviewState {
  review: Review
  addSelect: (range: { startFrame: number; endFrame: number }) => void
  changeSelect: (id: string, change: Partial<Select>) => void
  removeSelect: (id: string) => void
  decide: (frame: number, verdict: 'accepted' | 'rejected' | null) => void
  setThreshold: (threshold: number | null) => void
  setTighten: (tighten: NonNullable<Review['tighten']>) => void
  /** Undoes the last decision. */
  undo: () => void
  redo: () => void
  /** When the next step back, and the next step forward, was taken. */
  undoAt: () => number
  redoAt: () => number
  /** Ends when everything decided so far is on the server. */
  save: () => Promise<void>
}

interface Step {
  review: Review
  run: string | undefined
  at: number
}

export function useReview(jobId: string): ReviewState {
  const queries = useQueryClient()
  const queryKey = useMemo(() => ['review', jobId], [jobId])
  const { keep, save, isSaved } = useSaving(jobId)
  // The cache tells of a change a moment later, when a field has already taken its letter back.
  const [changed, setChanged] = useState<Review | null>(null)
  const stored = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = await api.getReview({ params: { id: jobId } }, { signal })
      // What was decided while this was on its way is newer, and is about to be kept.
      if (!isSaved()) return queries.getQueryData<typeof answer>(queryKey) ?? answer
      setChanged(null)
      return answer
    },
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  })
  const review = changed ?? stored.data?.review ?? empty
  const early = useRef<Change[]>([])
  const past = useRef<Step[]>([])
  const future = useRef<Step[]>([])
  const change = useCallback(
    (next: Change, run?: string) => {
      const before = queries.getQueryData<{ review: Review }>(queryKey)?.review
      // What was decided before is not known yet, and must not be thrown away: this waits for it.
      if (!before) {
        early.current.push(next)
        return
      }
      const part = next(before)
      if (!part) return
      // Letters of one name and places of one slider are taken back together.
      if (!run || past.current.at(-1)?.run !== run) {
        past.current.push({ review: before, run, at: Date.now() })
      }
      future.current = []
      if (past.current.length > maxUndone) past.current.shift()
      const after = { ...before, ...part }
      setChanged(after)
      queries.setQueryData(queryKey, { review: after })
      keep(after)
    },
    [queries, queryKey, keep],
  )
  /** Taking back, and taking that back, is no decision of its own. */
  const travel = (from: typeof past, to: typeof past): void => {
    const step = from.current.pop()
    if (!step) return
    const before = queries.getQueryData<{ review: Review }>(queryKey)?.review ?? empty
    to.current.push({ review: before, run: undefined, at: Date.now() })
    const [kept, ahead] = [[...past.current], [...future.current]]
    change(() => step.review)
    past.current = kept
    future.current = ahead
  }
  useEffect(() => {
    if (stored.isSuccess) for (const next of early.current.splice(0)) change(next)
  }, [stored.isSuccess, change])
  return {
    review,
    save,
    addSelect: (range) =>
      change(({ selects }) => {
        const { select, isNew } = newSelect(selects, range)
        if (isNew) return { selects: [...selects, select] }
        const message = `“${select.name}” already covers this range.`
        showToast({ type: 'info', title: 'No select made', message })
        return null
      }),
    changeSelect: (id, part) =>
      change(
        ({ selects }) => ({
          selects: selects.map((item) => (item.id === id ? { ...item, ...part } : item)),
        }),
        `select ${id}`,
      ),
    removeSelect: (id) => {
      change(({ selects }) => ({ selects: selects.filter((item) => item.id !== id) }))
      showToast({ type: 'info', title: 'Select removed', message: 'Press Ctrl Z to undo.' })
    },
    decide: (frame, verdict) =>
      change((before) => {
        const without = (list: number[]): number[] => list.filter((item) => item !== frame)
        const accepted = without(before.accepted_cut_frames)
        const rejected = without(before.rejected_cut_frames)
        if (verdict === 'accepted') accepted.push(frame)
        if (verdict === 'rejected') rejected.push(frame)
        return { accepted_cut_frames: accepted, rejected_cut_frames: rejected }
      }),
    setThreshold: (threshold) => change(() => ({ shot_threshold: threshold }), 'threshold'),
    setTighten: (tighten) => change(() => ({ tighten }), 'tighten'),
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    undoAt: () => past.current.at(-1)?.at ?? 0,
    redoAt: () => future.current.at(-1)?.at ?? 0,
  }
}

/** What a browser sends for a page that is gone has to be short; three bytes are a letter's most. */
const longestKeptAlive = 20_000

/**
 * Saves after a pause, at once when asked, and when the screen or the page is left. One is sent after the
 * other, so that an older one never comes last; `save` ends when the server has them all.
 */
function useSaving(jobId: string): {
  keep: (review: Review) => void
  save: () => Promise<void>
  isSaved: () => boolean
} {
  const waiting = useRef<Review | null>(null)
  const underway = useRef(0)
  const sent = useRef(Promise.resolve())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = useCallback(async () => {
    clearTimeout(timer.current)
    const body = waiting.current
    if (!body) return
    waiting.current = null
    underway.current += 1
    try {
      const keepalive = JSON.stringify(body).length < longestKeptAlive
      await api.saveReview({ params: { id: jobId }, body }, { keepalive })
    } catch {
      waiting.current ??= body
      showToast({
        type: 'error',
        title: 'Not saved',
        message: 'We couldn’t save your selects. We’ll retry with your next change.',
      })
    } finally {
      underway.current -= 1
    }
  }, [jobId])
  const save = useCallback((): Promise<void> => {
    sent.current = sent.current.then(send)
    return sent.current
  }, [send])
  const keep = useCallback(
    (review: Review) => {
      waiting.current = review
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), savePauseMs)
    },
    [save],
  )
  useEffect(() => {
    // A page that is left may not live until an earlier one has arrived.
    const leave = (): void => void send()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [send])
  const isSaved = useCallback(() => waiting.current === null && underway.current === 0, [])
  return { keep, save, isSaved }
}
