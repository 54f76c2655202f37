/**
 * Whisper's decoder, token by token with its cache of keys and values. Usually in the parts that
 * `split-decoder.ts` cuts, with all hypotheses in one batch; an export that is built otherwise is
 * run as it is, one hypothesis after the other.
 */
import * as ort from '../../models/onnx.ts'
import type { Prepared } from '../../models/keep-models.ts'
import { openModel } from '../../models/session.ts'
import { promptDecoder, splitDecoder } from '../../models/split-decoder.ts'
import type { SplitDecoder } from '../../models/split-decoder.ts'
import { prefersSigned } from '../../models/sign-weights.ts'
import { onnxFile } from '../../models/whisper-files.ts'
import type { WhisperFolder } from '../../models/whisper-folder.ts'

/** Keys and values of what was said so far: one row of tensors that hypotheses share. */
export interface Cache {
  tensors: Tensors
  row: number
}

export interface Step {
  /** Null before the first token. */
  cache: Cache | null
  token: number
}

export interface Stepped {
  cache: Cache
  /** A number for each next token; empty where nobody asked. */
  logits: Float32Array
  /** Attention for each of `attentionNames`: [heads × positions]. */
  attentions: Float32Array[]
}

/** The decoder with one window in its ear. */
export interface Listening {
  step(rows: readonly Step[], options: { wantsLogits: boolean }): Promise<Stepped[]>
  /** The cache after several first tokens. */
  prompt(tokens: readonly number[]): Promise<Cache>
}

export interface Decoder {
  attentionNames: string[]
  listen(hidden: ort.Tensor): Promise<Listening>
}

type Tensors = Record<string, ort.Tensor>

type PreparedDecoder = Prepared<{
  models: Pick<SplitDecoder, 'listen' | 'step' | 'score'>
  about: Pick<SplitDecoder, 'hidden' | 'attentions'>
}>

interface DecoderOptions {
  layers: number
  heads: number
  headWidth: number
  /** Layers whose attention is wanted. */
  attentionLayers: readonly number[]
}

export async function loadDecoder(
  folder: WhisperFolder,
  options: DecoderOptions,
): Promise<Decoder> {
  const { layers, attentionLayers } = options
  const file = onnxFile(folder.path, 'decoder_model_merged')
  const attentions = attentionLayers.map((layer) => `cross_attentions.${layer}`)
  const heads = { count: options.heads, width: options.headWidth }
  const wanted = { layers, heads, attentions }
  const prepared = await folder.prepare(file, { ...wanted, isSigned: prefersSigned() }, (bytes) => {
    const parts = splitDecoder(bytes, wanted)
    if (!parts) return null
    const { listen, step, score, ...about } = parts
    return { models: { listen, step, score }, about }
  })
  if (!prepared) return await loadWhole(file, { ...options, attentions })
  return await loadParts(prepared, () => folder.read(file), options)
}

async function loadParts(
  prepared: PreparedDecoder,
  readExport: () => Promise<Buffer>,
  options: DecoderOptions,
): Promise<Decoder> {
  const { layers } = options
  const { attentions, hidden: hiddenName } = prepared.about
  const listening = await prepared.open('listen')
  const stepping = await prepared.open('step')
  const scoring = await prepared.open('score')
  let prompting: ort.InferenceSession | undefined
  const ownNames = cacheNames(layers, 'decoder')
  const empty = emptyCache(options, ownNames)

  async function stepAll(heard: Tensors, rows: readonly Step[], wants: boolean) {
    const ids = BigInt64Array.from(rows, ({ token }) => BigInt(token))
    const past = rows[0]!.cache === null ? empty : gather(rows.map(({ cache }) => cache!))
    const output = await stepping.run({
      input_ids: new ort.Tensor('int64', ids, [rows.length, 1]),
      ...past,
      ...heard,
    })
    const hidden = output[hiddenName]!
    const scored = wants ? await scoring.run({ [hiddenName]: hidden }) : undefined
    const logits = scored ? (scored['logits']!.data as Float32Array) : new Float32Array(0)
    const tensors = pastOf(output, ownNames)
    return rows.map((_, row) => ({
      cache: { tensors, row },
      logits: rowOf(logits, row, rows.length),
      attentions: attentions.map((name) =>
        rowOf(output[name]!.data as Float32Array, row, rows.length),
      ),
    }))
  }

  return {
    attentionNames: attentions,
    async listen(hidden) {
      const heard: Tensors = await listening.run({ encoder_hidden_states: hidden })
      return {
        step: (rows, { wantsLogits }) => stepAll(heard, rows, wantsLogits),
        async prompt(tokens) {
          prompting ??= await openModel(promptDecoder(await readExport(), layers)!)
          const output = await prompting.run({
            input_ids: idsOf(tokens),
            encoder_hidden_states: hidden,
          })
          return { tensors: pastOf(output, ownNames), row: 0 }
        },
      }
    },
  }
}

