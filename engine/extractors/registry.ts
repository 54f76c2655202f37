/** Every extractor by its id, in the order in which they run: later ones use earlier findings. */
import * as z from 'zod'
import type { ExtractorId } from '../../contract/catalogue.ts'
import type { Extractor } from './extractor.ts'
import { ffprobeExtractor } from './ffprobe.ts'
import { shotsExtractor } from './shots.ts'
import { thumbnailExtractor } from './thumbnail.ts'
import { transcribe } from './transcription.ts'

const TranscriptionParams = z.strictObject({
  tier: z.enum(['default', 'fast']).default('default'),
  /** ISO 639-1; heard where it is not given. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
})

const transcriptionExtractor: Extractor<'transcription', z.infer<typeof TranscriptionParams>> = {
  id: 'transcription',
  version: '1',
  params: TranscriptionParams,
  requires: ['sound'],
  needs: ['sound', 'voice'],
  async run({ sound, voice, clock }, { tier, language }, { signal, onProgress }) {
    if (!sound || !voice) throw new Error('The pass gave no sound.')
    const { file: audioFile, samples } = sound
    return await transcribe({
      audioFile,
      samples,
      vad: voice,
      clock,
      tier,
      language,
      signal,
      onProgress,
    })
  },
}

export const extractors: readonly Extractor[] = [
  ffprobeExtractor,
  shotsExtractor,
  thumbnailExtractor,
  transcriptionExtractor,
] as Extractor[]

export function extractorById(id: ExtractorId): Extractor | undefined {
  return extractors.find((extractor) => extractor.id === id)
}
