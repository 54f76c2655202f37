/** Selects and decisions of a review: changed at once on the screen, kept on the server soon after. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Review, Select } from '../../../contract/jobs.ts'
import { api } from '../../api.ts'
import { showToast } from '../../ui/toast.tsx'

const savePauseMs = 600
const empty: Review = {
  selects: [],
  accepted_cut_frames: [],
  rejected_cut_frames: [],
  shot_threshold: null,
}

export interface ReviewState {
  review: Review
  addSelect: (range: { startFrame: number; endFrame: number }) => void
  changeSelect: (id: string, change: Partial<Select>) => void
  removeSelect: (id: string) => void
  decide: (frame: number, verdict: 'accepted' | 'rejected' | null) => void
  setThreshold: (threshold: number | null) => void
}

export function useReview(jobId: string): ReviewState {
  const stored = useQuery({
    queryKey: ['review', jobId],
    queryFn: ({ signal }) => api.getReview({ params: { id: jobId } }, { signal }),
    staleTime: Infinity,
  })
  const [changed, setChanged] = useState<Review | null>(null)
  const review = changed ?? stored.data?.review ?? empty
  useSaving(jobId, changed)
  const change = useCallback(
    (next: (review: Review) => Partial<Review>) =>
      setChanged((before) => {
        const current = before ?? stored.data?.review ?? empty
        return { ...current, ...next(current) }
      }),
    [stored.data],
  )
  return {
    review,
    addSelect: ({ startFrame, endFrame }) =>
      change(({ selects }) => ({
        selects: [
          ...selects,
          {
            id: crypto.randomUUID(),
            name: `Select ${selects.length + 1}`,
            start_frame: startFrame,
            end_frame: endFrame,
          },
        ],
      })),
    changeSelect: (id, part) =>
      change(({ selects }) => ({
        selects: selects.map((item) => (item.id === id ? { ...item, ...part } : item)),
      })),
    removeSelect: (id) =>
      change(({ selects }) => ({ selects: selects.filter((item) => item.id !== id) })),
    decide: (frame, verdict) =>
      change((before) => {
        const without = (list: number[]): number[] => list.filter((item) => item !== frame)
        const accepted = without(before.accepted_cut_frames)
        const rejected = without(before.rejected_cut_frames)
        if (verdict === 'accepted') accepted.push(frame)
        if (verdict === 'rejected') rejected.push(frame)
        return { accepted_cut_frames: accepted, rejected_cut_frames: rejected }
      }),
    setThreshold: (threshold) => change(() => ({ shot_threshold: threshold })),
  }
}

function useSaving(jobId: string, changed: Review | null): void {
  const save = useMutation({
    mutationFn: (review: Review) => api.saveReview({ params: { id: jobId }, body: review }),
    onError: () =>
      showToast({
        type: 'error',
        title: 'Not saved',
        message: 'Your selects could not be saved. They are tried again with the next change.',
      }),
  })
  const mutate = useRef(save.mutate)
  useEffect(() => {
    mutate.current = save.mutate
  })
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(() => mutate.current(changed), savePauseMs)
    return () => clearTimeout(timer)
  }, [changed])
}
