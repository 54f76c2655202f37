/**
 * Describes the voice in a window of sound by 64 numbers, in which one speaker's windows lie close
 * together in angle. Layers that see each frame with its neighbours are in `weights/voices.onnx`.
 * The last step is linear in the statistics of a window: mean and deviation of the output of these
 * layers and of the cepstrum, and the mean output of the first layers of a speech recogniser, which
 * know far more voices than we could train with. It is one matrix in `weights/voices.bin`.
 * `lab/voices/train.py` made both files.
 *
 * The recogniser's part is a mean of frames, so each stretch of sound is heard once (`listen`) and
 * windows are cut out of it (`describe.ts`).
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as ort from '../models/onnx.ts'
import { cutAfter } from '../models/first-layers.ts'
import { keepModels } from '../models/keep-models.ts'
import { openModel } from '../models/session.ts'
import { loadWeights, readWeights, recordedSum, weightsFolder } from '../models/weights.ts'
import { bandCount, logBands } from './spectra.ts'

export const voiceSize = 64
const channels = 192
const cepstra = 24
const statistics = 2 * channels + 3 * cepstra - 1
const recogniserLayers = ['/layers.1/Add_1_output_0', '/layers.2/Add_1_output_0']
const recogniserChannels = 416
const recognised = recogniserLayers.length * recogniserChannels
const columns = statistics + recognised + 1
/** Samples between two frames of the recogniser. */
export const recogniserHop = 384

export interface VoiceWindows {
  /** Mono, 16 kHz, at most a minute. */
  samples: Float32Array
  /** First frame and the frame after the last, in turn; a frame is 10 ms. */
  windows: Int32Array
}

export interface VoiceModel {
  /** The part of each window that the network and the cepstrum give. */
  describe(input: VoiceWindows): Promise<Float32Array>
  /** The recogniser's part, for each of its frames. */
  listen(samples: Float32Array): Promise<Float32Array>
}

const cosines = Float64Array.from({ length: cepstra * bandCount }, (_, index) => {
  const order = Math.floor(index / bandCount)
  return Math.cos((Math.PI * order * ((index % bandCount) + 0.5)) / bandCount)
})

export async function openVoiceModel(): Promise<VoiceModel> {
  const folder = await loadWeights('voices')
  const bytes = await readFile(path.join(folder, 'voices.bin'))
  const matrix = new Float32Array(new Uint8Array(bytes).buffer)
  if (matrix.length !== voiceSize * columns) {
    throw new Error('The matrix of the voice model has another size.')
  }
  const session = await openModel(path.join(folder, 'voices.onnx'))
  const recogniser = await openRecogniser()
  return {
    async listen(samples) {
      const input = new ort.Tensor('float32', samples, [1, samples.length])
      const output = await recogniser.run({ input_values: input })
      return projectFrames(
        matrix,
        recogniserLayers.map((name) => output[name]!.data as Float32Array),
      )
    },
    async describe({ samples, windows }) {
      const spectra = logBands(samples)
      const frames = spectra.length / bandCount
      const result = new Float32Array((windows.length / 2) * voiceSize)
      if (frames === 0) return result
      const input = new ort.Tensor('float32', networkInput(spectra), [1, bandCount + 1, frames])
      const output = await session.run({ spectra: input })
      const layers = output['frames']!.data as Float32Array
      const weights = output['weights']!.data as Float32Array
      const cepstrum = cepstrumOf(spectra)
      for (let at = 0; at < windows.length; at += 2) {
        const from = Math.min(windows[at]!, frames - 1)
        const to = Math.min(Math.max(windows[at + 1]!, from + 1), frames)
        const values = new Float64Array(statistics)
        pool(values, { layers, weights, frames, from, to })
        poolCepstrum(values, { cepstrum, from, to })
        project(matrix, values, result.subarray((at / 2) * voiceSize, (at / 2 + 1) * voiceSize))
      }
      return result
    },
  }
}

/** The first layers of Moonshine's encoder. */
async function openRecogniser(): Promise<ort.InferenceSession> {
  const id = 'moonshine-base'
  const file = path.join(weightsFolder(id), 'encoder_model.onnx')
  const key = { name: `${id}-layers`, madeFrom: recordedSum(id, file), options: recogniserLayers }
  const prepared = await keepModels(key, async () => {
    return {
      models: { layers: cutAfter(await readWeights(id, file), recogniserLayers) },
      about: {},
    }
  })
  if (!prepared) throw new Error('The voice model cannot be prepared.')
  return await prepared.open('layers', { enableCpuMemArena: false })
}

