/**
 * Every extractor by its id, in the order in which they run: later ones use earlier findings. The
 * larger ones are loaded when they run, since the shots of a short clip are found in less time.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { speechSettings } from '../../contract/footage/speech-settings.ts'
import type { SpeechSettings } from '../../domain/languages.ts'
import type { Extractor } from './extractor.ts'
import { ffprobeExtractor } from './ffprobe.ts'
import { believedChanges, shotsExtractor } from './shots.ts'
import { thumbnailExtractor } from './thumbnail.ts'

const TranscriptionParams = z.strictObject({
  /** Names and terms that may be said; as many as fit into the model's prompt. */
  vocabulary: z.array(z.string().min(1).max(80)).max(200).optional(),
  ...speechSettings,
  /** A folder with an ONNX Whisper of one's own, in place of Whisper-small. */
  modelFolder: z.string().min(1).optional(),
})

const transcriptionExtractor: Extractor<'transcription', z.infer<typeof TranscriptionParams>> = {
  id: 'transcription',
  version: '18',
  hearsWords: true,
  params: TranscriptionParams,
  requires: ['sound'],
  needs: ['sound', 'voice'],
  async run(signals, params, { signal, onProgress }) {
    const { speech, voice, microphones, clock, spokenTrack } = signals
    if (!speech || !voice) throw new Error('The pass gave no sound.')
    const { file: audioFile, samples } = speech
    const { transcribe } = await import('./transcription.ts')
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

const NoParams = z.strictObject({})
type NoParams = z.infer<typeof NoParams>

const talkingExtractor: Extractor<'talking', NoParams> = {
  id: 'talking',
  version: '13',
  params: NoParams,
  // Without sound lips still flap, without picture there is still speech.
  requires: [],
  needs: ['sound', 'voice', 'faces'],
  async run({ speech, voice, faces, clock }, _params, { signal }) {
    const { findTalking } = await import('./talking.ts')
    return await findTalking({
      clock,
      vad: voice ?? undefined,
      audioFile: speech?.file,
      samples: speech?.samples,
      faces: faces ?? undefined,
      signal,
    })
  },
}

const cutpointsExtractor: Extractor<'cutpoints', NoParams> = {
  id: 'cutpoints',
  version: '22',
  hearsWords: true,
  params: NoParams,
  requires: [],
  needs: ['changes', 'sound', 'voice', 'faces'],
  async run({ speech, voice, faces, changes, clock, found }, _params, { signal }) {
    const { findCutPoints } = await import('./cutpoints.ts')
    return await findCutPoints({
      clock,
      words: found.transcription?.words,
      vad: voice ?? undefined,
      audioFile: speech?.file,
      samples: speech?.samples,
      faces: faces ?? undefined,
      shots: changes ? { changes: believedChanges(clock, changes) } : undefined,
      motion: changes?.film.layout.subarray(0, clock.frames),
      signal,
    })
  },
}

const textExtractor: Extractor<'text', NoParams> = {
  id: 'text',
  version: '8',
  params: NoParams,
  requires: ['picture'],
  needs: ['changes', 'sound', 'text'],
  async run({ text, changes, sound, clock }, _params, { signal }) {
    if (!text) throw new Error('The pass gave no pictures.')
    const cuts = changes ? believedChanges(clock, changes).map((change) => change.end_frame) : []
    const { findText } = await import('./text.ts')
    return await findText({ clock, ...text, cuts, sound, signal })
  },
}

export const extractors: readonly Extractor[] = [
  ffprobeExtractor,
  shotsExtractor,
  thumbnailExtractor,
  talkingExtractor,
  transcriptionExtractor,
  cutpointsExtractor,
  textExtractor,
] as Extractor[]

export function extractorById(id: ExtractorId): Extractor | undefined {
  return extractors.find((extractor) => extractor.id === id)
}

/** Whether it waits for no words, so that it can run while speech is still heard. */
export function needsNoWords(id: ExtractorId): boolean {
  return !extractorById(id)?.hearsWords
}

/** What a stored finding is known by, beside the bytes and the range. */
export async function extractorVersion(
  id: ExtractorId,
  settings: {
    speechModelDir: string | null
    vocabulary?: readonly string[]
  } & SpeechSettings,
): Promise<string> {
  const extractor = extractorById(id)
  if (!extractor) throw new Error(`The engine has no extractor ${id}.`)
  if (!extractor.hearsWords) return extractor.version
  const { speechModelDir, vocabulary = [] } = settings
  const parts = [extractor.version]
  if (speechModelDir !== null) {
    const { modelFingerprint } = await import('../models/whisper-files.ts')
    parts.push(await modelFingerprint(speechModelDir))
  }
  if (vocabulary.length > 0) parts.push(`words-${vocabularyHash(vocabulary)}`)
  if (settings.language) parts.push(`language-${settings.language}`)
  if (id === 'transcription') {
    if (settings.speakers) parts.push(`speakers-${settings.speakers}`)
    if (settings.translate) parts.push('translated')
  }
  return parts.join('+')
}

function vocabularyHash(vocabulary: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(vocabulary)).digest('hex').slice(0, 16)
}
