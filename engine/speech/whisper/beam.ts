/**
 * Beam search: the sentence that is most probable as a whole, not token by token. Greedy decoding
 * smooths over what a speaker really said ("nothing going else going on"), because the tidy word is
 * a little more probable where the two part.
 */
import { loopStart } from '../text/reject-invented.ts'
import { logSum } from './log-sum.ts'

/** The model's output after a token: a number for each next token, and its state to go on. */
export interface Heard<State, Trace> {
  /**
   * Scores of the next tokens; minus infinity for those that may not come next, once the search has
   * set them.
   */
  logits: Float32Array
  state: State
  /** Kept of this step to the end, unlike the state. */
  trace: Trace
}

export interface SpokenToken<Trace> {
  id: number
  logProbability: number
  /** Trace of the step before this token was chosen. */
  before: Trace
}

export interface BeamOptions<State, Trace> {
  /** Hypotheses followed at the same time. */
  width: number
  maxTokens: number
  /**
   * Number of tokens after which a sentence that repeats itself is given up; a chant ends before.
   */
  maxLoopedTokens?: number
  endToken: number
  /** Sets the logits of what may not come next to -Infinity. */
  forbid: (logits: Float32Array, ids: readonly number[]) => void
  /** All hypotheses one token further, in the same order. */
  next: (steps: readonly { state: State; token: number }[]) => Promise<Heard<State, Trace>[]>
}

export interface Sentence<Trace> {
  tokens: SpokenToken<Trace>[]
  /** Trace of the step after the last token. */
  last: Trace
  meanLogProbability: number
  /** This or a leading hypothesis repeated itself: a chant, or a loop of the model. */
  looped: boolean
  /** The model itself ended it. */
  ended: boolean
}

interface Hypothesis<State, Trace> {
  tokens: SpokenToken<Trace>[]
  ids: number[]
  sum: number
  heard: Heard<State, Trace>
  looped: boolean
}

interface Candidate<State, Trace> {
  from: Hypothesis<State, Trace>
  id: number
  logProbability: number
  sum: number
}

export async function searchBeam<State, Trace>(
  start: Heard<State, Trace>,
  options: BeamOptions<State, Trace>,
): Promise<Sentence<Trace>> {
  let alive: Hypothesis<State, Trace>[] = [
    { tokens: [], ids: [], sum: 0, heard: start, looped: false },
  ]
  let looped = false
  const ended: { hypothesis: Hypothesis<State, Trace>; score: number }[] = []
  for (let length = 0; length < options.maxTokens && ended.length < options.width; length++) {
    const going: Candidate<State, Trace>[] = []
    for (const ranked of rank(alive, options)) {
      if (going.length === options.width) break
      if (ranked.id !== options.endToken) going.push(ranked)
      else ended.push({ hypothesis: ranked.from, score: ranked.sum / (ranked.from.ids.length + 1) })
    }
    if (going.length === 0 || ended.length >= options.width) break
    alive = await follow(going, options)
    looped ||= alive[0]!.looped
    if (looped && length + 1 >= (options.maxLoopedTokens ?? 0)) {
      return sentenceOf(alive[0]!, { looped, ended: false })
    }
  }
  // Only the limit stops a leader that is better than all that ended.
  const leader = alive[0]!
  if (leader.ids.length === options.maxTokens) {
    ended.push({ hypothesis: leader, score: leader.sum / leader.ids.length })
  }
  const winner = ended.toSorted((a, b) => b.score - a.score)[0]?.hypothesis ?? leader
  return sentenceOf(winner, {
    looped: looped || winner.looped,
    ended: winner.ids.length < options.maxTokens,
  })
}

async function follow<State, Trace>(
  candidates: Candidate<State, Trace>[],
  options: BeamOptions<State, Trace>,
): Promise<Hypothesis<State, Trace>[]> {
  const steps = candidates.map(({ from, id }) => ({ state: from.heard.state, token: id }))
  const heard = await options.next(steps)
  return candidates.map(({ from, id, logProbability, sum }, index) => {
    const ids = [...from.ids, id]
    return {
      tokens: [...from.tokens, { id, logProbability, before: from.heard.trace }],
      ids,
      sum,
      heard: heard[index]!,
      looped: from.looped || loopStart(ids) >= 0,
    }
  })
}

/** Every hypothesis with each of its best next tokens, the most probable sentence first. */
function rank<State, Trace>(
  alive: readonly Hypothesis<State, Trace>[],
  options: BeamOptions<State, Trace>,
): Candidate<State, Trace>[] {
  return alive
    .flatMap((from) => {
      const { logits } = from.heard
      options.forbid(logits, from.ids)
      // One more than is followed, since one of them may be the end.
      const best = highest(logits, options.width + 1)
      const total = logSum(logits, logits[best[0] ?? 0]!)
      return best.map((id) => {
        const logProbability = logits[id]! - total
        return { from, id, logProbability, sum: from.sum + logProbability }
      })
    })
    .sort((a, b) => b.sum - a.sum)
}

function highest(values: Float32Array, count: number): number[] {
  const best: number[] = []
  let min = -Infinity
  for (let id = 0; id < values.length; id++) {
    const value = values[id]!
    if (value <= min) continue
    let at = best.length
    while (at > 0 && values[best[at - 1]!]! < value) at--
    best.splice(at, 0, id)
    if (best.length > count) best.pop()
    if (best.length === count) min = values[best[count - 1]!]!
  }
  return best
}

function sentenceOf<Trace>(
  { tokens, heard, sum }: Hypothesis<unknown, Trace>,
  how: { looped: boolean; ended: boolean },
): Sentence<Trace> {
  return {
    tokens,
    last: heard.trace,
    meanLogProbability: tokens.length > 0 ? sum / tokens.length : 0,
    ...how,
  }
}
