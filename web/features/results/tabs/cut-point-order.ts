import type { CutPoint } from '../../../../domain/findings/findings.ts'

/** All of them, the best first or in order of time. */
export function orderPoints(points: readonly CutPoint[], by: 'score' | 'time'): CutPoint[] {
  return points.toSorted((a, b) => (by === 'score' ? better(a, b) : a.frame - b.frame))
}

/** Among equals, the one with more to be said for it. */
function better(a: CutPoint, b: CutPoint): number {
  return b.score - a.score || b.reasons.length - a.reasons.length || a.frame - b.frame
}
