/**
 * Whisper on onnxruntime, one window of at most 30 s at a time.
 *
 * The decoder is run token by token with its key-value cache. The first step has only the start
 * token: its logits give the language and the probability that nobody speaks, and its cache serves
 * the transcription, so that both cost nothing extra. The log-probabilities of a word's tokens are
 * its confidence. Cross attentions give rough word times for languages without an aligner.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { WhisperFeatureExtractor } from '@huggingface/transformers'
import * as ort from 'onnxruntime-node'
import * as z from 'zod'
import { onnxFile, whisperSettings } from '../../models/whisper-files.ts'
import { tokenTimes } from './attention.ts'
import { searchBeam } from './beam.ts'
import type { Heard } from './beam.ts'
import { createEncoder, samplesPerPosition } from './encoder.ts'
import { tokenBytes, wordsOfTokens } from './tokens.ts'
import type { RecognisedWord } from './tokens.ts'

export interface Recognition {
  language: string
  /** Probability of each plausible language, most probable first. */
  languages: { language: string; probability: number }[]
  /** Whisper's own probability that the window has no speech. */
  noSpeech: number
  /** Mean natural logarithm of the tokens' probabilities. */
  meanLogProbability: number
  /** The decoder fell into a loop and was run again with repetitions forbidden. */
  looped: boolean
  words: RecognisedWord[]
}

export interface WhisperModel {
  recognise: (samples: Float32Array, options: WhisperOptions) => Promise<Recognition>
  hear: (samples: Float32Array) => Promise<string>
  /** Whether the export gives attentions, and so word times. */
  hasTimes: boolean
}

export interface WhisperOptions {
  /** Fixed language; otherwise it is heard, and `expected` decides where the ear is unsure. */
  language?: string
  expected?: string
}

const modelConfig = z.object({
  decoder_layers: z.int().min(1).max(64),
  decoder_attention_heads: z.int().min(1).max(64),
  d_model: z.int().min(1).max(4096),
  num_mel_bins: z.int(),
})
const generationConfig = z.object({
  alignment_heads: z.array(z.tuple([z.int(), z.int()])).optional(),
  decoder_start_token_id: z.int(),
  eos_token_id: z.int(),
  no_timestamps_token_id: z.int(),
  suppress_tokens: z.array(z.int()).optional(),
  begin_suppress_tokens: z.array(z.int()).optional(),
  lang_to_id: z.record(z.string(), z.int()).optional(),
  task_to_id: z.record(z.string(), z.int()).optional(),
})

/** Half of the 448 positions, as Whisper itself limits a window. */
const maxTokens = 224
const surePriorOverride = 0.9
/** A third and a fifth hypothesis mended no further word of the speech clips, and cost as much each. */
const beamWidth = 2

type Cache = Record<string, ort.Tensor>

interface Whisper {
  encode: (samples: Float32Array) => Promise<ort.Tensor>
  decoder: ort.InferenceSession
  config: z.infer<typeof modelConfig>
  generation: z.infer<typeof generationConfig>
  bytes: Uint8Array[]
  suppressed: number[]
  attentionNames: string[]
}

export async function loadWhisper(folder: string): Promise<WhisperModel> {
  const whisper = await openWhisper(folder)
  async function listen(samples: Float32Array) {
    const hidden = await whisper.encode(samples)
    return { hidden, first: await listenFirst(whisper, hidden) }
  }
  return {
    hasTimes: whisper.attentionNames.length > 0,
    async hear(samples) {
      const { first } = await listen(samples)
      return first.languages[0]!.language
    },
    async recognise(samples, wish) {
      const { hidden, first } = await listen(samples)
      const language = chooseLanguage(first.languages, wish)
      const frames = Math.min(hidden.dims[1]!, Math.ceil(samples.length / samplesPerPosition))
      let decoded = await decode(whisper, hidden, first, { language, frames, noRepeat: false })
      const looped = decoded.looped
      if (looped) {
        decoded = await decode(whisper, hidden, first, { language, frames, noRepeat: true })
      }
      return {
        language,
        languages: first.languages.slice(0, 5),
        noSpeech: first.noSpeech,
        meanLogProbability: decoded.meanLogProbability,
        looped,
        words: decoded.words,
      }
    },
  }
}

