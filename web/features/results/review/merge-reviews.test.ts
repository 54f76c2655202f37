import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Review } from '../../../../contract/footage/review.ts'
import { mergeReviews } from './merge-reviews.ts'

const base: Review = {
  selects: [
    { id: 'a', name: 'A', start_frame: 0, end_frame: 10 },
    { id: 'b', name: 'B', start_frame: 20, end_frame: 30 },
  ],
  accepted_cut_frames: [5],
  rejected_cut_frames: [7],
  shot_threshold: null,
}

test('decisions of two windows are all kept', () => {
  const added = (id: string) => ({ id, name: id, start_frame: 40, end_frame: 50 })
  const mine: Review = {
    ...base,
    selects: [{ ...base.selects[0]!, name: 'Mine' }, base.selects[1]!, added('mine')],
    accepted_cut_frames: [5, 8],
    shot_threshold: 0.5,
  }
  const theirs: Review = {
    ...base,
    selects: [base.selects[0]!, added('theirs')],
    accepted_cut_frames: [],
    rejected_cut_frames: [7, 9],
    tighten: { handle_frames: 2, min_part_frames: 3 },
  }
  const merged = mergeReviews({ base, mine, theirs })
  assert.deepEqual(
    merged.selects.map(({ name }) => name),
    ['Mine', 'theirs', 'mine'],
  )
  assert.deepEqual(merged.accepted_cut_frames, [8])
  assert.deepEqual(merged.rejected_cut_frames, [7, 9])
  assert.equal(merged.shot_threshold, 0.5)
  assert.deepEqual(merged.tighten, theirs.tighten)
})

test('where both judged the same cut, mine counts, and it has one verdict', () => {
  const mine = { ...base, accepted_cut_frames: [5, 7], rejected_cut_frames: [] }
  const theirs = { ...base, accepted_cut_frames: [], rejected_cut_frames: [7, 5] }
  const merged = mergeReviews({ base, mine, theirs })
  assert.deepEqual(merged.accepted_cut_frames, [7])
  assert.deepEqual(merged.rejected_cut_frames, [5])
})

test('a window that changed nothing takes what the other made', () => {
  const theirs = { ...base, selects: [], shot_threshold: 0.7 }
  assert.deepEqual(mergeReviews({ base, mine: base, theirs }), theirs)
  assert.deepEqual(mergeReviews({ base, mine: theirs, theirs: base }), theirs)
})
