/**
 * Whisper's encoder for less than 30 s of sound.
 *
 * The exported graph takes any length except for one table: the positions, a row for each 20 ms of
 * 30 s, which are added to all of the sound. With fewer rows the same graph hears a shorter window
 * at a fraction of the work. So the table is cut in the file's bytes (protocol buffers), with the
 * notes on shapes that would contradict it. The attentions of all layers, which the graph also
 * gives out and nobody asks for, go as well: 1.3 GB that need not be kept.
 */

/** Fields of ONNX's messages, by number. */
const model = { graph: 7 }
const graph = { initializer: 5, output: 12, valueInfo: 13 }
const tensor = { dims: 1, dataType: 2, floatData: 4, name: 8, rawData: 9 }
const outputName = 1
const float32 = 1

interface Field {
  number: number
  /** The whole field in the file, and what it holds. */
  from: number
  to: number
  content: Buffer
  value: number
}

/** The bytes of an encoder with so many positions; null where the export keeps them otherwise. */
export function shortenEncoder(file: Buffer, positions: number): Buffer | null {
  const whole = fieldsOf(file).find((field) => field.number === model.graph)
  if (!whole) return null
  let isCut = false
  const parts: Buffer[] = []
  for (const field of fieldsOf(whole.content)) {
    const bytes = whole.content.subarray(field.from, field.to)
    if (field.number === graph.valueInfo) continue
    if (field.number === graph.output && nameOf(field, outputName) !== 'last_hidden_state') continue
    const isTable =
      field.number === graph.initializer && /embed_positions/.test(nameOf(field, tensor.name))
    const table = isTable ? cutTable(field.content, positions) : null
    if (table) isCut = true
    parts.push(...(table ? [header(graph.initializer, table), table] : [bytes]))
  }
  if (!isCut) return null
  const content = Buffer.concat(parts)
  return Buffer.concat([
    file.subarray(0, whole.from),
    header(model.graph, content),
    content,
    file.subarray(whole.to),
  ])
}

function cutTable(table: Buffer, positions: number): Buffer | null {
  const fields = fieldsOf(table)
  const dims = fields.filter((field) => field.number === tensor.dims)
  const data = fields.find((field) => field.number === tensor.rawData)
  const type = fields.find((field) => field.number === tensor.dataType)
  const [rows, width] = dims
  if (dims.length !== 2 || !data || type?.value !== float32 || rows!.value < positions) return null
  const kept = data.content.subarray(0, positions * width!.value * 4)
  return Buffer.concat(
    fields.flatMap((field) => {
      if (field === rows) return [varint(tensor.dims << 3), varint(positions)]
      if (field === data) return [header(tensor.rawData, kept), kept]
      return [table.subarray(field.from, field.to)]
    }),
  )
}

function nameOf(field: Field, number: number): string {
  return (
    fieldsOf(field.content)
      .find((one) => one.number === number)
      ?.content.toString() ?? ''
  )
}

function fieldsOf(message: Buffer): Field[] {
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

/** What stands before the bytes of a message in another one. */
function header(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