/** The shape of each frame's spectrum, and its level below the loud frames; band by band. */
function networkInput(spectra: Float32Array): Float32Array {
  const frames = spectra.length / bandCount
  const levels = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    for (let band = 0; band < bandCount; band++) sum += spectra[frame * bandCount + band]!
    levels[frame] = sum / bandCount
  }
  const loud = quantile(levels, 0.9)
  const input = new Float32Array((bandCount + 1) * frames)
  for (let frame = 0; frame < frames; frame++) {
    for (let band = 0; band < bandCount; band++) {
      input[band * frames + frame] = spectra[frame * bandCount + band]! - levels[frame]!
    }
    input[bandCount * frames + frame] = (levels[frame]! - loud) * 0.5
  }
  return input
}

function quantile(values: Float32Array, share: number): number {
  const sorted = values.toSorted()
  const place = share * (sorted.length - 1)
  const low = Math.floor(place)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (place - low) * (sorted[high]! - sorted[low]!)
}

/** Mean and deviation of each channel, frames weighed as the network says. */
function pool(
  values: Float64Array,
  {
    layers,
    weights,
    frames,
    from,
    to,
  }: { layers: Float32Array; weights: Float32Array; frames: number; from: number; to: number },
): void {
  let total = 1e-6
  for (let frame = from; frame < to; frame++) total += weights[frame]!
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0
    let squares = 0
    for (let frame = from; frame < to; frame++) {
      const value = layers[channel * frames + frame]!
      sum += value * weights[frame]!
      squares += value * value * weights[frame]!
    }
    const mean = sum / total
    values[channel] = mean
    values[channels + channel] = Math.sqrt(Math.max(squares / total - mean * mean, 1e-4))
  }
}

function cepstrumOf(spectra: Float32Array): Float32Array {
  const frames = spectra.length / bandCount
  const result = new Float32Array(frames * cepstra)
  for (let frame = 0; frame < frames; frame++) {
    for (let order = 0; order < cepstra; order++) {
      let sum = 0
      for (let band = 0; band < bandCount; band++) {
        sum += cosines[order * bandCount + band]! * spectra[frame * bandCount + band]!
      }
      result[frame * cepstra + order] = sum
    }
  }
  return result
}

/** Mean and deviation of the loud frames, and how far the cepstrum moves in 40 ms. */
function poolCepstrum(
  values: Float64Array,
  { cepstrum, from, to }: { cepstrum: Float32Array; from: number; to: number },
): void {
  const count = to - from
  const loudness = Float32Array.from({ length: count }, (_, at) => cepstrum[(from + at) * cepstra]!)
  const quiet = quantile(loudness, 0.3)
  const weights = Float64Array.from(loudness, (level) => 1 / (1 + Math.exp((quiet - level) / 10)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const place = 2 * channels
  for (let order = 0; order < cepstra; order++) {
    const at = (frame: number) => cepstrum[(from + frame) * cepstra + order]!
    let mean = 0
    for (let frame = 0; frame < count; frame++) mean += at(frame) * weights[frame]!
    mean /= total
    let spread = 0
    for (let frame = 0; frame < count; frame++) spread += (at(frame) - mean) ** 2 * weights[frame]!
    let moved = 0
    for (let frame = 4; frame < count; frame++) moved += (at(frame) - at(frame - 4)) ** 2
    if (order > 0) values[place + order - 1] = mean
    values[place + cepstra - 1 + order] = Math.log(Math.sqrt(spread / total + 1e-3))
    values[place + 2 * cepstra - 1 + order] = Math.log(
      Math.sqrt(moved / Math.max(1, count - 4) + 1e-3),
    )
  }
}

function project(matrix: Float32Array, values: Float64Array, target: Float32Array): void {
  for (let row = 0; row < voiceSize; row++) {
    const start = row * columns
    let sum = matrix[start + columns - 1]!
    for (let at = 0; at < statistics; at++) sum += matrix[start + at]! * values[at]!
    target[row] = sum
  }
}

function projectFrames(matrix: Float32Array, layers: readonly Float32Array[]): Float32Array {
  const frames = layers[0]!.length / recogniserChannels
  const result = new Float32Array(frames * voiceSize)
  for (let frame = 0; frame < frames; frame++) {
    for (let row = 0; row < voiceSize; row++) {
      let column = row * columns + statistics
      let sum = 0
      for (const layer of layers) {
        const start = frame * recogniserChannels
        for (let at = 0; at < recogniserChannels; at++)
          sum += matrix[column++]! * layer[start + at]!
      }
      result[frame * voiceSize + row] = sum
    }
  }
  return result
}
