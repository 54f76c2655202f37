/** The last choice of extractors, for each project. */
import { extractorIds, fullAnalysis } from '../../../contract/catalogue.ts'
import type { ExtractorId } from '../../../contract/catalogue.ts'

const keyFor = (projectId: string | null): string => `extractors-${projectId ?? 'none'}`

export function readChoice(projectId: string | null): readonly ExtractorId[] {
  const saved = localStorage.getItem(keyFor(projectId))?.split(',') ?? []
  const known = extractorIds.filter((id) => saved.includes(id))
  return known.length > 0 ? known : fullAnalysis
}

export function rememberChoice(projectId: string | null, chosen: readonly ExtractorId[]): void {
  try {
    localStorage.setItem(keyFor(projectId), chosen.join(','))
  } catch {
    // A full or forbidden storage only means that the choice is not remembered.
  }
}
