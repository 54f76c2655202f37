import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CutPoint } from '../../../../domain/findings/findings.ts'
import { orderPoints } from './cut-point-order.ts'
import { piecesOf } from './list-pieces.ts'

/** As many as a film has at most. */
const points = Array.from({ length: 5000 }, (_, at): CutPoint => {
  const frame = (at * 7919) % 100_000
  return { frame, time: `${frame}/25`, seconds: frame / 25, score: (at % 10) / 10, reasons: ['x'] }
})

test('every cut point is listed, also of a long film', () => {
  for (const by of ['score', 'time'] as const) {
    const rows = orderPoints(points, by)
    const listed = piecesOf(rows.length).flatMap(({ first, end }) => rows.slice(first, end))
    assert.equal(new Set(listed.map(({ frame }) => frame)).size, points.length)
  }
  assert.deepEqual(piecesOf(0), [])
  assert.deepEqual(piecesOf(51), [
    { first: 0, end: 50 },
    { first: 50, end: 51 },
  ])
})

test('the best come first, or those that come first', () => {
  const best = orderPoints(points, 'score')
  assert.ok(best.every((point, at) => at === 0 || best[at - 1]!.score >= point.score))
  const early = orderPoints(points, 'time')
  assert.ok(early.every((point, at) => at === 0 || early[at - 1]!.frame < point.frame))
})
