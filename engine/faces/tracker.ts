/** Faces and mouths of a video, frame by frame: feed it pictures, get the tracks at the end. */
import { startModelProcess } from '../models/process.ts'
import type { FaceMethods } from './face-process.ts'
import { pictureSize } from './picture.ts'
import type { FaceTracks } from './tracks.ts'

export interface FaceTracker {
  /**
   * One picture of 512 × 512 RGB, the frame fitted inside with black borders; about 12 a second
   * are enough. Resolves when there is room for more; the bytes may be reused from then on.
   */
  push(rgb: Uint8Array, frame: number): Promise<void>
  finish(): Promise<FaceTracks>
  stop(): void
  cpuSeconds(): number
}

const picturesUnderWay = 3

export function createFaceTracker(options: { signal?: AbortSignal } = {}): FaceTracker {
  const model = startModelProcess<FaceMethods>(new URL('face-process.ts', import.meta.url), options)
  const underWay: Promise<null>[] = []
  return {
    async push(rgb, frame) {
      if (rgb.length !== pictureSize * pictureSize * 3) {
        throw new RangeError(`A picture has ${pictureSize} × ${pictureSize} RGB pixels.`)
      }
      const sent = model.call('push', { rgb, frame })
      // A failure is reported by the next push or by finish, not as an unhandled rejection.
      sent.catch(() => undefined)
      underWay.push(sent)
      if (underWay.length > picturesUnderWay) await underWay.shift()
    },
    async finish() {
      try {
        await Promise.all(underWay)
        return await model.call('finish', null)
      } finally {
        model.stop()
      }
    },
    stop: () => model.stop(),
    cpuSeconds: () => model.cpuSeconds(),
  }
}
