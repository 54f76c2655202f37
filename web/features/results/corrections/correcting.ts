/** What the lists need to let a person correct what they show. */
import type { Findings } from '../../../../domain/findings/findings.ts'
import type { CorrectionState } from './correction-state.ts'

export interface Correcting {
  state: CorrectionState
  /** As the machine found it, without corrections. */
  found: Partial<Findings>
  /** Opens the question who speaks. */
  askSpeaker: (question: SpeakerQuestion) => void
}

export interface SpeakerQuestion {
  speaker: string | null
  /** The passage that it was asked about, in seconds. */
  passage: { start: number; end: number } | null
}
