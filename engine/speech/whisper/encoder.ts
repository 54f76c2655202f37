/**
 * Whisper's ear. The model was made to hear 30 s at a time, which a clip of three seconds pays for
 * in full. It hears as well with a few seconds of quiet after the sound (measured: the same number
 * of words wrong on clips and on sentences cut out of longer ones), so a short window is heard as
 * one. An export that cannot do that hears 30 s each time.
 */
import type * as ort from '../../models/onnx.ts'
import { flexEncoder } from '../../models/flexible-encoder.ts'
import { fuseSelfAttention } from '../../models/rewire-attention.ts'
import { prefersSigned, signWeights } from '../../models/sign-weights.ts'
import { onnxFile } from '../../models/whisper-files.ts'
import type { WhisperFolder } from '../../models/whisper-folder.ts'
import { createMel } from './mel.ts'

/** A position of the encoder is 20 ms of sound at 16 kHz. */
export const samplesPerPosition = 320
const wholePositions = 1500
const quietAfter = 200
/** Windows are as long as a whole multiple of this; the 1500 of 30 s are one. */
const positionsInBlock = 60

export async function createEncoder(
  folder: WhisperFolder,
  { melBands, heads }: { melBands: number; heads: number },
): Promise<(samples: Float32Array) => Promise<ort.Tensor>> {
  const mel = await createMel(melBands)
  const isSigned = prefersSigned()
  const file = onnxFile(folder.path, 'encoder_model')
  const prepared = await folder.prepare(file, { heads, isSigned }, (exported) => {
    const flexible = flexEncoder(exported)
    const whole = fuseSelfAttention(flexible ?? exported, heads)
    const models = { encoder: isSigned ? signWeights(whole) : whole }
    return { models, about: { isFlexible: flexible !== null } }
  })
  if (!prepared) throw new Error('The encoder cannot be prepared.')
  const { isFlexible } = prepared.about
  // An arena would keep the memory of the largest layer for the next window.
  const encoder = await prepared.open('encoder', { enableCpuMemArena: false })
  return async (samples) => {
    const needed = Math.ceil(samples.length / samplesPerPosition) + quietAfter
    const blocks = Math.ceil(needed / positionsInBlock)
    const fitting = isFlexible ? blocks * positionsInBlock : wholePositions
    // Two frames of sound make a position.
    const frames = Math.min(fitting, wholePositions) * 2
    const features = await mel(samples, frames)
    const output = await encoder.run({ input_features: features }, ['last_hidden_state'])
    const hidden = output['last_hidden_state']
    if (!hidden) throw new Error('The encoder gave nothing.')
    return hidden
  }
}
