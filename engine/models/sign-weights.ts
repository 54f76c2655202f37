/**
 * Weights as signed bytes. A product of unsigned activations and signed weights is what processors
 * of the x64 family with VNNI have an instruction for; two unsigned ones take a slower way round
 * (the encoder then needs 1 ÷ .62 of the time). A weight w of zero point z becomes w − 128 of zero
 * point z − 128, so every product of whole numbers stays the same number.
 *
 * Those without VNNI add up signed products in 16 bits and may overflow, and on arm64 both ways
 * cost the same (measured): they keep the weights as they are.
 */
import { readFileSync } from 'node:fs'
import {
  dataTypes,
  graphBytes,
  graphFields,
  readFields,
  readGraph,
  readInitializer,
  replaceGraph,
  tensorFields,
  writeField,
  writeInitializer,
} from './onnx-file.ts'
import type { Initializer } from './onnx-file.ts'

/** Converts the weights of the model's matrix products to signed bytes. */
export function signWeights(file: Buffer): Buffer {
  const graph = graphBytes(file)
  if (!graph) return file
  const { nodes, initializers } = readGraph(graph)
  const uses = new Map<string, number>()
  for (const { inputs } of nodes) {
    for (const name of inputs) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const signed = new Map<string, Buffer>()
  for (const { opType, inputs } of nodes) {
    if (opType !== 'MatMulInteger') continue
    const pair = [inputs[1], inputs[3]].map((name) => initializers.get(name ?? ''))
    // A tensor that another node also reads must keep its meaning.
    if (pair.some((tensor) => !tensor || uses.get(tensor.name) !== 1)) continue
    const changed = pair.map((tensor) => signBytes(tensor!))
    if (changed.every((tensor) => tensor !== null)) {
      for (const [index, tensor] of pair.entries()) signed.set(tensor!.name, changed[index]!)
    }
  }
  const parts = readFields(graph).flatMap(({ number, from, to, content }) => {
    const bytes =
      number === graphFields.initializer ? signed.get(readInitializer(content).name) : undefined
    return bytes ? writeField(number, bytes) : [graph.subarray(from, to)]
  })
  return replaceGraph(file, parts)
}

/** A tensor of unsigned bytes as signed ones of the same distances; null for any other. */
function signBytes({ bytes, name, dims, dataType, raw }: Initializer): Buffer | null {
  if (dataType !== dataTypes.uint8) return null
  const values = raw ?? int32Bytes(bytes)
  if (values.length !== dims.reduce((product, dim) => product * dim, 1)) return null
  return writeInitializer({ name, dims, dataType: dataTypes.int8, raw: flipSigns(values) })
}

/** Each byte less 128, four at a time: a model has a hundred million. */
function flipSigns(bytes: Buffer): Buffer {
  const words = new Uint32Array(Math.ceil(bytes.length / 4))
  const flipped = Buffer.from(words.buffer, 0, bytes.length)
  flipped.set(bytes)
  for (let at = 0; at < words.length; at++) words[at] = words[at]! ^ 0x80808080
  return flipped
}

/** Small tensors of bytes may be kept as a list of whole numbers. */
export function int32Bytes(tensor: Buffer): Buffer {
  const values = readFields(tensor)
    .filter(({ number }) => number === tensorFields.int32Data)
    // A packed list; bytes take at most two of its own.
    .flatMap(({ content, value }) => (content.length > 0 ? unpack(content) : [value]))
  return Buffer.from(values)
}

function unpack(packed: Buffer): number[] {
  const values: number[] = []
  let value = 0
  let scale = 1
  for (const byte of packed) {
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte >= 0x80) continue
    values.push(value)
    value = 0
    scale = 1
  }
  return values
}

/** True if signed weights are faster on this machine and are summed exactly. */
export function prefersSigned(): boolean {
  if (process.arch !== 'x64') return false
  try {
    return /\bavx(?:512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}
