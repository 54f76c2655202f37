/**
 * Whisper on onnxruntime, one window of at most 30 s at a time.
 *
 * The decoder is run token by token with its key-value cache. The first step has only the start
 * token: its logits give the language and the probability that nobody speaks, and its cache serves
 * the transcription, so that both cost nothing extra. The log-probabilities of a word's tokens are
 * its confidence. Cross attentions give rough word times for languages without an aligner.
 */
import path from 'node:path'
import type * as ort from '../../models/onnx.ts'
import * as z from 'zod'
import { whisperSettings } from '../../models/whisper-files.ts'
import type { WhisperFolder } from '../../models/whisper-folder.ts'
import { isChant, maxLoopedTokens } from '../text/chant.ts'
import { tokenTimes } from './attention.ts'
import { searchBeam } from './beam.ts'
import type { Heard } from './beam.ts'
import { loadDecoder } from './decoder.ts'
import type { Cache, Decoder, Listening, Step } from './decoder.ts'
import { createEncoder, samplesPerPosition } from './encoder.ts'
import { tokenBytes, tokensById, wordsOfTokens } from './tokens.ts'
import type { RecognisedWord } from './tokens.ts'
import { createTokenWriter } from './write-tokens.ts'

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
  /** True if the export outputs attentions, which word times need. */
  hasTimes: boolean
}

export interface WhisperOptions {
  /**
   * Forces this language. If omitted, it is detected; `fallbackLanguage` wins when detection is not
   * confident.
   */
  language?: string
  fallbackLanguage?: string
  /** Names and terms that may be said; as many as fit into the prompt. */
  vocabulary?: readonly string[]
  /** Voice probability of every 512 samples: distinguishes a chant from a loop of the model. */
  voice?: Float32Array
  /** `translate` writes in English whatever is said. */
  task?: 'transcribe' | 'translate'
}

