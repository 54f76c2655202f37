/**
 * Beam search: the sentence that is most probable as a whole, not token by token. Greedy decoding
 * smooths over what a speaker really said ("nothing going else going on"), because the tidy word is
 * a little more probable where the two part.
 */
import { loopStart } from '../text/guard.ts'

/** What the model says after a token: a number for each next token, and whatever it needs to go on. */
export interface Heard<State> {
  logits: Float32Array
  state: State
}

export interface SpokenToken<State> {
  id: number
  logProbability: number
  /** What the model said before this token was chosen. */
  before: State
}

export interface BeamOptions<State> {
  /** Hypotheses followed at the same time. */
  width: number
  maxTokens: number
  endToken: number
  /** Sets the logits of what may not come next to -Infinity. */
  forbid: (logits: Float32Array, ids: readonly number[]) => void
  next: (state: State, token: number) => Promise<Heard<State>>
}

export interface Sentence<State> {
  tokens: SpokenToken<State>[]
  /** What the model said after the last token. */
  last: State
  meanLogProbability: number
  looped: boolean
}

interface Hypothesis<State> {
  tokens: SpokenToken<State>[]
  ids: number[]
  sum: number
  heard: Heard<State>
}

interface Candidate<State> {
  from: Hypothesis<State>
  id: number
  logProbability: number
  sum: number
}

export async function searchBeam<State>(
  start: Heard<State>,
  options: BeamOptions<State>,
): Promise<Sentence<State>> {
  let alive: Hypothesis<State>[] = [{ tokens: [], ids: [], sum: 0, heard: start }]
  const ended: { hypothesis: Hypothesis<State>; score: number }[] = []
  for (let length = 0; length < options.maxTokens && ended.length < options.width; length++) {
    const going: Candidate<State>[] = []
    for (const one of rank(alive, options)) {
      if (going.length === options.width) break
      if (one.id !== options.endToken) going.push(one)
      else ended.push({ hypothesis: one.from, score: one.sum / (one.from.ids.length + 1) })
    }
    if (going.length === 0 || ended.length >= options.width) break
    alive = await follow(going, options)
    if (loopStart(alive[0]!.ids) >= 0) return sentenceOf(alive[0]!, true)
  }
  // Only the limit stops a leader that is better than all that ended.
  const leader = alive[0]!
  if (leader.ids.length === options.maxTokens) {
    ended.push({ hypothesis: leader, score: leader.sum / leader.ids.length })
  }
  const winner = ended.toSorted((a, b) => b.score - a.score)[0]
  return sentenceOf(winner?.hypothesis ?? leader, false)
}

async function follow<State>(
  candidates: Candidate<State>[],
  options: BeamOptions<State>,
): Promise<Hypothesis<State>[]> {
  const followed: Hypothesis<State>[] = []
  for (const { from, id, logProbability, sum } of candidates) {
    followed.push({
      tokens: [...from.tokens, { id, logProbability, before: from.heard.state }],
      ids: [...from.ids, id],
      sum,
      heard: await options.next(from.heard.state, id),
    })
  }
  return followed
}

/** Every hypothesis with each of its best next tokens, the most probable sentence first. */
function rank<State>(
  alive: readonly Hypothesis<State>[],
  options: BeamOptions<State>,
): Candidate<State>[] {
  return alive
    .flatMap((from) => {
      // The model's own numbers stay as they are: two candidates may start from them.
      const logits = from.heard.logits.slice()
      options.forbid(logits, from.ids)
      const total = logSum(logits)
      // One more than is followed, since one of them may be the end.
      return highest(logits, options.width + 1).map((id) => {
        const logProbability = logits[id]! - total
        return { from, id, logProbability, sum: from.sum + logProbability }
      })
    })
    .sort((a, b) => b.sum - a.sum)
}

function highest(values: Float32Array, count: number): number[] {
  const best: number[] = []
  for (let id = 0; id < values.length; id++) {
    const value = values[id]!
    if (value === -Infinity) continue
    if (best.length === count && value <= values[best[count - 1]!]!) continue
    let at = best.length
    while (at > 0 && values[best[at - 1]!]! < value) at--
    best.splice(at, 0, id)
    if (best.length > count) best.pop()
  }
  return best
}

function logSum(values: Float32Array): number {
  let max = -Infinity
  for (const value of values) if (value > max) max = value
  let sum = 0
  for (const value of values) sum += Math.exp(value - max)
  return max + Math.log(sum)
}

function sentenceOf<State>(of: Hypothesis<State>, looped: boolean): Sentence<State> {
  const { tokens } = of
  return {
    tokens,
    last: of.heard.state,
    meanLogProbability: tokens.length > 0 ? of.sum / tokens.length : 0,
    looped,
  }
}
