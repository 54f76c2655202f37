import type { Faults, Need } from './extractor.ts'

/** Confines the failure of a model to the extractors that need it; the pass goes on. */
export function guarded<Model extends { stop(): void }>(
  need: Need,
  faults: Faults,
  wanted: boolean,
  create: () => Model,
) {
  let model: Model | null = null
  const fail = (error: unknown): null => {
    faults[need] ??= error instanceof Error ? error : new Error(String(error))
    return null
  }
  try {
    if (wanted) model = create()
  } catch (error) {
    fail(error)
  }
  return {
    wanted,
    async use<Value>(work: (model: Model) => Promise<Value>): Promise<Value | null> {
      if (!model || faults[need]) return null
      return await work(model).catch(fail)
    },
    stop: () => model?.stop(),
  }
}
