/**
 * Classifies gradual changes in doubt by a network: those that the rules do not rule out and no
 * mix of the frames on either side explains. A hand before the lens, a title on a plain ground or a
 * lamp can have the same numbers. Its probability is weighed with the rules' score. Frames are read
 * a second time for it, since the changes in doubt are known at the end.
 */
import { startModel } from '../models/start.ts'
import { keepSpares } from '../processes/spares.ts'
import { smallBytes } from '../pass/plan.ts'
import type { Detection } from './detector.ts'
import { classifiedFrames } from './grid.ts'
import type { ShotClassifierMethods } from './shot-classifier-process.ts'
import { changeThreshold } from './settle.ts'
import type { Change } from './settle.ts'

/** Hands over every small frame of the film in order; the next one reuses its bytes. */
export type ReadFrames = (take: (yuv: Uint8Array) => void | Promise<void>) => Promise<void>

interface Window {
  change: Change
  /** The numbers of the frames to look at, in order; one may come several times. */
  places: number[]
  /** Those that have come, one after the other. */
  frames: Uint8Array
  filled: number
}

/** A change is seen with so much on either side: a share of its length, and some frames. */
const besideShare = 0.75
const besideFrames = 3
const minFrames = 3
/** Below it a true change is rarer than one that the network takes for true. */
const minRuleScore = 0.2
/** A longer fade is too slow for the network; most of its window may be a plain hold. */
const maxFadeFrames = 60
/**
 * The log odds of both, added up: fitted on changes of public repositories with truth by eye, with
 * the bias at the best count (docs/decisions/0060). The limit keeps one from being sure alone.
 */
const odds = { bias: -0.9, rules: 0.3, network: 0.7, limit: 0.003 }

const classifier = keepSpares(() =>
  startModel<ShotClassifierMethods>(new URL('shot-classifier-process.ts', import.meta.url)),
)

export async function classifyGradual(
  detection: Detection,
  readFrames: ReadFrames,
  options: { signal?: AbortSignal } = {},
): Promise<Detection> {
  const { film, changes } = detection
  const doubted = changes.filter(isInDoubt)
  if (doubted.length === 0) return detection
  const scores = new Map<Change, number>()
  await classifier.use(
    (model) =>
      gatherWindows(doubted, film.frames, readFrames, async (change, frames) => {
        const probability = await model.call('classify', { frames, length: lengthOf(change) })
        scores.set(change, weigh(change.score, probability))
      }),
    options,
  )
  const rescored = changes.map((change) => ({
    ...change,
    score: scores.get(change) ?? change.score,
  }))
  return { ...detection, changes: withoutTails(rescored, changes) }
}

/** A change that the rules did not believe, beside one that they did, is the end of that one. */
function withoutTails(changes: readonly Change[], ruled: readonly Change[]): Change[] {
  const isSoft = ({ type, score }: Change): boolean => type !== 'cut' && score >= changeThreshold
  return changes.map((change, index) => {
    const ruleScore = ruled[index]!.score
    if (!isSoft(change) || ruleScore >= changeThreshold) return change
    const isTail = changes.some((other, place) => {
      const isBelieved = isSoft(other) && ruled[place]!.score >= changeThreshold
      return isBelieved && other.start <= change.end + 1 && other.end >= change.start - 1
    })
    return isTail ? { ...change, score: ruleScore } : change
  })
}

function isInDoubt({ type, start, end, score, isExplained }: Change): boolean {
  if (type === 'cut' || isExplained || score < minRuleScore) return false
  return type !== 'fade' || end - start <= maxFadeFrames
}

function weigh(ruleScore: number, probability: number): number {
  const sum = odds.bias + odds.rules * logit(ruleScore) + odds.network * logit(probability)
  return 1 / (1 + Math.exp(-sum))
}

function logit(probability: number): number {
  const within = Math.min(1 - odds.limit, Math.max(odds.limit, probability))
  return Math.log(within / (1 - within))
}

/** Classifies each change as soon as the last of its frames has come. */
async function gatherWindows(
  changes: readonly Change[],
  filmFrames: number,
  readFrames: ReadFrames,
  classify: (change: Change, frames: Uint8Array) => Promise<void>,
): Promise<void> {
  const waiting = changes
    .map((change) => ({ change, places: placesOf(change, filmFrames) }))
    .toSorted((a, b) => a.places[0]! - b.places[0]!)
  let open: Window[] = []
  let number = 0
  await readFrames(async (yuv) => {
    while (waiting[0]?.places[0] === number) {
      open.push({
        ...waiting.shift()!,
        frames: new Uint8Array(classifiedFrames * smallBytes),
        filled: 0,
      })
    }
    for (const window of open) {
      while (window.places[window.filled] === number) {
        window.frames.set(yuv, window.filled++ * smallBytes)
      }
    }
    number++
    const whole = open.filter(({ filled }) => filled === classifiedFrames)
    open = open.filter(({ filled }) => filled < classifiedFrames)
    for (const { change, frames } of whole) await classify(change, frames)
  })
}

function lengthOf({ start, end }: Change): number {
  return Math.max(end - start, minFrames)
}

function placesOf(change: Change, filmFrames: number): number[] {
  const length = lengthOf(change)
  const beside = length * besideShare + besideFrames
  return Array.from({ length: classifiedFrames }, (_, index) => {
    const part = index / (classifiedFrames - 1)
    const place = Math.round(change.start - beside + (length + 2 * beside) * part)
    return Math.min(Math.max(0, place), filmFrames - 1)
  })
}
