/**
 * Whisper's decoder is exported as one graph with two branches: the first step, which also turns
 * what was heard into keys and values, and each later step. Everything inside a branch escapes the
 * runtime's preparation: the matrix of 51,865 × 768 that scores the next token is transposed and
 * turned into floats again at every step, which is more than half of it. So the branches are cut
 * into three plain graphs:
 *
 * - `listen`: the encoder's output → keys and values of every layer, once for a window;
 * - `step`: a token and the cache → the cache one longer, where it looked, and the hidden state. It
 *   takes the first token as well, with an empty cache, and several hypotheses in one batch, which
 *   share what was heard (`rewire-attention.ts`);
 * - `score`: the hidden state → a number for each next token; left out where nobody asks.
 *
 * `promptDecoder` gives the first branch again, for several tokens at once.
 */
import {
  dataTypes,
  graphBytes,
  readGraph,
  replaceGraph,
  sliceGraph,
  writeFloatValue,
  writeGraph,
  writeInitializer,
  writeNode,
} from './onnx-file.ts'
import type { Graph, GraphNode, Initializer } from './onnx-file.ts'
import { shareSound, soundNames, turnSound } from './rewire-attention.ts'
import type { Heads } from './rewire-attention.ts'
import { int32Bytes, prefersSigned } from './sign-weights.ts'

export interface SplitDecoder {
  listen: Buffer
  step: Buffer
  score: Buffer
  /** Name of the hidden state, which `step` outputs and `score` takes. */
  hidden: string
  /** Those of the requested attentions that the export outputs. */
  attentions: string[]
}

/** Splits the decoder; null if the export is built differently, which is then used unchanged. */
export function splitDecoder(
  file: Buffer,
  wanted: { layers: number; heads: Heads; attentions: readonly string[] },
): SplitDecoder | null {
  const bytes = graphBytes(file)
  if (!bytes) return null
  const outer = readGraph(bytes)
  const fork = outer.nodes.find(({ opType }) => opType === 'If')
  const first = branchOf(outer, fork, 'else_branch')
  const later = branchOf(outer, fork, 'then_branch')
  const logits = later?.nodes.find(({ outputs }) => outputs.includes('logits'))
  const hidden = logits?.opType === 'MatMul' ? logits.inputs[0] : undefined
  if (!first || !later || !logits || !hidden) return null
  const attentions = wanted.attentions.filter((name) => later.outputs.has(name))
  const shared = shareSound(later, wanted)
  if (!shared) return null
  const listen = sliceGraph(turnSound(batchOfSound(first), wanted), soundNames(wanted.layers))
  const own = presentNames(wanted.layers)
  const step = sliceGraph(shared, [hidden, ...own, ...attentions])
  const score = scoreBytes(later, logits) ?? sliceGraph(later, ['logits'], [hidden])
  if (!listen || !step || !score) return null
  return {
    listen: replaceGraph(file, listen),
    step: replaceGraph(file, step),
    score: replaceGraph(file, score),
    hidden,
    attentions,
  }
}

/** The part that takes several first tokens at once and outputs only their cache. */
export function promptDecoder(file: Buffer, layers: number): Buffer | null {
  const bytes = graphBytes(file)
  if (!bytes) return null
  const outer = readGraph(bytes)
  const fork = outer.nodes.find(({ opType }) => opType === 'If')
  const first = branchOf(outer, fork, 'else_branch')
  const prompt = first ? sliceGraph(first, presentNames(layers)) : null
  return prompt ? replaceGraph(file, prompt) : null
}

/**
 * Keys and values of the sound are given the shape of the batch, which the export reads from the
 * tokens' hidden state of each layer. The sound has the same batch, and needs no token.
 */
function batchOfSound(graph: Graph): Graph {
  const nodes = graph.nodes.map((node): GraphNode => {
    if (node.opType !== 'Shape') return node
    const inputs = ['encoder_hidden_states']
    return { ...node, inputs, bytes: writeNode('Shape', inputs, node.outputs) }
  })
  return { ...graph, nodes }
}

