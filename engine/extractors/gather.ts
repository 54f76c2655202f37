/**
 * Gathers what the chosen extractors need, all from one pass: each need puts its listener on the
 * pass, and what they collected becomes the signals. A long film is gathered in parts (`parts/`).
 */
import { toNumber } from '../../domain/time/rational.ts'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Media } from '../../domain/findings/findings.ts'
import { recogniseFaces } from '../faces/recognise-faces.ts'
import { createClock } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import type { Faults, Need, Signals } from './extractor.ts'
import { openSound } from './hear-sound.ts'
import { openFrames, watchChanges } from './see-frames.ts'
import type { Watched } from './see-frames.ts'
import { keepFrames, readFrames } from '../pass/kept-frames.ts'
import type { FrameRange } from '../pass/plan.ts'
import { runPass } from '../pass/run.ts'
import type { PassResult } from '../pass/run.ts'
import type { MediaDetails } from '../probe.ts'
import type { ReadFrames } from '../shots/shot-classifier.ts'

export interface GatherInput {
  file: string
  media: Media
  details: MediaDetails
  workDir: string
  needs: ReadonlySet<Need>
  range?: FrameRange
  maxSeconds?: number
  audioTrack?: number
  signal?: AbortSignal
  onProgress?: (part: number) => void
}

export type Gathered = Pick<
  Signals,
  | 'clock'
  | 'startFrame'
  | 'places'
  | 'changes'
  | 'sound'
  | 'speech'
  | 'voice'
  | 'microphones'
  | 'spokenTrack'
  | 'faces'
  | 'text'
  | 'files'
  | 'faults'
> &
  Pick<PassResult, 'outcome' | 'firstPts'>

const nothing: Watched = { changes: null, motion: null, faults: {} }

export async function gatherSignals(input: GatherInput): Promise<Gathered> {
  const { details, needs, workDir } = input
  const faults: Faults = {}
  const watched = watchChanges(details, needs)
  const framesFile = path.join(workDir, 'frames.zst')
  const small = keepFrames(framesFile)
  const onSmall = (yuv: Uint8Array): void | Promise<void> => {
    watched.push(yuv)
    return small.push(yuv)
  }
  const images = openFrames({ ...input, faults, onSmall })
  const sound = await openSound({ ...input, faults })
  try {
    const first = await runPass({
      ...input,
      ...images.request,
      ...sound.request,
      proxy: images.request.proxy || sound.request.proxy,
    })
    // Sound that does not decode must not keep the frames from being analysed.
    const isSpoilt = first.outcome.end === 'failed' && first.images === 0
    const pass =
      isSpoilt && details.video && details.audio
        ? await runPass({ ...input, ...images.request, only: 'frames' })
        : first
    const [seen, { waveform, ...heard }] = await Promise.all([
      images.finish(pass),
      sound.finish(first),
    ])
    await small.close()
    const readAgain: ReadFrames = (take) => readFrames([framesFile], take, input.signal)
    const { changes, motion, ...detected } =
      pass.outcome.end === 'canceled' ? nothing : await watched.finish(readAgain, input.signal)
    const { sprite } = images.request
    const names = sprite ? await sheetNames(workDir) : []
    return {
      outcome: pass.outcome,
      firstPts: pass.firstPts,
      clock: pass.images > 0 ? pass.clock : clockOfSound(input, pass.startFrame),
      startFrame: pass.startFrame,
      places: pass.places,
      ...heard,
      changes,
      faces: seen.faces && recogniseFaces(seen.faces),
      text: seen.text && motion ? { readings: seen.text, motion } : null,
      faults: { ...detected.faults, ...faults },
      files: needs.has('files')
        ? {
            proxy: pass.proxyFile,
            sprite: sprite && names.length > 0 ? { names, ...sprite } : null,
            waveform,
          }
        : null,
    }
  } finally {
    images.stop()
    await small.close()
    await rm(framesFile, { force: true })
    await sound.stop()
  }
}

/** The sheets of the sprite that were written into a folder. */
export async function sheetNames(workDir: string): Promise<string[]> {
  return (await readdir(workDir)).filter((name) => /^sprite-\d+\.jpg$/.test(name)).sort()
}

/** Makes the clock if no frame was decoded: frames are counted from the range's length. */
export function clockOfSound(
  { details, range, maxSeconds = Infinity }: Pick<GatherInput, 'details' | 'range' | 'maxSeconds'>,
  startFrame: number,
): FrameClock {
  const { clock } = details
  const end = range?.endFrame ?? clock.frames
  const start = toNumber(clock.timeOf(startFrame))
  const last = Math.min(end, clock.frameAt(start + maxSeconds))
  return createClock({ rate: clock.rate, frames: Math.max(1, last - startFrame) })
}
