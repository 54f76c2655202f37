/**
 * Attention in a cheaper order than exports have it.
 *
 * - Of a window to itself (`fuseSelfAttention`): exports write down a weight for each pair of
 *   positions, 108 MB in each layer. The runtime's own operator does it block by block.
 * - Of the text to the sound (`shareSound`, `turnSound`): exports take the keys and values of the
 *   sound once for each hypothesis and transpose the keys at each step. Here one product holds all
 *   hypotheses, with the sound first: the runtime reads it once and in order, and would copy it if
 *   it came second. That takes transposed values, made once for a window.
 */
import {
  allowRuntimeOperators,
  graphBytes,
  makeNode,
  readGraph,
  readInitializer,
  replaceGraph,
  runtimeOperators,
  sliceGraph,
  writeFloatValue,
  writeInts,
} from './onnx-file.ts'
import type { Graph, GraphNode } from './onnx-file.ts'

export interface Heads {
  count: number
  width: number
}

/** Fuses the self-attention of the model; unchanged if the export builds it differently. */
export function fuseSelfAttention(file: Buffer, heads: number): Buffer {
  const bytes = graphBytes(file)
  if (!bytes) return file
  const graph = readGraph(bytes)
  const wires = wiresOf(graph)
  const fused = new Map<GraphNode, GraphNode[]>()
  for (const softmax of graph.nodes.filter(({ opType }) => opType === 'Softmax')) {
    const scores = wires.producer(softmax.inputs[0]!)
    const [weighted] = wires.consumers(wires.follow(softmax.outputs[0]!))
    if (scores?.opType !== 'MatMul' || weighted?.opType !== 'MatMul') return file
    const inputs = [...scores.inputs, weighted.inputs[1]!].map((name) => wires.source(name))
    const output = wires.follow(weighted.outputs[0]!)
    // Scale 1: the matrix product has scaled the queries already.
    const attributes = { num_heads: heads, scale: { float: 1 } }
    fused.set(wires.producer(output)!, [
      makeNode('MultiHeadAttention', inputs, [output], attributes, runtimeOperators),
    ])
  }
  const changed = sliceGraph(replaceNodes(graph, fused), [...graph.outputs.keys()])
  return changed ? allowRuntimeOperators(replaceGraph(file, changed)) : file
}

/** Names of the sound's keys and values between the parts of a decoder. */
export function soundNames(layers: number): string[] {
  return Array.from({ length: layers }, (_, layer) => [keyName(layer), valueName(layer)]).flat()
}

/**
 * Rewrites a step so that all hypotheses share the sound; null if the export is built differently.
 */
export function shareSound(
  graph: Graph,
  { layers, heads }: { layers: number; heads: Heads },
): Graph | null {
  const wires = wiresOf(graph)
  const replaced = new Map<GraphNode, GraphNode[]>()
  for (let layer = 0; layer < layers; layer++) {
    const [scores] = wires.consumers(wires.follow(`past_key_values.${layer}.encoder.key`))
    const [weighted] = wires.consumers(wires.follow(`past_key_values.${layer}.encoder.value`))
    const softmax = scores && wires.consumers(scores.outputs[0]!)[0]
    if (softmax?.opType !== 'Softmax' || weighted?.opType !== 'MatMul') return null
    const output = wires.follow(weighted.outputs[0]!)
    const at = (step: string): string => `${step}.${layer}`
    const [hypothesesLast, hypothesesFirst] = [{ perm: [1, 2, 0] }, { perm: [2, 0, 1] }]
    replaced.set(wires.producer(output)!, [
      makeNode('Reshape', [wires.source(scores!.inputs[0]!), 'by_heads'], [at('asked')]),
      makeNode('Transpose', [at('asked')], [at('asked_last')], hypothesesLast),
      makeNode('MatMul', [keyName(layer), at('asked_last')], [at('scores_last')]),
      makeNode('Transpose', [at('scores_last')], [at('scores')], hypothesesFirst),
      makeNode('Softmax', [at('scores')], [attentionName(layer)], { axis: 2 }),
      makeNode('Transpose', [attentionName(layer)], [at('weights_last')], hypothesesLast),
      makeNode('MatMul', [valueName(layer), at('weights_last')], [at('answers_last')]),
      makeNode('Transpose', [at('answers_last')], [at('answers')], hypothesesFirst),
      makeNode('Reshape', [at('answers'), 'by_tokens'], [output]),
    ])
  }
  const attentions = Array.from({ length: layers }, (_, layer) => attentionName(layer))
  // The export's own nodes come before those that use their outputs.
  const nodes = graph.nodes.filter(
    ({ outputs }) => !outputs.some((output) => attentions.includes(output)),
  )
  const changed = replaceNodes({ ...graph, nodes }, replaced)
  return {
    ...changed,
    initializers: withInts(changed, {
      // Hypotheses, heads, width.
      by_heads: [-1, heads.count, heads.width],
      by_tokens: [-1, 1, heads.count * heads.width],
    }),
    inputs: new Map([
      ...changed.inputs,
      ...soundNames(layers).map((name) => [name, writeFloatValue(name)] as const),
    ]),
  }
}

/** Transposes keys and values of the sound as `shareSound` needs them. */
export function turnSound(
  graph: Graph,
  { layers, heads }: { layers: number; heads: Heads },
): Graph {
  const nodes = Array.from({ length: layers }, (_, layer) => [
    makeNode('Reshape', [`present.${layer}.encoder.key`, 'by_positions'], [keyName(layer)]),
    makeNode('Reshape', [`present.${layer}.encoder.value`, 'by_positions'], [`values.${layer}`]),
    makeNode('Transpose', [`values.${layer}`], [valueName(layer)], { perm: [0, 2, 1] }),
  ]).flat()
  const initializers = withInts(graph, {
    by_positions: [heads.count, -1, heads.width],
  })
  return { ...graph, nodes: [...graph.nodes, ...nodes], initializers }
}

function keyName(layer: number): string {
  return `sound.${layer}.key`
}

function valueName(layer: number): string {
  return `sound.${layer}.value`
}

function attentionName(layer: number): string {
  return `cross_attentions.${layer}`
}

function replaceNodes(graph: Graph, by: ReadonlyMap<GraphNode, GraphNode[]>): Graph {
  return { ...graph, nodes: graph.nodes.flatMap((node) => by.get(node) ?? [node]) }
}

function withInts(graph: Graph, named: Record<string, number[]>): Graph['initializers'] {
  const more = Object.entries(named).map(
    ([name, values]) => [name, readInitializer(writeInts(name, values))] as const,
  )
  return new Map([...graph.initializers, ...more])
}

function wiresOf({ nodes }: Graph) {
  const shapers = new Set(['Reshape', 'Transpose'])
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])))
  const users = new Map<string, GraphNode[]>()
  for (const node of nodes) {
    for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node])
  }
  const producer = (name: string): GraphNode | undefined => producers.get(name)
  /** Nodes that only ask for the shape do not count as consumers. */
  const consumers = (name: string): GraphNode[] =>
    (users.get(name) ?? []).filter(({ opType }) => opType !== 'Shape')
  return {
    producer,
    consumers,
    /** Follows a value back through the nodes that only reshape it. */
    source(name: string): string {
      const node = producer(name)
      return node && shapers.has(node.opType) ? this.source(node.inputs[0]!) : name
    },
    /** Follows a value on through the nodes that only reshape it. */
    follow(name: string): string {
      const [node, ...others] = consumers(name)
      const isShaped = node && others.length === 0 && shapers.has(node.opType)
      return isShaped && node.inputs[0] === name ? this.follow(node.outputs[0]!) : name
    },
  }
}
