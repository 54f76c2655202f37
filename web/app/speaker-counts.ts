import { maxSpeakers } from '../../contract/speakers.ts'

/** The choices of "Speakers": empty means that the transcription hears how many there are. */
export const speakerCounts = Array.from({ length: maxSpeakers + 1 }, (_, count) =>
  count === 0 ? { value: '', label: 'Detect' } : { value: `${count}`, label: `${count}` },
)
