/** Corrections that the service does not have yet. */
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import { forgetUnsent, keepUnsent, readUnsent } from '../../../saved/unsent.ts'

export interface UnsentCorrections {
  /** The version that they were made from. */
  base: { corrections: Corrections; version: number }
  mine: Corrections
}

export function keepCorrections(jobId: string, unsent: UnsentCorrections): void {
  keepUnsent(nameOf(jobId), unsent)
}

export function forgetCorrections(jobId: string): void {
  forgetUnsent(nameOf(jobId))
}

export function readCorrections(jobId: string): UnsentCorrections | null {
  return readUnsent(nameOf(jobId), ({ base, mine }: UnsentCorrections) => {
    if (!hasShape(base.corrections) || !hasShape(mine)) return null
    return { base: { corrections: base.corrections, version: base.version }, mine }
  })
}

/** The service checks every field. */
function hasShape({ words, paragraphs, speakers, shots }: Corrections): boolean {
  const lists = [words, paragraphs, speakers.passages, shots.removed, shots.added]
  return lists.every(Array.isArray) && typeof speakers.names === 'object'
}

function nameOf(jobId: string): string {
  return `corrections:${jobId}`
}
