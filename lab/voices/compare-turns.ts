/** Compares recognised with true speakers, in steps of 10 ms, by the best pairing of names. */
import type { VoiceTurn } from '../../engine/voices/tell-apart.ts'
import type { Turn } from '../sound.ts'

export interface Compared {
  /** Seconds of speech, once for each who speaks. */
  speech: number
  der: number
  derOfOne: number
  confusion: number
  confusionOfOne: number
  voices: number
  expected: number
  /** Seconds away from changes: labelled, sure, and wrong among the sure. */
  inside: number
  sure: number
  sureWrong: number
}

const stepsPerSecond = 100
const edgeSteps = 25

export function compareTurns(
  truth: readonly Turn[],
  turns: readonly VoiceTurn[],
  { seconds, isSure }: { seconds: number; isSure: (turn: VoiceTurn) => boolean },
): Compared {
  const steps = Math.ceil(seconds * stepsPerSecond)
  const people = [...new Set(truth.map((turn) => turn.speaker))]
  const voices = [...new Set(turns.map((turn) => turn.speaker))]
  const spoken = people.map((name) =>
    marks(
      truth.filter((turn) => turn.speaker === name),
      steps,
    ),
  )
  const said = voices.map((voice) =>
    marks(
      turns.filter((turn) => turn.speaker === voice),
      steps,
    ),
  )
  const pairs = said.map((voice) => spoken.map((person) => shared(voice, person)))
  const pairing = bestPairing(pairs)
  const right = pairing.reduce((sum, person, voice) => sum + (pairs[voice]![person] ?? 0), 0)
  const anyVoice = marks(turns, steps)
  const rightOfOne = Math.max(0, ...spoken.map((person) => shared(anyVoice, person)))
  let [speech, missed, invented, both] = [0, 0, 0, 0]
  for (let at = 0; at < steps; at++) {
    const speaking = spoken.filter((person) => person[at]).length
    speech += speaking
    missed += Math.max(0, speaking - anyVoice[at]!)
    invented += Math.max(0, anyVoice[at]! - speaking)
    both += Math.min(speaking, anyVoice[at]!)
  }
  let [inside, sure, sureWrong] = [0, 0, 0]
  for (const turn of turns) {
    const person = spoken[pairing[voices.indexOf(turn.speaker)]!]
    const from = Math.round(turn.start * stepsPerSecond) + edgeSteps
    for (let at = from; at < turn.end * stepsPerSecond - edgeSteps; at++) {
      if (!spoken.some((marked) => marked[at])) continue
      inside++
      if (!isSure(turn)) continue
      sure++
      if (!person?.[at]) sureWrong++
    }
  }
  return {
    speech: speech / stepsPerSecond,
    der: (missed + invented + both - right) / speech,
    derOfOne: (missed + invented + both - rightOfOne) / speech,
    confusion: (both - right) / speech,
    confusionOfOne: (both - rightOfOne) / speech,
    voices: voices.length,
    expected: people.length,
    inside: inside / stepsPerSecond,
    sure: sure / stepsPerSecond,
    sureWrong: sureWrong / stepsPerSecond,
  }
}

function marks(turns: readonly { start: number; end: number }[], steps: number): Uint8Array {
  const marked = new Uint8Array(steps)
  for (const { start, end } of turns) {
    marked.fill(1, Math.round(start * stepsPerSecond), Math.round(end * stepsPerSecond))
  }
  return marked
}

function shared(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! & b[at]!
  return sum
}

/** The person of each voice, each at most once, -1 where none is left; tries every way. */
function bestPairing(pairs: readonly number[][]): number[] {
  let best = { right: -1, pairing: [] as number[] }
  const visit = (voice: number, pairing: number[], right: number): void => {
    if (voice === pairs.length) {
      if (right > best.right) best = { right, pairing: [...pairing] }
      return
    }
    visit(voice + 1, [...pairing, -1], right)
    pairs[voice]!.forEach((seconds, person) => {
      if (!pairing.includes(person)) visit(voice + 1, [...pairing, person], right + seconds)
    })
  }
  visit(0, [], 0)
  return best.pairing
}
