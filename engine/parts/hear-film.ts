/** Hears the sound of a film, all of it at once: to take it apart would cost more than it takes. */
import type { Faults } from '../extractors/extractor.ts'
import { openSound } from '../extractors/hear-sound.ts'
import type { HeardSound } from '../extractors/hear-sound.ts'
import { runPass } from '../pass/run.ts'
import type { ToolOutcome } from '../tools/run.ts'
import type { Film } from './plan-film.ts'

export interface HeardFilm extends HeardSound {
  faults: Faults
  /** The proxy's sound, in the folder. */
  proxy: string | null
}

export type HearOutcome =
  | { end: 'done'; heard: HeardFilm }
  | { end: 'stopped'; outcome: ToolOutcome }

const proxySound = 'proxy-sound.mp4'
const nothing = { sound: null, speech: null, voice: null, microphones: null, waveform: null }

export async function hearFilm(
  film: Film,
  order: {
    file: string
    workDir: string
    signal?: AbortSignal
    onProgress?: (part: number) => void
  },
): Promise<HearOutcome> {
  const faults: Faults = {}
  const wanted = ['sound', 'voice', 'files'] as const
  if (!film.details.audio || !wanted.some((need) => film.needs.has(need))) {
    return { end: 'done', heard: { ...nothing, faults, proxy: null } }
  }
  const sound = await openSound({ ...film, ...order, faults })
  try {
    const pass = await runPass({
      ...order,
      details: film.details,
      range: film.range,
      maxSeconds: film.maxSeconds,
      audioTrack: film.audioTrack,
      only: 'sound',
      ...sound.request,
      proxyName: proxySound,
    })
    const { outcome } = pass
    if (outcome.end === 'canceled' || outcome.end === 'timeout') return { end: 'stopped', outcome }
    const heard = await sound.finish(pass)
    return { end: 'done', heard: { ...heard, faults, proxy: pass.proxyFile } }
  } finally {
    await sound.stop()
  }
}
