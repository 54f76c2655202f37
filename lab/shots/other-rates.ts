/**
 * Brings real clips to other rates by mixing frames, as converters between television systems do:
 * most cuts get a frame that shows both shots. Cut positions are brought to the new rate.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { parseRational, toNumber } from '../../domain/time/rational.ts'
import type { Truth } from './cut-truth.ts'

const execute = promisify(execFile)

export interface RatedClip extends Truth {
  fps: string
  vfr: boolean
}

/** Rates that film and television of the other continent have. */
const fromSlow = [30, 50]
const fromFast = [24, 25]
const fastest = 26

/** Writes the converted clips into a folder; a clip that is not there is left out. */
export async function convertClips(
  clips: Record<string, RatedClip>,
  from: string,
  to: string,
): Promise<Record<string, Truth>> {
  const converted: Record<string, Truth> = {}
  for (const [name, clip] of Object.entries(clips)) {
    const file = path.join(from, name)
    if (clip.vfr || !existsSync(file)) continue
    const fps = parseRational(clip.fps)
    if (!fps) throw new Error(`${name}: ${clip.fps} is no rate`)
    const own = toNumber(fps)
    for (const rate of own < fastest ? fromSlow : fromFast) {
      // Every second frame of 50 is no mix.
      if (Number.isInteger(own / rate)) continue
      const target = `${path.parse(name).name}-${rate}.mp4`
      const filters = `scale=-2:360,framerate=fps=${rate}:scene=100`
      const codec = '-c:v libx264 -preset ultrafast -crf 18 -fps_mode passthrough'.split(' ')
      await execute('ffmpeg', [
        ...['-v', 'error', '-nostdin', '-y', '-i', file, '-map', '0:v:0', '-vf', filters],
        ...[...codec, path.join(to, target)],
      ])
      converted[target] = atRate(clip, rate / own)
    }
  }
  return converted
}

function atRate({ kind, frames, cuts, gradual, ignore }: Truth, factor: number): Truth {
  // The first frame that shows nothing of the old shot.
  const place = (frame: number): number => Math.ceil(frame * factor - 1e-6)
  return {
    kind,
    frames: Math.floor(frames * factor),
    cuts: cuts.map(place),
    gradual: gradual.map((change) => ({
      ...change,
      start: place(change.start),
      end: place(change.end),
    })),
    ignore: ignore.map(([first, last]) => [place(first) - 1, place(last) + 1]),
  }
}
