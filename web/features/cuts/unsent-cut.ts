/** A cut that the service does not have yet, kept on this computer until it does. */
import type { Cut } from '../../../contract/footage/cuts.ts'
import { forgetUnsent, keepUnsent, readUnsent } from '../../saved/unsent.ts'

interface UnsentCut {
  /** The version that it was made from. */
  version: number
  cut: CutBody
}

export type CutBody = ReturnType<typeof bodyOf>

export function bodyOf(cut: Cut) {
  const { name, frame_rate, drop_frame, start_timecode, frame_size, target_seconds, ranges } = cut
  return { name, frame_rate, drop_frame, start_timecode, frame_size, target_seconds, ranges }
}

export function keepCut(cut: Cut, version: number): void {
  keepUnsent(nameOf(cut.id), { version, cut: bodyOf(cut) } satisfies UnsentCut)
}

export function forgetCut(id: string): void {
  forgetUnsent(nameOf(id))
}

/** The service checks every field. */
export function readCut(id: string): UnsentCut | null {
  return readUnsent(nameOf(id), ({ version, cut }: UnsentCut) =>
    Number.isInteger(version) && Array.isArray(cut.ranges) ? { version, cut } : null,
  )
}

function nameOf(id: string): string {
  return `cut:${id}`
}
