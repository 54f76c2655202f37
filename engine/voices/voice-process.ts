/** The process that holds the voice network. */
import { serveModel } from '../models/serve.ts'
import { openVoiceModel } from './voice-model.ts'
import type { VoiceWindows } from './voice-model.ts'

export type VoiceMethods = {
  /** The voice of each window, `voiceSize` numbers each. */
  describe: { input: VoiceWindows; output: Float32Array }
}

const model = await openVoiceModel()

serveModel({
  async describe(input: VoiceWindows) {
    return await model.describe(input)
  },
})
