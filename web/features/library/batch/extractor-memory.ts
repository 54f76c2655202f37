/** The last choice of extractors, for each project. */
import { extractorIds, fullAnalysis } from '../../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import { readLocal, writeLocal } from '../../../dom/browser-storage.ts'

const keyFor = (projectId: string | null): string => `extractors-${projectId ?? 'none'}`

export function readChoice(projectId: string | null): readonly ExtractorId[] {
  const saved = readLocal(keyFor(projectId))?.split(',') ?? []
  const known = extractorIds.filter((id) => saved.includes(id))
  return known.length > 0 ? known : fullAnalysis
}

export function rememberChoice(projectId: string | null, chosen: readonly ExtractorId[]): void {
  writeLocal(keyFor(projectId), chosen.join(','))
}
