/** Tracks the faces and mouths of a video: takes frames in order, returns sightings at the end. */
import { takeTurns } from '../models/in-turn.ts'
import { startModel } from '../models/start.ts'
import type { FaceMethods } from './face-process.ts'
import { frameSize } from './crop-square.ts'
import type { FaceSightings } from './tracks.ts'

export interface FaceTracker {
  /**
   * Takes one frame of 512 × 512 RGB, fitted inside with black borders; about 12 a second are
   * enough. Resolves when there is room for more; the bytes may be reused from then on.
   */
  push(rgb: Uint8Array, frame: number): Promise<void>
  /** Starts as if the next frame were the first one: what comes does not depend on what was. */
  breakOff(): void
  finish(): Promise<FaceSightings>
  stop(): void
  cpuSeconds(): number
}

const framesUnderWay = 3

export function createFaceTracker(options: { signal?: AbortSignal } = {}): FaceTracker {
  const model = startModel<FaceMethods>(new URL('face-process.ts', import.meta.url), options)
  const turns = takeTurns(model, framesUnderWay)
  return {
    async push(rgb, frame) {
      if (rgb.length !== frameSize * frameSize * 3) {
        throw new RangeError(`A picture has ${frameSize} × ${frameSize} RGB pixels.`)
      }
      turns.send(model.call('push', { rgb, frame }))
      await turns.room()
    },
    breakOff: () => turns.send(model.call('breakOff', null)),
    finish: () => turns.finish(() => model.call('finish', null)),
    stop: () => model.stop(),
    cpuSeconds: () => model.cpuSeconds(),
  }
}
