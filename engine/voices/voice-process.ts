/** The process that holds the voice network. */
import { serve } from '../processes/serve.ts'
import { openVoiceModel } from './voice-model.ts'
import type { VoiceWindows } from './voice-model.ts'

export type VoiceMethods = {
  /** `voiceSize` numbers for each window, or for each frame of the recogniser. */
  describe: { input: VoiceWindows; output: Float32Array }
  listen: { input: Float32Array; output: Float32Array }
}

const model = await openVoiceModel()

serve({
  async describe(input: VoiceWindows) {
    return await model.describe(input)
  },
  async listen(samples: Float32Array) {
    return await model.listen(samples)
  },
})
