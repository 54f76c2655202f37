import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Shot, ShotChange } from './findings.ts'
import { recutChanges, shotsBetween } from './recut.ts'

const anyChange = fc
  .record({
    start: fc.integer({ min: 1, max: 900 }),
    length: fc.integer({ min: 0, max: 40 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ start, length, score }) => change(start, start + length, score))

test('changes never overlap, are in order, and the best of a crowd stays', () => {
  fc.assert(
    fc.property(
      fc.array(anyChange, { maxLength: 30 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (candidates, threshold) => {
        const kept = recutChanges(shotsOf(candidates), { threshold }, plain)
        kept.forEach((shown, index) => {
          assert.ok(shown.score >= threshold)
          const before = kept[index - 1]
          if (before)
            assert.ok(shown.start_frame >= Math.max(before.end_frame, before.start_frame + 1))
        })
        const best = candidates.reduce((a, b) => (b.score > a.score ? b : a), change(1, 1, -1))
        if (best.score >= threshold) assert.ok(kept.some(({ score }) => score === best.score))
      },
    ),
  )
})

test('a lower threshold never loses the frames of a change that nothing touches', () => {
  const shots = shotsOf([change(100, 100, 0.9), change(200, 220, 0.4), change(500, 500, 0.6)])
  const starts = (threshold: number) =>
    recutChanges(shots, { threshold }, plain).map((change) => change.start_frame)
  assert.deepEqual(starts(0.8), [100])
  assert.deepEqual(starts(0.5), [100, 500])
  assert.deepEqual(starts(0), [100, 200, 500])
})

test('decisions of the editor come before any score', () => {
  const shots = shotsOf([change(100, 100, 0.9), change(200, 220, 0.1)])
  const kept = recutChanges(shots, { threshold: 0.5, accepted: [200, 333], rejected: [100] }, plain)
  assert.deepEqual(
    kept.map((change) => [change.start_frame, change.end_frame]),
    [
      [200, 220],
      [333, 333],
    ],
  )
})

test('shots meet at cuts and in the middle of transitions, and fill all frames', () => {
  const known = [shot(0, 150, 'low'), shot(150, 1000, 'high')]
  const film = { start_frame: 0, end_frame: 1000 }
  const timeOf = (frame: number) => ({ time: `${frame}/25`, seconds: frame / 25 })
  const changes = [change(0, 20, 1), change(100, 100, 1), change(300, 330, 1), change(980, 1000, 1)]
  const shots = shotsBetween(changes, { known, film, timeOf })
  assert.deepEqual(
    shots.map((shot) => [shot.start_frame, shot.end_frame, shot.motion, shot.transition]),
    [
      [0, 100, 'low', 'start'],
      [100, 315, 'high', 'cut'],
      [315, 1000, 'high', 'dissolve'],
    ],
  )
  assert.deepEqual(shots[2]?.transition_range, span(300, 330))
  assert.deepEqual([shots[2]?.start_time, shots[2]?.start], ['315/25', 12.6])
})

function change(start: number, end: number, score: number): ShotChange {
  return { ...span(start, end), type: start === end ? 'cut' : 'dissolve', score }
}

function plain(frame: number): ShotChange {
  return change(frame, frame, 1)
}

function shot(start: number, end: number, motion: Shot['motion']): Shot {
  const rest = { index: 0, motion_level: 0, black: false, frozen: false }
  return { ...span(start, end), ...rest, transition: 'cut', motion }
}

function span(start: number, end: number) {
  return {
    start_frame: start,
    end_frame: end,
    start_time: `${start}/25`,
    end_time: `${end}/25`,
    start: start / 25,
    end: end / 25,
  }
}

function shotsOf(candidates: ShotChange[]) {
  return {
    ...{ changes: [], candidates, threshold: 0.5, shots: [], black: [], freeze: [], flashes: [] },
  }
}
