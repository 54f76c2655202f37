/** Corrections that the service does not have yet, kept on this computer until it does. */
import type { Corrections } from '../../../../contract/corrections.ts'
import { unsentPrefix } from '../../../app/session.tsx'

export interface Unsent {
  /** The version that they were made from. */
  base: { corrections: Corrections; version: number }
  mine: Corrections
}

export function keepUnsent(jobId: string, unsent: Unsent): void {
  try {
    localStorage.setItem(nameOf(jobId), JSON.stringify(unsent))
  } catch {
    // No room or not allowed: they are still in this tab, and sent from there.
  }
}

export function forgetUnsent(jobId: string): void {
  localStorage.removeItem(nameOf(jobId))
}

export function readUnsent(jobId: string): Unsent | null {
  const text = localStorage.getItem(nameOf(jobId))
  if (!text) return null
  try {
    const { base, mine } = JSON.parse(text) as Unsent
    if (!hasShape(base.corrections) || !hasShape(mine)) return null
    return { base: { corrections: base.corrections, version: base.version }, mine }
  } catch {
    return null
  }
}

/** An older version of this page may have written it; the service checks every field. */
function hasShape({ words, paragraphs, speakers, shots }: Corrections): boolean {
  const lists = [words, paragraphs, speakers.passages, shots.removed, shots.added]
  return lists.every(Array.isArray) && typeof speakers.names === 'object'
}

function nameOf(jobId: string): string {
  return `${unsentPrefix}corrections:${jobId}`
}
