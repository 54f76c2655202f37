/**
 * Reads and writes the parts of an ONNX file (protocol buffers) that are changed before a model is
 * loaded. Everything else is carried over byte by byte.
 */

/** Fields of ONNX's messages, by number. */
export const modelFields = { format: 1, graph: 7, operators: 8 }
export const graphFields = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 }
export const nodeFields = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 }
export const attributeFields = { name: 1, float: 2, int: 3, graph: 6, ints: 8, type: 20 }
export const tensorFields = { dims: 1, dataType: 2, int32Data: 5, name: 8, rawData: 9 }
const valueInfoFields = { name: 1, type: 2 }
const typeFields = { tensor: 1 }
const tensorTypeFields = { elementType: 1 }

/** The domain of operators that are ONNX Runtime's own. */
export const runtimeOperators = 'com.microsoft'

export const dataTypes = { float32: 1, uint8: 2, int8: 3, int64: 7, float64: 11 }

export interface Field {
  number: number
  /** `from` and `to`: the whole field in the file; `content`: its payload. */
  from: number
  to: number
  content: Buffer
  value: number
}

export interface GraphNode {
  bytes: Buffer
  opType: string
  inputs: string[]
  outputs: string[]
  attributes: { name: string; int: number; graph: Buffer | null }[]
}

export interface Initializer {
  bytes: Buffer
  name: string
  dims: number[]
  dataType: number
  /** The raw bytes; null if the numbers are stored in another way. */
  raw: Buffer | null
}

export interface Graph {
  nodes: GraphNode[]
  initializers: Map<string, Initializer>
  /** Value descriptions by name. */
  inputs: Map<string, Buffer>
  outputs: Map<string, Buffer>
}

export function readFields(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const read = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++]
      if (byte === undefined) throw new Error('The model file ends too early.')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const from = at
    const key = read()
    const kind = key % 8
    let value = 0
    let start = at
    if (kind === 0) value = read()
    else if (kind === 2) {
      const length = read()
      start = at
      at += length
    } else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4
    else throw new Error('The model file is damaged.')
    if (at > message.length) throw new Error('The model file ends too early.')
    const content = message.subarray(start, at)
    fields.push({ number: Math.floor(key / 8), from, to: at, content, value })
  }
  return fields
}

/** A length-delimited field. */
export function writeField(number: number, content: Buffer | string): Buffer[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return [varint(number * 8 + 2), varint(bytes.length), bytes]
}

export function writeInt(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(value)])
}

/** The bytes of the model's graph; null if the file has none. */
export function graphBytes(file: Buffer): Buffer | null {
  return readFields(file).find(({ number }) => number === modelFields.graph)?.content ?? null
}

/** Returns the model with another graph. */
export function replaceGraph(file: Buffer, graph: readonly Buffer[]): Buffer {
  const content = Buffer.concat(graph)
  return Buffer.concat(
    readFields(file).flatMap(({ number, from, to }) =>
      number === modelFields.graph
        ? writeField(modelFields.graph, content)
        : [file.subarray(from, to)],
    ),
  )
}

export function readGraph(bytes: Buffer): Graph {
  const fields = readFields(bytes)
  const ofKind = (kind: number) => fields.filter(({ number }) => number === kind)
  const named = (kind: number) =>
    new Map(ofKind(kind).map(({ content }) => [valueName(content), content]))
  return {
    nodes: ofKind(graphFields.node).map(({ content }) => readNode(content)),
    initializers: new Map(
      ofKind(graphFields.initializer).map(({ content }) => {
        const tensor = readInitializer(content)
        return [tensor.name, tensor]
      }),
    ),
    inputs: named(graphFields.input),
    outputs: named(graphFields.output),
  }
}

export function writeGraph(graph: {
  name: string
  nodes: readonly Buffer[]
  initializers: readonly Buffer[]
  inputs: readonly Buffer[]
  outputs: readonly Buffer[]
}): Buffer[] {
  return [
    ...graph.nodes.flatMap((node) => writeField(graphFields.node, node)),
    ...writeField(2, graph.name),
    ...graph.initializers.flatMap((entry) => writeField(graphFields.initializer, entry)),
    ...graph.inputs.flatMap((entry) => writeField(graphFields.input, entry)),
    ...graph.outputs.flatMap((entry) => writeField(graphFields.output, entry)),
  ]
}

/** Cuts a graph down to the nodes that the wanted values need, fed with `input`. */
export function sliceGraph(
  graph: Graph,
  wanted: readonly string[],
  input: readonly string[] = [],
): Buffer[] | null {
  const needed = new Set(wanted)
  const nodes: Buffer[] = []
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((name) => needed.has(name) && !input.includes(name))) continue
    nodes.push(node.bytes)
    for (const name of node.inputs) needed.add(name)
  }
  const produced = new Set(graph.nodes.flatMap(({ outputs }) => outputs))
  if (wanted.some((name) => !produced.has(name))) return null
  return writeGraph({
    name: 'part',
    nodes: nodes.reverse(),
    initializers: [...graph.initializers.values()]
      .filter(({ name }) => needed.has(name))
      .map(({ bytes }) => bytes),
    inputs: [
      ...[...graph.inputs.values()].filter((value) => needed.has(valueName(value))),
      ...input.map(writeFloatValue),
    ],
    outputs: wanted.map((name) => graph.outputs.get(name) ?? writeFloatValue(name)),
  })
}

