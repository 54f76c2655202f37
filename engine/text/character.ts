/** A character of a line as the recogniser gives it, and the line that it was read from. */
import type { Gray } from './gray.ts'

export interface Character {
  text: string
  certainty: number
  /** The step of its peak. */
  step: number
}

export interface DecodeInput {
  steps: number
  characters: readonly string[]
  line: Gray
  pixelsPerStep: number
}
