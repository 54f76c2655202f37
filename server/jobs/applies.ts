import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import * as engine from '../../engine/extractors/applies.ts'
import { extractorById } from '../../engine/extractors/registry.ts'
import type { Cause } from './cause.ts'

/**
 * Returns why an extractor does not apply, for an honest quote; the engine asks again when it has
 * opened the file.
 */
export function skipReason(id: ExtractorId, media: Media): Cause | null {
  return engine.skipReason(extractorById(id) ?? { id, requires: [] }, media)
}
