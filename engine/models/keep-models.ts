/** Rewrites and optimises models once, keeps the result and opens it from then on. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type * as ort from './onnx.ts'
import { keepPrepared } from './keep-prepared.ts'
import type { PreparedKey } from './keep-prepared.ts'
import { optimisedOptions, optimiseModel, optimiserKey } from './optimise.ts'
import { openModel } from './session.ts'

/** Rewritten models by name, with other facts about them. */
export interface Rewritten {
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

/** Stored in a file of its own beside the models. */
const aboutName = 'about.json'

interface About {
  about: Rewritten['about']
  isOptimised: boolean
}

/** Opens what `make` returns, now or in an earlier process; null results are not kept. */
export async function keepModels<R extends Rewritten>(
  { options, ...key }: PreparedKey,
  make: () => Promise<R | null>,
  { folder }: { folder?: string } = {},
): Promise<Prepared<R> | null> {
  const optimiser = optimiserKey()
  let rewritten: R | null = null
  const kept = await keepPrepared(
    { ...key, options: { options, optimiser } },
    async () => {
      rewritten = await make()
      return rewritten && { ...rewritten.models, [aboutName]: describe(rewritten, false) }
    },
    {
      ...(folder === undefined ? {} : { folder }),
      ...(optimiser === null ? {} : { improve: async (_, work) => optimiseAll(rewritten!, work) }),
    },
  )
  if (!kept) return null
  return 'folder' in kept ? await openKept(kept.folder, make) : openMade(rewritten!)
}

export function openMade<R extends Rewritten>({ models, about }: R): Prepared<R> {
  return { about, open: (name, options) => openModel(models[name]!, options) }
}

/** Opens the kept models; `makeAgain` is used if a newer version deletes the folder meanwhile. */
async function openKept<R extends Rewritten>(
  folder: string,
  makeAgain: () => Promise<R | null>,
): Promise<Prepared<R>> {
  // Written below, by the same code.
  const described = JSON.parse(await readFile(path.join(folder, aboutName), 'utf8')) as About
  const { about, isOptimised } = described
  let created: Promise<R | null> | undefined
  return {
    about,
    async open(name, options) {
      try {
        const as = isOptimised ? optimisedOptions : {}
        return await openModel(path.join(folder, name), { ...as, ...options })
      } catch (error) {
        if (existsSync(folder)) throw error
        created ??= makeAgain()
        return await openModel((await created)!.models[name]!, options)
      }
    },
  }
}

function describe({ about }: Rewritten, isOptimised: boolean): Buffer {
  return Buffer.from(JSON.stringify({ about, isOptimised } satisfies About))
}

async function optimiseAll(rewritten: Rewritten, folder: string): Promise<void> {
  for (const [name, model] of Object.entries(rewritten.models)) {
    await optimiseModel(model, path.join(folder, name))
  }
  await writeFile(path.join(folder, aboutName), describe(rewritten, true))
}
