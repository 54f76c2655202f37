/**
 * An encoder of Whisper that hears a window of any length. Exported encoders take 30 s whatever is
 * said; the only thing in them that is as long as the window is the table of positions, which is
 * added to what the convolutions give. So the table is cut to their length when the graph runs: one
 * session serves all windows. The notes on shapes that would contradict it go, and so do the
 * attentions of all layers, which nobody asks for: 1.3 GB that need not be kept.
 */
import {
  dataTypes,
  graphBytes,
  graphFields,
  readFields,
  readGraph,
  replaceGraph,
  valueName,
  writeField,
  writeInitializer,
  writeNode,
} from './onnx-file.ts'
import type { Graph, GraphNode } from './onnx-file.ts'

/**
 * Rewrites the encoder for sounds of any length; null if the export stores its positions
 * differently.
 */
export function flexEncoder(file: Buffer): Buffer | null {
  const bytes = graphBytes(file)
  if (!bytes) return null
  const adding = addsPositions(readGraph(bytes))
  if (!adding) return null
  const { node, table, other } = adding
  const cut = 'positions_of_window'
  const parts: Buffer[] = []
  for (const { number, from, to, content } of readFields(bytes)) {
    if (number === graphFields.valueInfo) continue
    if (number === graphFields.output && valueName(content) !== 'last_hidden_state') continue
    if (number === graphFields.node && content.equals(node.bytes)) {
      const nodes = [
        writeNode('Shape', [other], ['window_shape']),
        writeNode('Slice', ['window_shape', 'index_1', 'index_2', 'index_0'], ['window_length']),
        writeNode('Slice', [table, 'index_0', 'window_length', 'index_0'], [cut]),
        writeNode('Add', [other, cut], node.outputs),
      ]
      parts.push(...nodes.flatMap((item) => writeField(graphFields.node, item)))
    } else parts.push(bytes.subarray(from, to))
  }
  const indexes = [0n, 1n, 2n].map((value) =>
    writeInitializer({
      name: `index_${value}`,
      dims: [1],
      dataType: dataTypes.int64,
      raw: Buffer.from(BigInt64Array.of(value).buffer),
    }),
  )
  parts.push(...indexes.flatMap((node) => writeField(graphFields.initializer, node)))
  return replaceGraph(file, parts)
}

function addsPositions(
  graph: Graph,
): { node: GraphNode; table: string; other: string } | undefined {
  for (const node of graph.nodes) {
    if (node.opType !== 'Add') continue
    const table = node.inputs.find((name) => {
      const tensor = graph.initializers.get(name)
      return /embed_positions/.test(name) && tensor?.dims.length === 2
    })
    const other = node.inputs.find((name) => name !== table)
    if (table && other) return { node, table, other }
  }
  return undefined
}
