/**
 * Hears the sound of a film, all of it at once: voice activity has a state that runs through it.
 * The proxy's sound costs more than all else here and nobody waits for it, so it may be a part of
 * its own.
 */
import type { Faults } from '../extractors/extractor.ts'
import { openSound } from '../extractors/hear-sound.ts'
import type { HeardSound } from '../extractors/hear-sound.ts'
import { proxySoundName } from '../pass/plan.ts'
import { runPass } from '../pass/run.ts'
import type { ToolOutcome } from '../tools/run.ts'
import type { Film } from './plan-film.ts'

export interface HeardFilm extends HeardSound {
  faults: Faults
  /** File of the proxy's sound in the folder; null if there is none or if another part makes it. */
  proxy: string | null
}

export type HearOutcome =
  | { end: 'done'; heard: HeardFilm }
  | { end: 'stopped'; outcome: ToolOutcome }

const nothing = {
  ...{ sound: null, speech: null, voice: null },
  ...{ microphones: null, spokenTrack: null, waveform: null },
}

interface Order {
  file: string
  workDir: string
  signal?: AbortSignal
  onProgress?: (part: number) => void
}

/** True if the proxy needs a sound of its own. */
export function hasProxySound({ details, needs }: Film): boolean {
  return details.audio !== null && needs.has('files')
}

/** `leavesProxy`: another part encodes the proxy's sound. */
export async function hearFilm(
  film: Film,
  { leavesProxy = false, ...order }: Order & { leavesProxy?: boolean },
): Promise<HearOutcome> {
  const faults: Faults = {}
  const wanted = ['sound', 'voice', 'files'] as const
  if (!film.details.audio || !wanted.some((need) => film.needs.has(need))) {
    return { end: 'done', heard: { ...nothing, faults, proxy: null } }
  }
  const sound = await openSound({ ...film, ...order, faults })
  try {
    const pass = await runPass({
      ...soundOf(film),
      ...order,
      ...sound.request,
      ...(leavesProxy ? { proxy: false } : {}),
    })
    const { outcome } = pass
    if (outcome.end === 'canceled' || outcome.end === 'timeout') return { end: 'stopped', outcome }
    const heard = await sound.finish(pass)
    return { end: 'done', heard: { ...heard, faults, proxy: pass.proxyFile } }
  } finally {
    await sound.stop()
  }
}

/** Encodes only the proxy's sound; false if it was stopped. */
export async function encodeProxySound(film: Film, order: Order): Promise<boolean> {
  const { outcome } = await runPass({ ...soundOf(film), ...order, proxy: true })
  return outcome.end !== 'canceled' && outcome.end !== 'timeout'
}

function soundOf({ details, range, maxSeconds, audioTrack }: Film) {
  const only = 'sound' as const
  return { details, range, maxSeconds, audioTrack, only, proxyName: proxySoundName }
}