async function loadWhole(
  file: string,
  options: DecoderOptions & { attentions: string[] },
): Promise<Decoder> {
  const { layers } = options
  const decoder = await openModel(file)
  const attentions = options.attentions.filter((name) => decoder.outputNames.includes(name))
  const ownNames = cacheNames(layers, 'decoder')
  const allNames = [...ownNames, ...cacheNames(layers, 'encoder')]
  const empty = emptyCache(options, allNames)
  return {
    attentionNames: attentions,
    listen: (hidden) => {
      async function run(cache: Cache | null, tokens: readonly number[]): Promise<Stepped> {
        const isFirst = cache === null
        const output = await decoder.run(
          {
            input_ids: idsOf(tokens),
            encoder_hidden_states: hidden,
            use_cache_branch: new ort.Tensor('bool', [!isFirst], [1]),
            ...(cache?.tensors ?? empty),
          },
          ['logits', ...(isFirst ? allNames : ownNames).map(presentName), ...attentions],
        )
        const tensors = { ...cache?.tensors, ...pastOf(output, isFirst ? allNames : ownNames) }
        return {
          cache: { tensors, row: 0 },
          logits: rowOf(output['logits']!.data as Float32Array, tokens.length - 1, tokens.length),
          attentions: attentions.map((name) => output[name]!.data as Float32Array),
        }
      }
      return Promise.resolve({
        async step(rows) {
          const stepped: Stepped[] = []
          for (const { cache, token } of rows) stepped.push(await run(cache, [token]))
          return stepped
        },
        prompt: async (tokens) => (await run(null, tokens)).cache,
      })
    },
  }
}

/** The rows as one batch: as they are where they lie so already, otherwise copied together. */
function gather(caches: readonly Cache[]): Tensors {
  const { tensors } = caches[0]!
  const isWhole = caches.every((cache, row) => cache.tensors === tensors && cache.row === row)
  const first = Object.values(tensors)[0]
  if (isWhole && first?.dims[0] === caches.length) return tensors
  return Object.fromEntries(
    Object.keys(tensors).map((name) => {
      const rows = caches.map((cache) => {
        const tensor = cache.tensors[name]!
        return rowOf(tensor.data as Float32Array, cache.row, tensor.dims[0]!)
      })
      return [name, stack(rows, tensors[name]!.dims)]
    }),
  )
}

function stack(rows: readonly Float32Array[], dims: readonly number[]): ort.Tensor {
  const size = rows[0]!.length
  const data = new Float32Array(size * rows.length)
  for (const [at, row] of rows.entries()) data.set(row, at * size)
  return new ort.Tensor('float32', data, [rows.length, ...dims.slice(1)])
}

function rowOf(data: Float32Array, row: number, rows: number): Float32Array {
  const size = data.length / rows
  return data.subarray(row * size, (row + 1) * size)
}

function idsOf(tokens: readonly number[]): ort.Tensor {
  return new ort.Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length])
}

function emptyCache({ heads, headWidth }: DecoderOptions, names: readonly string[]): Tensors {
  const dims = [1, heads, 0, headWidth]
  return Object.fromEntries(
    names.map((name) => [pastName(name), new ort.Tensor('float32', new Float32Array(0), dims)]),
  )
}

/** Names the outputs of a step as the inputs of the next. */
function pastOf(output: ort.InferenceSession.OnnxValueMapType, names: readonly string[]): Tensors {
  return Object.fromEntries(
    names.map((name) => [pastName(name), output[presentName(name)] as ort.Tensor]),
  )
}

function cacheNames(layers: number, side: 'decoder' | 'encoder'): string[] {
  return Array.from({ length: layers }, (_, layer) => [
    `${layer}.${side}.key`,
    `${layer}.${side}.value`,
  ]).flat()
}

function presentName(name: string): string {
  return `present.${name}`
}

function pastName(name: string): string {
  return `past_key_values.${name}`
}
