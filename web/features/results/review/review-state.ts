/**
 * Selects and decisions of a review: changed at once on the screen, kept on the server soon after,
 * and at the latest when the page is left. Who comes back to the window sees what was decided
 * elsewhere, joined with what was decided here.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Review, SavedReview, Select } from '../../../../contract/review.ts'
import { api } from '../../../app/api.ts'
import { showToast } from '../../../ui/toast.tsx'
import { newSelect } from '../../../app/new-select.ts'
import { mergeReviews } from './merge-reviews.ts'
import { createReviewSaving } from './review-saving.ts'

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
  /** False while what was decided before is on its way. */
  isLoaded: boolean
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
  /** Ends when everything decided so far is on the server; false where it cannot be brought there. */
  save: () => Promise<boolean>
}

interface Step {
  review: Review
  run: string | undefined
  at: number
}

export function useReview(jobId: string): ReviewState {
  const queries = useQueryClient()
  const queryKey = useMemo(() => ['review', jobId], [jobId])
  const saving = useMemo(() => {
    const known = queries.getQueryData<{ review: Review }>(queryKey)
    return createReviewSaving(jobId, known?.review ?? null)
  }, [jobId, queries, queryKey])
  // The cache tells of a change a moment later, when a field has already taken its letter back.
  const [changed, setChanged] = useState<Review | null>(null)
  const early = useRef<Change[]>([])
  const past = useRef<Step[]>([])
  const future = useRef<Step[]>([])
  /**
   * Joins what the server has with what was decided here since `base`; steps back and forward must not
   * undo what was decided elsewhere.
   */
  const adopt = useCallback(
    ({ review: theirs, version }: SavedReview, base: Review | null): Review => {
      const mine = saving.sides()?.mine
      if (!base || !mine) {
        saving.receive({ base: theirs, mine: theirs }, version)
        return theirs
      }
      for (const step of [...past.current, ...future.current]) {
        step.review = mergeReviews({ base, mine: step.review, theirs })
      }
      const joined = mergeReviews({ base, mine, theirs })
      const isNew =
        JSON.stringify(joined) !== JSON.stringify(mergeReviews({ base, mine: base, theirs }))
      saving.receive({ base: theirs, mine: joined }, version)
      setChanged(isNew ? joined : null)
      if (isNew) saving.keep(joined)
      return isNew ? joined : theirs
    },
    [saving],
  )
  useEffect(
    () =>
      saving.attend((saved) => {
        const review = adopt(saved, saving.sides()?.base ?? null)
        queries.setQueryData(queryKey, { review })
      }),
    [saving, adopt, queries, queryKey],
  )
  const stored = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = saving.sides()
      const answer = await api.getReview({ params: { id: jobId } }, { signal })
      return { review: adopt(answer, before?.base ?? null) }
    },
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  const { refetch } = stored
  useEffect(() => {
    // Two windows side by side are both visible, so that only this says which one is worked in.
    const look = (): void => void refetch()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [refetch])
  const review = changed ?? stored.data?.review ?? empty
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
      saving.keep(after)
    },
    [queries, queryKey, saving],
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
    isLoaded: !stored.isPending,
    save: saving.save,
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