async function openWhisper(folder: string): Promise<Whisper> {
  const json = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, name), 'utf8'))
  const config = modelConfig.parse(await json(whisperSettings.config))
  const generation = generationConfig.parse(await json(whisperSettings.generation))
  const vocabulary = z.record(z.string(), z.int()).parse(await json(whisperSettings.vocabulary))
  const extractor = new WhisperFeatureExtractor(await json(whisperSettings.preprocessor))
  const session: ort.InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  }
  const decoder = await ort.InferenceSession.create(
    onnxFile(folder, 'decoder_model_merged'),
    session,
  )
  const layers = new Set((generation.alignment_heads ?? []).map(([layer]) => layer))
  return {
    encode: createEncoder(onnxFile(folder, 'encoder_model'), session, extractor),
    decoder,
    config,
    generation,
    bytes: tokenBytes(vocabulary, generation.eos_token_id),
    suppressed: generation.suppress_tokens ?? [],
    attentionNames: [...layers]
      .map((layer) => `cross_attentions.${layer}`)
      .filter((name) => decoder.outputNames.includes(name)),
  }
}

interface FirstStep {
  languages: { language: string; probability: number }[]
  noSpeech: number
  cache: Cache
}

/** One decoder step on the start token alone. */
async function listenFirst(whisper: Whisper, hidden: ort.Tensor): Promise<FirstStep> {
  const { config, generation } = whisper
  const heads = config.decoder_attention_heads
  const cache: Cache = {}
  for (const name of cacheNames(config.decoder_layers, ['decoder', 'encoder'])) {
    const empty = new Float32Array(0)
    cache[`past_key_values.${name}`] = new ort.Tensor('float32', empty, [
      1,
      heads,
      0,
      config.d_model / heads,
    ])
  }
  const output = await step(whisper, hidden, cache, generation.decoder_start_token_id)
  const probabilities = softmax(output.logits)
  const languages = Object.entries(generation.lang_to_id ?? {}).map(([token, id]) => ({
    language: token.slice(2, -2),
    probability: probabilities[id] ?? 0,
  }))
  const total = languages.reduce((sum, one) => sum + one.probability, 0) || 1
  for (const one of languages) one.probability /= total
  languages.sort((a, b) => b.probability - a.probability)
  return {
    languages: languages.length > 0 ? languages : [{ language: 'en', probability: 1 }],
    noSpeech: probabilities[generation.no_timestamps_token_id - 1] ?? 0,
    cache: output.cache,
  }
}

/** A short window hears wrongly now and then, so the rest of the file has a say. */
function chooseLanguage(heard: FirstStep['languages'], wish: WhisperOptions): string {
  if (wish.language) return wish.language
  const best = heard[0]!
  if (!wish.expected || best.language === wish.expected) return best.language
  return best.probability >= surePriorOverride ? best.language : wish.expected
}

/** Where the decoder stands: its cache, and where it looked before the next token. */
interface Position {
  cache: Cache
  attentions: Float32Array[]
}

async function decode(
  whisper: Whisper,
  hidden: ort.Tensor,
  first: FirstStep,
  options: { language: string; frames: number; noRepeat: boolean },
): Promise<{ words: RecognisedWord[]; meanLogProbability: number; looped: boolean }> {
  const { generation } = whisper
  const next = async ({ cache }: Pick<Position, 'cache'>, token: number) => {
    const { logits, ...state } = await step(whisper, hidden, cache, token)
    return { logits, state }
  }
  const prompt = promptTokens(generation, options.language)
  let heard: Heard<Position> = { logits: new Float32Array(0), state: { ...first, attentions: [] } }
  for (const token of prompt) heard = await next(heard.state, token)
  if (isSureOfSilence(heard.logits, generation.eos_token_id)) {
    return { words: [], meanLogProbability: 0, looped: false }
  }
  const sentence = await searchBeam(heard, {
    width: beamWidth,
    maxTokens,
    endToken: generation.eos_token_id,
    forbid: (logits, ids) => forbid(whisper, logits, ids, options.noRepeat),
    next,
  })
  const states = [...sentence.tokens.map((token) => token.before), sentence.last]
  const times = tokenTimes(
    states.map((state) => state.attentions),
    generation.alignment_heads ?? [],
    { names: whisper.attentionNames, frames: options.frames, width: hidden.dims[1]! },
  )
  const tokens = sentence.tokens.map(({ id, logProbability }, index) => ({
    bytes: whisper.bytes[id] ?? new Uint8Array(0),
    logProbability,
    start: times[index]!,
    end: times[index + 1]!,
  }))
  const { meanLogProbability, looped } = sentence
  return { words: wordsOfTokens(tokens, options.language), meanLogProbability, looped }
}