const modelConfig = z.object({
  decoder_layers: z.int().min(1).max(64),
  decoder_attention_heads: z.int().min(1).max(64),
  encoder_attention_heads: z.int().min(1).max(64),
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
/** Together with the words and the five tokens around them within the 448. */
const maxPromptTokens = 200
const surePriorOverride = 0.9
/** A third and a fifth hypothesis corrected no word of the speech clips, at the same cost each. */
const beamWidth = 2

interface Whisper {
  encode: (samples: Float32Array) => Promise<ort.Tensor>
  decoder: Decoder
  generation: z.infer<typeof generationConfig>
  tokens: readonly (string | undefined)[]
  /** Made when terms are first given: it knows every token. */
  writeTokens: ReturnType<typeof createTokenWriter> | undefined
  suppressed: number[]
}

export async function loadWhisper(folder: WhisperFolder): Promise<WhisperModel> {
  const whisper = await openWhisper(folder)
  return {
    hasTimes: whisper.decoder.attentionNames.length > 0,
    async recognise(samples, wish) {
      const hidden = await whisper.encode(samples)
      const positions = hidden.dims[1]!
      const listening = await whisper.decoder.listen(hidden)
      const first = await listenFirst(whisper, listening)
      const language = chooseLanguage(first.languages, wish)
      const frames = Math.min(positions, Math.ceil(samples.length / samplesPerPosition))
      const options = { ...wish, language, frames, positions }
      let decoded = await decode(whisper, listening, first, { ...options, noRepeat: false })
      const looped = decoded.looped && !decoded.isChant
      if (looped) decoded = await decode(whisper, listening, first, { ...options, noRepeat: true })
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

async function openWhisper(folder: WhisperFolder): Promise<Whisper> {
  const json = async (name: string): Promise<unknown> =>
    JSON.parse((await folder.read(path.join(folder.path, name))).toString())
  const config = modelConfig.parse(await json(whisperSettings.config))
  const generation = generationConfig.parse(await json(whisperSettings.generation))
  const vocabulary = await json(whisperSettings.vocabulary)
  const heads = config.decoder_attention_heads
  const layers = new Set((generation.alignment_heads ?? []).map(([layer]) => layer))
  return {
    encode: await createEncoder(folder, {
      melBands: config.num_mel_bins,
      heads: config.encoder_attention_heads,
    }),
    decoder: await loadDecoder(folder, {
      layers: config.decoder_layers,
      heads,
      headWidth: config.d_model / heads,
      attentionLayers: [...layers],
    }),
    generation,
    tokens: tokensById(vocabulary, generation.eos_token_id),
    writeTokens: undefined,
    suppressed: generation.suppress_tokens ?? [],
  }
}

interface FirstStep {
  languages: { language: string; probability: number }[]
  noSpeech: number
  cache: Cache
}

/** One decoder step on the start token alone. */
async function listenFirst({ generation }: Whisper, listening: Listening): Promise<FirstStep> {
  const start = { cache: null, token: generation.decoder_start_token_id }
  const output = (await listening.step([start], { wantsLogits: true }))[0]!
  const probabilities = softmax(output.logits)
  const languages = Object.entries(generation.lang_to_id ?? {}).map(([token, id]) => ({
    language: token.slice(2, -2),
    probability: probabilities[id] ?? 0,
  }))
  const total = languages.reduce((sum, entry) => sum + entry.probability, 0) || 1
  for (const entry of languages) entry.probability /= total
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
  if (!wish.fallbackLanguage || best.language === wish.fallbackLanguage) return best.language
  return best.probability >= surePriorOverride ? best.language : wish.fallbackLanguage
}

interface Decoded {
  words: RecognisedWord[]
  meanLogProbability: number
  looped: boolean
  /** The repetition was spoken, not a loop of the model. */
  isChant: boolean
}

async function decode(
  whisper: Whisper,
  listening: Listening,
  first: FirstStep,
  options: WhisperOptions & {
    language: string
    frames: number
    positions: number
    noRepeat: boolean
  },
): Promise<Decoded> {
  const { generation, decoder } = whisper
  const start = await startDecoding(whisper, listening, first, options)
  if (isSureOfSilence(start.logits, generation.eos_token_id)) {
    return { words: [], meanLogProbability: 0, looped: false, isChant: false }
  }
  const sentence = await searchBeam(start, {
    width: beamWidth,
    maxTokens,
    maxLoopedTokens: options.voice ? maxLoopedTokens(options.voice) : 0,
    endToken: generation.eos_token_id,
    forbid: (logits, ids) => forbid(whisper, logits, ids, options.noRepeat),
    next: (steps) => stepAll(listening, steps),
  })
  const traces = [...sentence.tokens.map((token) => token.before), sentence.last]
  const times = tokenTimes(traces, generation.alignment_heads ?? [], {
    names: decoder.attentionNames,
    frames: options.frames,
    width: options.positions,
  })
  const tokens = sentence.tokens.map(({ id, logProbability }, index) => ({
    bytes: tokenBytes(whisper.tokens[id] ?? ''),
    logProbability,
    start: times[index]!,
    end: times[index + 1]!,
  }))
  const { meanLogProbability, looped } = sentence
  const said = sentence.tokens.map(({ id }, index) => ({ id, start: times[index]! }))
  const isSaid = sentence.ended && options.voice !== undefined
  const written = options.task === 'translate' ? 'en' : options.language
  return {
    words: wordsOfTokens(tokens, written),
    meanLogProbability,
    looped,
    isChant: looped && isSaid && isChant(said, { end: times.at(-1)!, voice: options.voice! }),
  }
}

/** The tokens that stand before the decoder's own: terms, language and task. */
async function startDecoding(
  whisper: Whisper,
  listening: Listening,
  first: FirstStep,
  options: WhisperOptions & { language: string },
): Promise<Heard<Cache, Float32Array[]>> {
  const { generation } = whisper
  const wishes = wishTokens(generation, options)
  const terms = termTokens(whisper, options.vocabulary ?? [])
  let { cache } = first
  if (terms.length > 0) {
    // The token before `<|nospeech|>`, which is the one before `<|notimestamps|>`.
    const previous = generation.no_timestamps_token_id - 2
    const started = [previous, ...terms, generation.decoder_start_token_id, ...wishes.slice(0, -1)]
    cache = await listening.prompt(started)
    wishes.splice(0, wishes.length - 1)
  }
  const last = wishes.pop()!
  for (const token of wishes) {
    cache = (await listening.step([{ cache, token }], { wantsLogits: false }))[0]!.cache
  }
  return (await stepAll(listening, [{ state: cache, token: last }]))[0]!
}

async function stepAll(
  listening: Listening,
  steps: readonly { state: Cache; token: number }[],
): Promise<Heard<Cache, Float32Array[]>[]> {
  const rows = steps.map(({ state, token }): Step => ({ cache: state, token }))
  const stepped = await listening.step(rows, { wantsLogits: true })
  return stepped.map(({ logits, cache, attentions }) => ({
    logits,
    state: cache,
    trace: attentions,
  }))
}

function wishTokens(
  generation: Whisper['generation'],
  { language, task = 'transcribe' }: WhisperOptions & { language: string },
): number[] {
  const tokens = [generation.no_timestamps_token_id]
  if (!generation.lang_to_id) {
    if (task === 'translate') throw new Error('The model does not translate.')
    return tokens
  }
  const languageToken = generation.lang_to_id[`<|${language}|>`]
  if (languageToken === undefined)
    throw new Error(`The model does not know the language ${language}.`)
  const taskToken = generation.task_to_id?.[task]
  return taskToken === undefined
    ? [languageToken, ...tokens]
    : [languageToken, taskToken, ...tokens]
}

/** As many of the terms as fit, as a list that might have been said before. */
function termTokens(whisper: Whisper, vocabulary: readonly string[]): number[] {
  if (vocabulary.length === 0) return []
  const write = (whisper.writeTokens ??= createTokenWriter(whisper.tokens))
  const tokens: number[] = []
  for (const term of vocabulary) {
    const more = write(`${tokens.length > 0 ? ',' : ''} ${term}`)
    if (tokens.length + more.length >= maxPromptTokens) break
    tokens.push(...more)
  }
  return tokens.length > 0 ? [...tokens, ...write('.')] : []
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
