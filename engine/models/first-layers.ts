/** Cuts a model off behind some of its layers: what only later layers need is dropped. */
import {
  graphBytes,
  graphFields,
  readFields,
  readGraph,
  replaceGraph,
  writeField,
} from './onnx-file.ts'

const valueName = 1

/** Rewrites the model so that these values are its outputs. */
export function cutAfter(file: Buffer, outputs: readonly string[]): Buffer {
  const bytes = graphBytes(file)
  if (!bytes) throw new Error('The model file holds no graph.')
  const { nodes, initializers } = readGraph(bytes)
  const needed = new Set(outputs)
  const kept = new Set<number>()
  // A node comes after the nodes that produce its inputs.
  for (let at = nodes.length - 1; at >= 0; at--) {
    if (!nodes[at]!.outputs.some((name) => needed.has(name))) continue
    kept.add(at)
    for (const name of nodes[at]!.inputs) needed.add(name)
  }
  const known = new Set([...kept].flatMap((at) => nodes[at]!.outputs))
  const missing = outputs.find((name) => !known.has(name))
  if (missing !== undefined) throw new Error(`The model has no value ${missing}.`)
  const parts: Buffer[] = []
  const dropped = new Set([
    graphFields.node,
    graphFields.initializer,
    graphFields.output,
    graphFields.valueInfo,
  ])
  for (const { number, from, to } of readFields(bytes)) {
    if (!dropped.has(number)) parts.push(bytes.subarray(from, to))
  }
  nodes.forEach((node, at) => {
    if (kept.has(at)) parts.push(...writeField(graphFields.node, node.bytes))
  })
  for (const { name, bytes: tensor } of initializers.values()) {
    if (needed.has(name)) parts.push(...writeField(graphFields.initializer, tensor))
  }
  const described = outputs.map((name) => Buffer.concat(writeField(valueName, name)))
  parts.push(...described.flatMap((value) => writeField(graphFields.output, value)))
  return replaceGraph(file, parts)
}
