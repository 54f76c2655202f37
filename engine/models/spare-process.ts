/**
 * A model process that stays for a while after its work: starting one takes as much processor time as
 * decoding a short clip. It does not keep its parent alive, and ends with it.
 */
import { ModelFailure, startModelProcess } from './process.ts'
import type { ModelMethods, ModelProcess } from './process.ts'

export interface SpareProcess<M extends ModelMethods> {
  /**
   * A process that failed, or whose work was canceled, is not used again. Work that meets a spare which
   * has died meanwhile is begun once more with a new process.
   */
  use<Result>(
    work: (model: ModelProcess<M>) => Promise<Result>,
    options?: { signal?: AbortSignal },
  ): Promise<Result>
}

export function spareProcess<M extends ModelMethods>(
  entry: URL,
  { idleMs = 60_000 }: { idleMs?: number } = {},
): SpareProcess<M> {
  let spare: { model: ModelProcess<M>; timer: NodeJS.Timeout } | null = null

  function takeSpare(): ModelProcess<M> | null {
    const taken = spare
    spare = null
    clearTimeout(taken?.timer)
    return taken && !taken.model.hasEnded() ? taken.model : null
  }

  function giveBack(model: ModelProcess<M>): void {
    if (spare) return model.stop()
    const timer = setTimeout(() => {
      spare = null
      model.stop()
    }, idleMs)
    timer.unref()
    spare = { model, timer }
  }

  return {
    async use(work, options = {}) {
      const { signal } = options
      signal?.throwIfAborted()
      const kept = takeSpare()
      const model = kept ?? startModelProcess<M>(entry)
      const onAbort = (): void => model.stop(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const result = await work(model)
        giveBack(model)
        return result
      } catch (error) {
        const hasDied = model.hasEnded() && error instanceof ModelFailure
        model.stop()
        if (kept && hasDied && !signal?.aborted) return await this.use(work, options)
        throw error
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
  }
}