function promptTokens(generation: Whisper['generation'], language: string): number[] {
  const tokens = [generation.no_timestamps_token_id]
  if (!generation.lang_to_id) return tokens
  const languageToken = generation.lang_to_id[`<|${language}|>`]
  if (languageToken === undefined)
    throw new Error(`The model does not know the language ${language}.`)
  const task = generation.task_to_id?.['transcribe']
  return task === undefined ? [languageToken, ...tokens] : [languageToken, task, ...tokens]
}

async function step(
  whisper: Whisper,
  hidden: ort.Tensor,
  cache: Cache,
  token: number,
): Promise<{ logits: Float32Array<ArrayBuffer>; cache: Cache; attentions: Float32Array[] }> {
  const layers = whisper.config.decoder_layers
  const isFirst = token === whisper.generation.decoder_start_token_id
  const grown = cacheNames(layers, isFirst ? ['decoder', 'encoder'] : ['decoder'])
  const attentionNames = isFirst ? [] : whisper.attentionNames
  const output = await whisper.decoder.run(
    {
      input_ids: new ort.Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new ort.Tensor('bool', [!isFirst], [1]),
      ...cache,
    },
    ['logits', ...grown.map((name) => `present.${name}`), ...attentionNames],
  )
  const next = { ...cache }
  for (const name of grown) next[`past_key_values.${name}`] = output[`present.${name}`]!
  return {
    logits: output['logits']!.data as Float32Array<ArrayBuffer>,
    cache: next,
    attentions: attentionNames.map((name) => output[name]!.data as Float32Array),
  }
}

function cacheNames(layers: number, sides: string[]): string[] {
  return Array.from({ length: layers }, (_, layer) =>
    sides.flatMap((side) => [`${layer}.${side}.key`, `${layer}.${side}.value`]),
  ).flat()
}

/**
 * Ending at once is believed when the model is sure: where Whisper is forced to speak it invents
 * "you" for a silent window.
 */
function isSureOfSilence(logits: Float32Array, end: number): boolean {
  return (softmax(logits)[end] ?? 0) >= 0.5
}

function forbid(
  whisper: Whisper,
  logits: Float32Array,
  ids: readonly number[],
  noRepeat: boolean,
): void {
  const { generation } = whisper
  for (const token of whisper.suppressed) logits[token] = -Infinity
  logits.fill(-Infinity, generation.eos_token_id + 1)
  if (noRepeat) for (const token of repeating(ids)) logits[token] = -Infinity
  if (ids.length > 0) return
  for (const token of generation.begin_suppress_tokens ?? []) logits[token] = -Infinity
}

/** Tokens that would repeat a run of four that was already said. */
function repeating(ids: readonly number[]): number[] {
  const [a, b, c] = ids.slice(-3)
  const blocked: number[] = []
  for (let at = 0; at + 3 < ids.length; at++) {
    if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c) blocked.push(ids[at + 3]!)
  }
  return blocked
}

function softmax(logits: Float32Array): Float32Array {
  let max = -Infinity
  for (const value of logits) if (value > max) max = value
  const result = logits.map((value) => Math.exp(value - max))
  let sum = 0
  for (const value of result) sum += value
  return result.map((value) => value / sum)
}
