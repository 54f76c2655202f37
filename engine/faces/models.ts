/**
 * The face models of @vladmandic/human on TensorFlow.js' WASM backend: BlazeFace finds faces (35 ms
 * a picture), FaceMesh reads 468 points of one (11 ms), FaceRes tells people apart (130 ms). They
 * are called one by one, not through the package's own pipeline, which runs all for every frame.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { loadGraphModel } from '@tensorflow/tfjs-converter'
import type { GraphModel } from '@tensorflow/tfjs-converter'
import { dispose, ready, setBackend, tensor4d } from '@tensorflow/tfjs-core'
import { loadWeights, packageFolder } from '../models/weights.ts'
import { cropSquare, overlap, frameSize } from './crop-square.ts'
import type { Square } from './crop-square.ts'

export interface FaceModels {
  /** Squares around the faces of a picture, the surest first. */
  detect(rgb: Uint8Array): FoundFace[]
  /** Landmarks of the face in a square, in coordinates of the frame (x, y, depth). */
  mesh(rgb: Uint8Array, square: Square): { points: Float32Array; score: number }
  /** A vector; vectors of the same person are close to each other. */
  describe(rgb: Uint8Array, square: Square): Float32Array
}

export interface FoundFace {
  square: Square
  score: number
}

const detectorSize = 256
const meshSize = 192
const describeSize = 224
const minScore = 0.5
const maxFaces = 6
/** The detector's box is the bare face; the mesh needs some room around it. */
const room = 1.5

export async function loadFaceModels(): Promise<FaceModels> {
  const folder = await loadWeights('faces')
  setWasmPaths(path.join(packageFolder('@tensorflow/tfjs-backend-wasm'), 'dist/'))
  setThreadsCount(1)
  await setBackend('wasm')
  await ready()
  const detector = await openModel(folder, 'blazeface')
  const mesh = await openModel(folder, 'facemesh')
  const describer = await openModel(folder, 'faceres')
  const anchors = makeAnchors()
  const whole = { x: frameSize / 2, y: frameSize / 2, side: frameSize, angle: 0 }
  return {
    detect(rgb) {
      const input = cropSquare(rgb, whole, { size: detectorSize, low: -1, high: 1 })
      return readBoxes(run(detector, input, detectorSize), anchors)
    },
    mesh(rgb, square) {
      const input = cropSquare(rgb, square, { size: meshSize, low: 0, high: 1 })
      const outputs = run(mesh, input, meshSize)
      const raw = pick(outputs, 1404)
      return { points: placePoints(raw, square), score: sigmoidIfNeeded(pick(outputs, 1)[0]!) }
    },
    describe(rgb, square) {
      const input = cropSquare(rgb, square, { size: describeSize, low: 0, high: 255 })
      return pick(run(describer, input, describeSize), 1024)
    },
  }
}

async function openModel(folder: string, name: string): Promise<GraphModel> {
  const model = JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')) as {
    modelTopology: object
    signature: object
    weightsManifest: { weights: never[] }[]
  }
  const weights = await readFile(path.join(folder, `${name}.bin`))
  return await loadGraphModel({
    load: async () => ({
      modelTopology: model.modelTopology,
      signature: model.signature,
      weightSpecs: model.weightsManifest.flatMap((part) => part.weights),
      weightData: Uint8Array.from(weights).buffer,
    }),
  })
}

function run(model: GraphModel, input: Float32Array, size: number): Float32Array[] {
  const tensor = tensor4d(input, [1, size, size, 3])
  const outputs = [model.execute(tensor)].flat()
  const values = outputs.map((output) => output.dataSync() as Float32Array)
  dispose([tensor, ...outputs])
  return values
}

function pick(outputs: Float32Array[], length: number): Float32Array {
  const output = outputs.find((values) => values.length === length)
  if (!output) throw new Error(`The face model gave no output of length ${length}.`)
  return output
}

/** Two anchors in each cell of 16 pixels, six in each cell of 32. */
function makeAnchors(): [number, number][] {
  const anchors: [number, number][] = []
  for (const [stride, count] of [
    [16, 2],
    [32, 6],
  ] as const) {
    for (let y = stride / 2; y < detectorSize; y += stride) {
      for (let x = stride / 2; x < detectorSize; x += stride) {
        for (let n = 0; n < count; n++) anchors.push([x, y])
      }
    }
  }
  return anchors
}

/** Reads the candidates, 16 numbers each: centre, size, then six landmarks, the eyes first. */
function readBoxes(outputs: Float32Array[], anchors: [number, number][]): FoundFace[] {
  const scores = [...pick(outputs, 512), ...pick(outputs, 384)]
  const fine = pick(outputs, 512 * 16)
  const coarse = pick(outputs, 384 * 16)
  const scale = frameSize / detectorSize
  const output: FoundFace[] = []
  for (const [index, logit] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-logit))
    if (score < minScore) continue
    const [source, offset] = index < 512 ? [fine, index * 16] : [coarse, (index - 512) * 16]
    const [anchorX, anchorY] = anchors[index]!
    const at = (n: number) => source[offset + n]!
    output.push({
      score,
      square: {
        x: (at(0) + anchorX) * scale,
        y: (at(1) + anchorY) * scale,
        side: Math.max(at(2), at(3)) * room * scale,
        angle: Math.atan2(at(7) - at(5), at(6) - at(4)),
      },
    })
  }
  output.sort((a, b) => b.score - a.score)
  const kept: FoundFace[] = []
  for (const face of output) {
    if (kept.length < maxFaces && kept.every((other) => overlap(other.square, face.square) < 0.3)) {
      kept.push(face)
    }
  }
  return kept
}

function placePoints(raw: Float32Array, square: Square): Float32Array {
  const points = new Float32Array(raw.length)
  const scale = square.side / meshSize
  const cos = Math.cos(square.angle) * scale
  const sin = Math.sin(square.angle) * scale
  for (let at = 0; at < raw.length; at += 3) {
    const u = raw[at]! - meshSize / 2
    const v = raw[at + 1]! - meshSize / 2
    points[at] = square.x + u * cos - v * sin
    points[at + 1] = square.y + u * sin + v * cos
    points[at + 2] = raw[at + 2]! * scale
  }
  return points
}

function sigmoidIfNeeded(value: number): number {
  return value >= 0 && value <= 1 ? value : 1 / (1 + Math.exp(-value))
}
