/** Speech to text; the work is in transcribe.ts, which is loaded when it runs. */
import * as z from 'zod'
import { optionFields } from '../../contract/footage/option-fields.ts'
import { projectOptions, speechOptions } from '../../domain/job-options.ts'
import type { Extractor } from './extractor.ts'

const Params = z.strictObject({
  /** A folder with an ONNX Whisper of one's own, in place of Whisper-small. */
  modelFolder: z.string().min(1).optional(),
  ...optionFields({ ...speechOptions, ...projectOptions }),
})

export const transcriptionExtractor: Extractor<'transcription', z.infer<typeof Params>> = {
  id: 'transcription',
  version: '18',
  hearsWords: true,
  options: ['vocabulary', 'language', 'speakers', 'translate'],
  params: Params,
  requires: ['sound'],
  needs: ['sound', 'voice'],
  passShare: 0.2,
  async run(signals, params, { signal, onProgress }) {
    const { speech, voice, microphones, clock, spokenTrack } = signals
    if (!speech || !voice) throw new Error('The pass gave no sound.')
    const { file: audioFile, samples } = speech
    const { transcribe } = await import('./transcribe.ts')
    const findings = await transcribe({
      audioFile,
      samples,
      vad: voice,
      microphones,
      hearings: signals.hearings ?? undefined,
      turns: signals.turns ?? undefined,
      clock,
      ...params,
      signal,
      onProgress,
    })
    return spokenTrack === null ? findings : { ...findings, audio_track: spokenTrack }
  },
}
