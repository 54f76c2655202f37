/**
 * Every extractor by its id, in the order in which they run: later ones use earlier findings. Large
 * ones load their code when they run: loading takes longer than the shots of a short clip.
 */
import { createHash } from 'node:crypto'
import type { PlacedOptions } from '../../domain/job-options.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { cutpointsExtractor } from './cutpoints.ts'
import type { Extractor } from './extractor.ts'
import { ffprobeExtractor } from './ffprobe.ts'
import { shotsExtractor } from './shots.ts'
import { talkingExtractor } from './talking.ts'
import { textExtractor } from './text.ts'
import { thumbnailExtractor } from './thumbnail.ts'
import { transcriptionExtractor } from './transcription.ts'

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

/** True if the extractor needs no words, so that it can run while speech is still recognised. */
export function needsNoWords(id: ExtractorId): boolean {
  return !extractorById(id)?.hearsWords
}

/** Identifies a stored finding, beside the bytes and the range. */
export async function extractorVersion(
  id: ExtractorId,
  settings: { speechModelDir: string | null } & PlacedOptions,
): Promise<string> {
  const extractor = extractorById(id)
  if (!extractor) throw new Error(`The engine has no extractor ${id}.`)
  const parts = [extractor.version]
  if (extractor.hearsWords && settings.speechModelDir !== null) {
    const { modelFingerprint } = await import('../models/whisper-files.ts')
    parts.push(await modelFingerprint(settings.speechModelDir))
  }
  for (const name of extractor.options ?? []) {
    const value = settings[name]
    if (typeof value === 'object' && value.length > 0) parts.push(`words-${hashOf(value)}`)
    // translate: translated
    else if (value === true) parts.push(`${name}d`)
    else if (typeof value !== 'object' && value) parts.push(`${name}-${value}`)
  }
  return parts.join('+')
}

function hashOf(terms: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16)
}
