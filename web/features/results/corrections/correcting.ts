/** Lets a person correct what the lists show. */
import type { Findings } from '../../../../domain/findings/findings.ts'
import type { CorrectionState } from './correction-state.ts'

export interface Correcting {
  state: CorrectionState
  /** As the machine found it, without corrections. */
  detected: Partial<Findings>
  askSpeaker: (question: SpeakerQuestion) => void
}

export interface SpeakerQuestion {
  speaker: string | null
  /** The passage that it was asked about, in seconds. */
  passage: { start: number; end: number } | null
}
