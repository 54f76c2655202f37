/**
 * Why an extractor has nothing to look at in a medium, or null when it has. Told from the look at
 * the content, so that a quote is honest; the engine decides again when it has opened the file.
 */
import type { ExtractorId } from '../../contract/catalogue.ts'
import type { Media } from '../../contract/findings.ts'
import { extractorById } from '../../engine/extractors/registry.ts'
import type { Cause } from './cause.ts'

const ofImages: readonly ExtractorId[] = ['ffprobe', 'thumbnail']
/** Properties and text. */
const ofDocuments: readonly ExtractorId[] = ['ffprobe']

export function skipReason(id: ExtractorId, media: Media): Cause | null {
  const requires = extractorById(id)?.requires ?? []
  if (media.kind === 'document' && ofDocuments.includes(id)) return null
  if (media.kind === 'document' || media.kind === 'other') {
    return { code: 'unsupported_source', message: 'This file has no video or audio.' }
  }
  if (media.kind === 'image') return ofImages.includes(id) ? null : noPicture
  if (requires.includes('picture') && media.kind !== 'video') return noPicture
  if (requires.includes('sound') && media.audio.length === 0) {
    return { code: 'no_audio', message: 'No audio.' }
  }
  return null
}

const noPicture: Cause = { code: 'no_video', message: 'No video.' }
