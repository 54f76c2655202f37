/**
 * The process that holds the network for gradual changes. It takes 32 small frames from before a
 * change to behind it; its layers read each frame, each place over time, and how alike any two
 * frames are. `lab/shots/train-shot-classifier.py` made `weights/shot-classifier.onnx`.
 */
import path from 'node:path'
import * as ort from '../models/onnx.ts'
import { serve } from '../processes/serve.ts'
import { openModel } from '../models/session.ts'
import { loadWeights } from '../models/weights.ts'
import { smallBytes, smallHeight, smallWidth } from '../pass/plan.ts'
import { classifiedFrames } from './grid.ts'

export type ShotClassifierMethods = {
  /** Returns the probability of a change of `length` frames; `frames` holds those around it. */
  classify: { input: { frames: Uint8Array; length: number }; output: number }
}

const width = smallWidth / 2
const height = smallHeight / 2
const planePixels = width * height
const planes = 6
const lumaBytes = smallWidth * smallHeight

const folder = await loadWeights('shot-classifier')
const session = await openModel(path.join(folder, 'shot-classifier.onnx'))

serve({
  async classify({ frames, length }: ShotClassifierMethods['classify']['input']) {
    const output = await session.run({
      frames: new ort.Tensor('float32', unpack(frames), [classifiedFrames, planes, height, width]),
      length: new ort.Tensor('float32', [length], [1]),
    })
    return (output['probability']!.data as Float32Array)[0]!
  },
})

/** Luma as four planes of every second pixel, and both chromas, all about zero. */
function unpack(frames: Uint8Array): Float32Array {
  const values = new Float32Array(classifiedFrames * planes * planePixels)
  for (let frame = 0; frame < classifiedFrames; frame++) {
    const yuv = frames.subarray(frame * smallBytes, (frame + 1) * smallBytes)
    const base = frame * planes * planePixels
    for (let at = 0; at < lumaBytes; at++) {
      const x = at % smallWidth
      const y = Math.floor(at / smallWidth)
      const plane = (y % 2) * 2 + (x % 2)
      const place = (y >> 1) * width + (x >> 1)
      values[base + plane * planePixels + place] = (yuv[at]! - 110) / 60
    }
    for (let at = 0; at < 2 * planePixels; at++) {
      values[base + 4 * planePixels + at] = (yuv[lumaBytes + at]! - 128) / 25
    }
  }
  return values
}
