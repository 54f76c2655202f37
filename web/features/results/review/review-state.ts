/** Selects and decisions of a review, merged with those of other windows. */
import { useMemo } from 'react'
import type { Review, SavedReview, Select } from '../../../../contract/footage/review.ts'
import { api } from '../../../app/api.ts'
import { newSelect } from '../../../app/new-select.ts'
import type { DocumentRules, Stored } from '../../../saved/saved-document.ts'
import { useLoadedDocument } from '../../../saved/use-saved-document.ts'
import type { DocumentState } from '../../../saved/use-saved-document.ts'
import { showToast } from '../../../ui/toast.tsx'
import { mergeReviews } from './merge-reviews.ts'

const empty: Review = {
  selects: [],
  accepted_cut_frames: [],
  rejected_cut_frames: [],
  shot_threshold: null,
}

export interface ReviewState extends Pick<
  DocumentState<Review, never>,
  'isLoaded' | 'undo' | 'redo' | 'undoAt' | 'redoAt' | 'save'
> {
  review: Review
  addSelect: (range: { startFrame: number; endFrame: number }) => void
  changeSelect: (id: string, change: Partial<Select>) => void
  removeSelect: (id: string) => void
  decide: (frame: number, verdict: 'accepted' | 'rejected' | null) => void
  setThreshold: (threshold: number | null) => void
  setTighten: (tighten: NonNullable<Review['tighten']>) => void
}

/** The review of a job, or of a clip before its first job. */
export function useReview(jobId: string | null, contentId: string): ReviewState {
  const id = jobId ?? contentId
  const params = { id }
  const load = async (signal: AbortSignal) =>
    stored(
      jobId
        ? await api.getReview({ params }, { signal })
        : await api.getClipReview({ params }, { signal }),
    )
  const send: Send = (call, options) =>
    jobId ? api.saveReview(call, options) : api.saveClipReview(call, options)
  const document = useLoadedDocument(['review', id], load, rulesOf(id, send))
  return useMemo(() => {
    const { value, isLoaded, isError, change } = document
    const changeSelects = (next: (selects: readonly Select[]) => Select[], run?: string): void =>
      change((review) => ({ ...review, selects: next(review.selects) }), run)
    return {
      ...document,
      review: value,
      isLoaded: isLoaded || isError,
      addSelect: (range) =>
        changeSelects((selects) => {
          const { select, isNew } = newSelect(selects, range)
          if (isNew) return [...selects, select]
          const message = `“${select.name}” already covers this range.`
          showToast({ type: 'info', title: 'No select made', message })
          return [...selects]
        }),
      changeSelect: (id, part) =>
        changeSelects(
          (selects) => selects.map((item) => (item.id === id ? { ...item, ...part } : item)),
          `select ${id}`,
        ),
      removeSelect: (id) => {
        changeSelects((selects) => selects.filter((item) => item.id !== id))
        showToast({ type: 'info', title: 'Select removed', message: 'Press Ctrl Z to undo.' })
      },
      decide: (frame, verdict) =>
        change((review) => {
          const decided = (list: readonly number[], isHere: boolean): number[] => [
            ...list.filter((item) => item !== frame),
            ...(isHere ? [frame] : []),
          ]
          return {
            ...review,
            accepted_cut_frames: decided(review.accepted_cut_frames, verdict === 'accepted'),
            rejected_cut_frames: decided(review.rejected_cut_frames, verdict === 'rejected'),
          }
        }),
      setThreshold: (shot_threshold) =>
        change((review) => ({ ...review, shot_threshold }), 'threshold'),
      setTighten: (tighten) => change((review) => ({ ...review, tighten }), 'tighten'),
    }
  }, [document])
}

type Send = (
  call: { params: { id: string }; body: Review & { version?: number } },
  options: { keepalive: boolean },
) => Promise<SavedReview>

function rulesOf(id: string, send: Send): DocumentRules<Review, never> {
  return {
    name: `review:${id}`,
    empty,
    isValue: ({ selects, accepted_cut_frames, rejected_cut_frames }) =>
      [selects, accepted_cut_frames, rejected_cut_frames].every(Array.isArray),
    async save(review, version, options) {
      const body = { ...review, ...(version === undefined ? {} : { version }) }
      return (await send({ params: { id }, body }, options)).version
    },
    canOvertake: true,
    readSaved: stored,
    merge: (sides) => ({ value: mergeReviews(sides), conflicts: [] }),
    refusal: 'The service did not take your selects.',
    onUnreachable() {
      const message = 'We couldn’t save your selects. They are kept here, and we’ll keep trying.'
      showToast({ type: 'error', title: 'Not saved', message })
    },
  }
}

function stored({ review, version }: SavedReview): Stored<Review> {
  return { value: review, version }
}
