import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import { seamBetween } from './seam.ts'

const passage = (rangeId: string, from: number, to: number) =>
  ({
    rangeId,
    contentId: 'clip',
    in: from,
    out: to,
    words: [],
    disabled: false,
  }) as unknown as CutPassage

test('a seam tells how many seconds of the clip it leaves out or repeats', () => {
  const asked: unknown[] = []
  const seam = (before: CutPassage, after: CutPassage) =>
    seamBetween(before, after, (contentId, span) => {
      asked.push([contentId, span])
      return 1.5
    })
  const removed = seam(passage('a', 0, 100), passage('b', 120, 200))
  assert.deepEqual(removed, {
    text: 'Same clip: jump cut, 1.5 s removed',
    isDoubtful: true,
    gap: { from: 100, to: 120 },
  })
  const back = seam(passage('a', 0, 100), passage('b', 70, 200))
  assert.equal(back?.text, 'Same clip: jump cut, 1.5 s back')
  assert.equal(back?.gap, null)
  assert.deepEqual(asked, [
    ['clip', { in: 100, out: 120 }],
    ['clip', { in: 70, out: 100 }],
  ])
})