function presentNames(layers: number): string[] {
  return Array.from({ length: layers }, (_, layer) => [
    `present.${layer}.decoder.key`,
    `present.${layer}.decoder.value`,
  ]).flat()
}

/** Turns a branch, with the outer values that it reads, into one graph. */
function branchOf(outer: Graph, fork: GraphNode | undefined, name: string): Graph | null {
  const bytes = fork?.attributes.find((attribute) => attribute.name === name)?.graph
  if (!bytes) return null
  const inner = readGraph(bytes)
  return {
    nodes: [...outer.nodes.filter((node) => node !== fork), ...inner.nodes],
    initializers: new Map([...outer.initializers, ...inner.initializers]),
    inputs: outer.inputs,
    outputs: inner.outputs,
  }
}

/**
 * Computes scores as a product of bytes if the export stores the embedding as unsigned bytes of one
 * scale and transposes it at each step. Null if it does not.
 */
function scoreBytes(graph: Graph, logits: GraphNode): Buffer[] | null {
  const producer = (name: string | undefined) =>
    graph.nodes.find(({ outputs }) => name !== undefined && outputs.includes(name))
  const dequantize = producer(logits.inputs[1])
  const transpose = producer(dequantize?.inputs[0])
  if (dequantize?.opType !== 'DequantizeLinear' || transpose?.opType !== 'Transpose') return null
  const table = graph.initializers.get(transpose.inputs[0] ?? '')
  const scale = graph.initializers.get(dequantize.inputs[1] ?? '')
  const zero = graph.initializers.get(dequantize.inputs[2] ?? '')
  const [rows, width] = table?.dims ?? []
  const zeroByte = (zero?.raw ?? (zero ? int32Bytes(zero.bytes) : null))?.[0]
  if (!table?.raw || !scale || !isScalar(scale) || !zero || !isScalar(zero)) return null
  if (table.dataType !== dataTypes.uint8 || zeroByte === undefined || !rows || !width) return null
  const [hidden] = logits.inputs
  const isSigned = prefersSigned()
  const flip = isSigned ? 0x80 : 0
  const dataType = isSigned ? dataTypes.int8 : dataTypes.uint8
  return writeGraph({
    name: 'part',
    nodes: [
      writeNode('DynamicQuantizeLinear', [hidden!], ['quantized', 'activation_scale', 'shift']),
      writeNode('MatMulInteger', ['quantized', 'table', 'shift', 'table_shift'], ['products']),
      writeNode('Cast', ['products'], ['sums'], { to: dataTypes.float32 }),
      writeNode('Mul', ['activation_scale', scale.name], ['whole_scale']),
      writeNode('Mul', ['sums', 'whole_scale'], ['logits']),
    ],
    initializers: [
      scale.bytes,
      writeInitializer({
        name: 'table',
        dims: [width, rows],
        dataType,
        raw: turn(table.raw, { rows, width, flip }),
      }),
      writeInitializer({
        name: 'table_shift',
        dims: [],
        dataType,
        raw: Buffer.of(zeroByte ^ flip),
      }),
    ],
    inputs: [writeFloatValue(hidden!)],
    outputs: [graph.outputs.get('logits') ?? writeFloatValue('logits')],
  })
}

function isScalar({ dims }: Initializer): boolean {
  return dims.every((dim) => dim === 1)
}

/** The table with rows and columns changed, and each byte by `flip`. */
function turn(
  table: Buffer,
  { rows, width, flip }: { rows: number; width: number; flip: number },
): Buffer {
  const turned = Buffer.allocUnsafe(table.length)
  const tile = 64
  for (let top = 0; top < rows; top += tile) {
    const bottom = Math.min(rows, top + tile)
    for (let column = 0; column < width; column++) {
      for (let row = top; row < bottom; row++) {
        turned[column * rows + row] = table[row * width + column]! ^ flip
      }
    }
  }
  return turned
}
