/** The process that holds the face models and follows the faces of one file. */
import { serve } from '../processes/serve.ts'
import { loadFaceModels } from './models.ts'
import { createTracks } from './tracks.ts'
import type { FaceSightings } from './tracks.ts'

export type FaceMethods = {
  push: { input: { rgb: Uint8Array; frame: number }; output: null }
  breakOff: { input: null; output: null }
  finish: { input: null; output: FaceSightings }
}

const tracks = createTracks(await loadFaceModels())

serve({
  async push({ rgb, frame }: FaceMethods['push']['input']) {
    tracks.look(rgb, frame)
    return null
  },
  async breakOff() {
    tracks.breakOff()
    return null
  },
  finish: async () => tracks.result(),
})
