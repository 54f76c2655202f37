/** Turns overlapping scores into changes that can stand side by side. */
import type { CutScore } from './cuts.ts'
import type { Edges } from './edges.ts'
import type { Fade } from './fades.ts'
import type { GradualScore } from './push.ts'

export interface Change {
  type: 'cut' | 'dissolve' | 'fade' | 'wipe'
  /** A cut: the first frame of the new shot. Gradual: the first blended frame. */
  start: number
  /** A cut: the same frame. Gradual: the first clean one. */
  end: number
  score: number
  /** Gradual: as in `GradualScore`. */
  isExplained?: boolean
}

export const changeThreshold = 0.5
const minCutScore = 0.1
/** How far a window stands back whose edges could not be measured. */
const unmeasured = 0.5
/** Two cuts as near as this are one, unless both are plain: shots of two frames exist. */
const cutReach = 2
const plainCutScore = 0.6
/**
 * A shot of a quarter second shows something else. Where neither end of it is all new the camera
 * was jolted: as a cut, each of the two is ten times less likely.
 */
const jolt = { seconds: 0.25, minScore: 0.4, maxCertain: 0.5, odds: 0.1 }

export function settleChanges(scored: {
  framesPerSecond: number
  cuts: readonly CutScore[]
  graduals: GradualScore[]
  fades: Fade[]
}): Change[] {
  const doubted = doubtJolts(scored.cuts, scored.framesPerSecond)
  const flashes = scored.cuts.filter((cut) => cut.flashEnd !== null)
  const behindBlend = new Set(scored.cuts.flatMap((cut) => (cut.isBehindBlend ? [cut.frame] : [])))
  const flashIn = (start: number, end: number): boolean =>
    flashes.some((flash) => flash.frame < end && (flash.flashEnd ?? 0) > start)
  const fades: Change[] = scored.fades
    .filter((fade) => !flashIn(fade.start, fade.end))
    .map((fade) => ({ type: 'fade' as const, ...fade }))
  const cuts: Change[] = []
  for (const cut of doubted.toSorted((a, b) => b.score - a.score)) {
    if (cut.score < minCutScore) break
    // The way back out of a flash is no cut either.
    if (flashes.some((flash) => cut.frame > flash.frame && cut.frame <= (flash.flashEnd ?? 0))) {
      continue
    }
    const reach = cut.score >= plainCutScore ? cutReach - 1 : cutReach
    if (cuts.some((other) => Math.abs(other.start - cut.frame) <= reach)) continue
    if (fades.some((fade) => cut.frame > fade.start && cut.frame <= fade.end)) continue
    cuts.push({ type: 'cut', start: cut.frame, end: cut.frame, score: cut.score })
  }
  const sure = cuts.filter((cut) => cut.score >= changeThreshold)
  // Two steps of a cut with a mixed frame look like the end of a change.
  const sureBlends = sure.map(({ start }) => start).filter((frame) => behindBlend.has(frame))
  const settled = [...fades]
  const edges = new Map<Change, Edges>()
  // A window whose blend could be measured says more than one that may span two changes.
  const rank = (gradual: GradualScore): number => gradual.score - (gradual.edges ? 0 : unmeasured)
  const whips = scored.graduals.filter((gradual) => gradual.type === 'whip')
  const isWhipped = (start: number, end: number): boolean =>
    whips.some((whip) => {
      const common = Math.min(end, whip.end) - Math.max(start, whip.start)
      return common >= 0.5 * Math.min(end - start, whip.end - whip.start)
    })
  for (const gradual of scored.graduals.toSorted((a, b) => rank(b) - rank(a))) {
    const { start, end, isExplained, score, type } = gradual
    if (type === 'whip' || (type !== 'fade' && isWhipped(start, end))) continue
    if (type === 'fade' && flashIn(start, end)) continue
    if (sure.some((cut) => cut.start > start && cut.start < end)) continue
    if (sureBlends.some((cut) => cut > start && cut <= end + 1)) continue
    if (settled.some((other) => start < other.end && end > other.start)) continue
    settled.push({ type, start, end, score, isExplained })
    if (gradual.edges) edges.set(settled.at(-1)!, gradual.edges)
  }
  const clear = cuts.filter(
    (cut) =>
      cut.score >= changeThreshold ||
      !settled.some((other) => cut.start >= other.start && cut.start <= other.end),
  )
  const all = [...clear, ...settled]
  // Windows settle who stands where; only then do changes take their own edges, where none is hurt.
  const placed = all.map((change) => {
    const own = edges.get(change)
    const hurts = (other: Change): boolean =>
      other !== change &&
      !!own &&
      own.start < Math.max(other.end, other.start + 1) &&
      own.end > other.start
    return own && !all.some(hurts) ? { ...change, ...own } : change
  })
  return placed.toSorted((a, b) => a.start - b.start)
}

function doubtJolts(cuts: readonly CutScore[], framesPerSecond: number): CutScore[] {
  const reach = Math.max(cutReach, Math.round(jolt.seconds * framesPerSecond))
  const isUnsure = ({ score, certain }: CutScore): boolean =>
    score >= jolt.minScore && certain < jolt.maxCertain
  const unsure = cuts.filter(isUnsure)
  // One that takes two steps, as between the fields of a frame, is one cut.
  const isNear = (a: CutScore, b: CutScore): boolean => {
    const frames = Math.abs(b.frame - a.frame)
    return frames > 1 && frames <= reach
  }
  const isJolt = (cut: CutScore): boolean =>
    isUnsure(cut) && unsure.some((other) => isNear(cut, other))
  return cuts.map((cut) => (isJolt(cut) ? { ...cut, score: lessLikely(cut.score) } : cut))
}

function lessLikely(score: number): number {
  const less = jolt.odds * score
  return less / (less + 1 - score)
}