export function readInitializer(bytes: Buffer): Initializer {
  const fields = readFields(bytes)
  const field = (kind: number) => fields.find(({ number }) => number === kind)
  return {
    bytes,
    name: field(tensorFields.name)?.content.toString() ?? '',
    dims: fields.filter(({ number }) => number === tensorFields.dims).map(({ value }) => value),
    dataType: field(tensorFields.dataType)?.value ?? 0,
    raw: field(tensorFields.rawData)?.content ?? null,
  }
}

export function writeInitializer(tensor: {
  name: string
  dims: readonly number[]
  dataType: number
  raw: Buffer
}): Buffer {
  return Buffer.concat([
    ...tensor.dims.map((dim) => writeInt(tensorFields.dims, dim)),
    writeInt(tensorFields.dataType, tensor.dataType),
    ...writeField(tensorFields.name, tensor.name),
    ...writeField(tensorFields.rawData, tensor.raw),
  ])
}

/** Whole numbers, floats, or lists of whole numbers. */
export type NodeAttributes = Record<string, number | { float: number } | readonly number[]>

export function writeNode(
  opType: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: NodeAttributes = {},
  domain = '',
): Buffer {
  return Buffer.concat([
    ...inputs.flatMap((name) => writeField(nodeFields.input, name)),
    ...outputs.flatMap((name) => writeField(nodeFields.output, name)),
    ...writeField(nodeFields.opType, opType),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      writeField(
        nodeFields.attribute,
        Buffer.concat([...writeField(attributeFields.name, name), ...writeAttribute(value)]),
      ),
    ),
    ...(domain ? writeField(nodeFields.domain, domain) : []),
  ])
}

function writeAttribute(value: NodeAttributes[string]): Buffer[] {
  const [floatType, intType, intsType] = [1, 2, 7]
  const ofType = (type: number, content: Buffer[]) => [
    ...content,
    writeInt(attributeFields.type, type),
  ]
  if (typeof value === 'number') return ofType(intType, [writeInt(attributeFields.int, value)])
  if ('float' in value) {
    const bytes = Buffer.from(Float32Array.of(value.float).buffer)
    return ofType(floatType, [varint(attributeFields.float * 8 + 5), bytes])
  }
  const ints = value.map((entry) => writeInt(attributeFields.ints, entry))
  return ofType(intsType, ints)
}

/** Makes a new node that can be inserted into a graph that was read. */
export function makeNode(...words: Parameters<typeof writeNode>): GraphNode {
  return readNode(writeNode(...words))
}

/** Whole numbers that a node takes as an input, such as a shape. */
export function writeInts(name: string, values: readonly number[]): Buffer {
  return writeInitializer({
    name,
    dims: [values.length],
    dataType: dataTypes.int64,
    raw: Buffer.from(BigInt64Array.from(values, BigInt).buffer),
  })
}

/** Numbers of 64 bits that a node takes as an input. */
export function writeDoubles(
  name: string,
  values: ArrayLike<number>,
  dims: readonly number[] = [values.length],
): Buffer {
  const raw = Buffer.from(Float64Array.from(values).buffer)
  return writeInitializer({ name, dims, dataType: dataTypes.float64, raw })
}

/** A model of one's own around a graph of ONNX's operators. */
export function writeModel(graph: readonly Buffer[]): Buffer {
  const [format, operators] = [8, 17]
  const domainVersion = 2
  return Buffer.concat([
    writeInt(modelFields.format, format),
    ...writeField(modelFields.graph, Buffer.concat(graph)),
    ...writeField(modelFields.operators, writeInt(domainVersion, operators)),
  ])
}

/** Returns the model with ONNX Runtime's own operators allowed. */
export function allowRuntimeOperators(file: Buffer): Buffer {
  const has = readFields(file).some(
    ({ number, content }) => number === modelFields.operators && content.includes(runtimeOperators),
  )
  if (has) return file
  const [domain, version] = [1, 2]
  const allowed = Buffer.concat([...writeField(domain, runtimeOperators), writeInt(version, 1)])
  return Buffer.concat([file, ...writeField(modelFields.operators, allowed)])
}

/** Describes an input or output of any shape, by default of 32-bit floats. */
export function writeFloatValue(name: string, dataType = dataTypes.float32): Buffer {
  const tensorType = writeInt(tensorTypeFields.elementType, dataType)
  const type = Buffer.concat(writeField(typeFields.tensor, tensorType))
  return Buffer.concat([
    ...writeField(valueInfoFields.name, name),
    ...writeField(valueInfoFields.type, type),
  ])
}

export function valueName(description: Buffer): string {
  const name = readFields(description).find(({ number }) => number === valueInfoFields.name)
  return name?.content.toString() ?? ''
}

function readNode(bytes: Buffer): GraphNode {
  const fields = readFields(bytes)
  const texts = (kind: number) =>
    fields.filter(({ number }) => number === kind).map(({ content }) => content.toString())
  return {
    bytes,
    opType: texts(nodeFields.opType)[0] ?? '',
    inputs: texts(nodeFields.input),
    outputs: texts(nodeFields.output),
    attributes: fields
      .filter(({ number }) => number === nodeFields.attribute)
      .map(({ content }) => readAttribute(content)),
  }
}

function readAttribute(bytes: Buffer): GraphNode['attributes'][number] {
  const fields = readFields(bytes)
  const field = (kind: number) => fields.find(({ number }) => number === kind)
  return {
    name: field(attributeFields.name)?.content.toString() ?? '',
    int: field(attributeFields.int)?.value ?? 0,
    graph: field(attributeFields.graph)?.content ?? null,
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
