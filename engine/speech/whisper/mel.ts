/**
 * Sound as Whisper sees it: the logarithm of its power in mel bands, every 10 ms over 25 ms.
 * Written here rather than taken from a library, since loading that library cost more than this
 * does; and as a small model, since the runtime multiplies matrices many times as fast as a loop in
 * JavaScript.
 */
import * as ort from '../../models/onnx.ts'
import {
  dataTypes,
  writeFloatValue,
  writeGraph,
  writeDoubles,
  writeInts,
  writeModel,
  writeNode,
} from '../../models/onnx-file.ts'
import { openModel } from '../../models/session.ts'

const size = 400
const hop = 160
const bins = size / 2 + 1
const half = size / 2
const sampleRate = 16_000
const floor = 1e-10
/** Quieter than this many powers of ten below the loudest is all the same. */
const range = 8

/** [1 × bands × frames] of so many frames; sound that is shorter is followed by quiet. */
export async function createMel(
  bandCount: number,
): Promise<(samples: Float32Array, frames: number) => Promise<ort.Tensor>> {
  const session = await openModel(melModel(bandCount))
  return async (samples, frames) => {
    const cut = cutFrames(withMirroredEnds(samples, frames * hop), frames)
    const input = new ort.Tensor('float64', cut, [size, frames])
    return (await session.run({ frames: input }))['mel']!
  }
}

/** So many samples and half a frame around them. */
function withMirroredEnds(samples: Float32Array, length: number): Float32Array {
  const sound = new Float32Array(length - hop + size)
  sound.set(samples.subarray(0, length), half)
  for (let at = 1; at <= half; at++) sound[half - at] = sound[half + at]!
  for (let at = half + length; at < sound.length; at++) {
    sound[at] = sound[2 * (half + length - 1) - at]!
  }
  return sound
}

/** [size × frames]: the first sample of each frame, the second of each, and so on. */
function cutFrames(sound: Float32Array, frames: number): Float64Array {
  const cut = new Float64Array(size * frames)
  for (let at = 0; at < size; at++) {
    for (let frame = 0; frame < frames; frame++) cut[at * frames + frame] = sound[frame * hop + at]!
  }
  return cut
}

function melModel(bandCount: number): Buffer {
  const initializers = [
    writeDoubles('waves', waves(), [2 * bins, size]),
    writeDoubles('shares', bandShares(bandCount), [bandCount, 2 * bins]),
    writeDoubles('floor', [floor]),
    writeDoubles('ten', [Math.LN10]),
    writeDoubles('range', [range]),
    writeDoubles('four', [4]),
    writeInts('first', [0]),
  ]
  const nodes = [
    writeNode('MatMul', ['waves', 'frames'], ['waved']),
    writeNode('Mul', ['waved', 'waved'], ['power']),
    writeNode('MatMul', ['shares', 'power'], ['bands']),
    writeNode('Max', ['bands', 'floor'], ['heard']),
    writeNode('Log', ['heard'], ['natural']),
    writeNode('Div', ['natural', 'ten'], ['powers']),
    writeNode('ReduceMax', ['powers'], ['highest']),
    writeNode('Sub', ['highest', 'range'], ['lowest']),
    writeNode('Max', ['powers', 'lowest'], ['within']),
    writeNode('Add', ['within', 'four'], ['shifted']),
    writeNode('Div', ['shifted', 'four'], ['exact']),
    writeNode('Unsqueeze', ['exact', 'first'], ['batch']),
    writeNode('Cast', ['batch'], ['mel'], { to: dataTypes.float32 }),
  ]
  return writeModel(
    writeGraph({
      name: 'mel',
      nodes,
      initializers,
      inputs: [writeFloatValue('frames', dataTypes.float64)],
      outputs: [writeFloatValue('mel')],
    }),
  )
}

/** Every frequency of a frame as a cosine, and then as a sine, faded in and out. */
function waves(): Float64Array {
  const turns = Float64Array.from({ length: size }, (_, at) => (2 * Math.PI * at) / size)
  const [cosines, sines] = [turns.map(Math.cos), turns.map(Math.sin)]
  const all = new Float64Array(2 * bins * size)
  for (let bin = 0; bin < bins; bin++) {
    for (let at = 0; at < size; at++) {
      const fade = 0.5 - 0.5 * cosines[at]!
      const turn = (bin * at) % size
      all[bin * size + at] = fade * cosines[turn]!
      all[(bins + bin) * size + at] = fade * sines[turn]!
    }
  }
  return all
}

/**
 * How much of each frequency's power is in each band: triangles of equal area, even below 1,000 Hz
 * and logarithmic above (Slaney's scale). Cosines and sines have the same.
 */
function bandShares(count: number): number[] {
  const step = Math.log(6.4) / 27
  const toMel = (hertz: number) =>
    hertz < 1000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1000) / step
  const toHertz = (mel: number) => (mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp((mel - 15) * step))
  const corner = (index: number) => toHertz((toMel(sampleRate / 2) * index) / (count + 1))
  return Array.from({ length: count }, (_, band) => {
    const [left, top, right] = [corner(band), corner(band + 1), corner(band + 2)]
    const shares = Array.from({ length: bins }, (_, bin) => {
      const hertz = (bin * sampleRate) / size
      const share = Math.min((hertz - left) / (top - left), (right - hertz) / (right - top))
      return (Math.max(0, share) * 2) / (right - left)
    })
    return [...shares, ...shares]
  }).flat()
}
