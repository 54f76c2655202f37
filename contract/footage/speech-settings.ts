/** Settings of the transcription, the same for a job, its quote and each item of a batch. */
import * as z from 'zod'
import { maxSpeakers } from '../../domain/findings/speakers.ts'
import { spokenLanguages } from '../../domain/languages.ts'

export const speechSettings = {
  speakers: z.int().min(1).max(maxSpeakers).optional().meta({
    description: 'How many people speak; the transcription hears it where it is not given.',
  }),
  language: z.enum(spokenLanguages, 'Not a language that can be transcribed').optional().meta({
    description:
      'The language that is spoken, as ISO 639 code; the transcription hears it where it is not given.',
    example: 'de',
  }),
  translate: z.boolean().optional().meta({
    description:
      'Also writes an English translation of speech in other languages, for `caption_language=english` of exports. At no extra cost.',
  }),
}
