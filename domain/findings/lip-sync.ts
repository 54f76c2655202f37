/** Says how sound lies on its picture, on screen and in markers. */
import type { FindingsOf } from './findings.ts'

export function soundDelayText(seconds: number): string {
  return `Sound is about ${Math.abs(seconds).toFixed(1)} s ${seconds > 0 ? 'late' : 'early'}`
}

/** Describes the lip sync in words; null if there is nothing to compare. */
export function lipSyncText(talking: FindingsOf<'talking'>): string | null {
  const { sound_delay_seconds: delay, lip_sync: sync } = talking
  if (typeof delay === 'number') return soundDelayText(delay)
  return sync ? syncTexts[sync] : null
}

const syncTexts = {
  in_sync: 'Lips and sound match',
  out_of_sync: 'Lips and sound do not match',
  unclear: 'Lip sync cannot be judged',
}
