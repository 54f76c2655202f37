/**
 * A folder with an ONNX Whisper, and its models as they are run: rewritten and optimised once where
 * they can be kept.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type * as ort from 'onnxruntime-node'
import { keepPrepared } from './keep-prepared.ts'
import { optimisedOptions, optimiseModel, optimiserKey } from './optimise.ts'
import { openModel } from './session.ts'
import { readWeights, recordedSum, weightsFolder } from './weights.ts'

/** Models by name, and what else is known of them. */
interface Rewritten {
  models: Record<string, Buffer>
  about: Record<string, unknown>
}

export interface Prepared<R extends Rewritten> {
  about: R['about']
  open(
    name: keyof R['models'] & string,
    options?: ort.InferenceSession.SessionOptions,
  ): Promise<ort.InferenceSession>
}

export interface WhisperFolder {
  path: string
  read(file: string): Promise<Buffer>
  /**
   * Opens what `make` rewrites a file to. It is kept for other processes where the file's bytes are
   * recorded, since the bytes of a model of one's own may change.
   */
  prepare<R extends Rewritten>(
    file: string,
    options: unknown,
    make: (bytes: Buffer) => R | null,
  ): Promise<Prepared<R> | null>
}

export function packagedWhisper(): WhisperFolder {
  const id = 'whisper-small'
  const read = (file: string): Promise<Buffer> => readWeights(id, file)
  return {
    path: weightsFolder(id),
    read,
    async prepare(file, options, make) {
      const name = `${id}-${path.basename(file, '.onnx')}`
      const optimiser = optimiserKey()
      const key = { name, madeFrom: recordedSum(id, file), options: { options, optimiser } }
      const parts = await keepPrepared(
        key,
        async () => {
          const made = make(await read(file))
          return made && packParts(made, { isOptimised: false })
        },
        optimiser === null ? {} : { improve: optimiseParts },
      )
      return parts && openParts(parts)
    },
  }
}

export function ownWhisper(folder: string): WhisperFolder {
  return {
    path: folder,
    read: (file) => readFile(file),
    async prepare(file, _options, make) {
      const made = make(await readFile(file))
      return made && openParts(packParts(made, { isOptimised: false }))
    },
  }
}

/** The models, and in a file of its own what is known of them. */
type Parts = Record<string, Buffer>

const aboutName = 'about.json'

function packParts({ models, about }: Rewritten, state: { isOptimised: boolean }): Parts {
  return { ...models, [aboutName]: Buffer.from(JSON.stringify({ about, ...state })) }
}

function unpackParts(parts: Parts): Rewritten & { isOptimised: boolean } {
  const { [aboutName]: packed, ...models } = parts
  // Written above, by the same code.
  const { about, isOptimised } = JSON.parse(packed!.toString()) as ReturnType<typeof unpackParts>
  return { models, about, isOptimised }
}

async function optimiseParts(parts: Parts, folder: string): Promise<Parts> {
  const { models, about } = unpackParts(parts)
  const optimised: Record<string, Buffer> = {}
  for (const [name, model] of Object.entries(models)) {
    optimised[name] = await optimiseModel(model, folder)
  }
  return packParts({ models: optimised, about }, { isOptimised: true })
}

function openParts<R extends Rewritten>(parts: Parts): Prepared<R> {
  const { models, about, isOptimised } = unpackParts(parts)
  return {
    about,
    open: (name, options) =>
      openModel(models[name]!, { ...(isOptimised ? optimisedOptions : {}), ...options }),
  }
}
