/**
 * Whisper's ear. The model was made to hear 30 s at a time, which a clip of three seconds pays for
 * in full. It hears as well with a few seconds of quiet after the sound (measured: the same number
 * of words wrong on clips and on sentences cut out of longer ones), so a short window goes through a
 * shortened encoder. An export that cannot be shortened hears 30 s each time.
 */
import { readFile } from 'node:fs/promises'
import type { WhisperFeatureExtractor } from '@huggingface/transformers'
import * as ort from 'onnxruntime-node'
import { shortenEncoder } from '../../models/shorten-encoder.ts'

/** A position of the encoder is 20 ms of sound at 16 kHz. */
export const samplesPerPosition = 320
const wholePositions = 1500
/** 8, 15, 22 and 30 s. */
const lengths = [400, 750, 1100, wholePositions]
const quietAfter = 200

export function createEncoder(
  file: string,
  session: ort.InferenceSession.SessionOptions,
  extractor: WhisperFeatureExtractor,
): (samples: Float32Array) => Promise<ort.Tensor> {
  let made: { positions: number; encoder: ort.InferenceSession; canShorten: boolean } | undefined
  async function encoderFor(wanted: number) {
    const positions = made?.canShorten === false ? wholePositions : wanted
    if (made?.positions === positions) return made
    await made?.encoder.release()
    made = undefined
    const bytes = await readFile(file)
    const short = shortenEncoder(bytes, positions)
    made = {
      positions: short ? positions : wholePositions,
      // An arena would keep the memory of the largest layer for the next window.
      encoder: await ort.InferenceSession.create(short ?? bytes, {
        ...session,
        enableCpuMemArena: false,
      }),
      canShorten: short !== null,
    }
    return made
  }
  return async (samples) => {
    const needed = Math.ceil(samples.length / samplesPerPosition) + quietAfter
    const { encoder, positions } = await encoderFor(
      lengths.find((length) => length >= needed) ?? wholePositions,
    )
    const { input_features: features } = (await extractor(samples, {
      max_length: positions * samplesPerPosition,
    })) as { input_features: { data: Float32Array; dims: number[] } }
    const input = new ort.Tensor('float32', features.data, features.dims)
    const output = await encoder.run({ input_features: input }, ['last_hidden_state'])
    const hidden = output['last_hidden_state']
    if (!hidden) throw new Error('The encoder gave nothing.')
    return hidden
  }
}
