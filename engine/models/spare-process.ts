/**
 * A model process that stays for a while after its work: to start one takes as long as many a short clip
 * does. It never keeps the process alive that started it, and ends with it.
 */
import { startModelProcess } from './process.ts'
import type { ModelMethods, ModelProcess } from './process.ts'

export interface SpareProcess<M extends ModelMethods> {
  /** A process that failed, or whose work was canceled, is not used again. */
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

  function take(): ModelProcess<M> {
    const taken = spare
    spare = null
    clearTimeout(taken?.timer)
    return taken && !taken.model.hasEnded() ? taken.model : startModelProcess<M>(entry)
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
    async use(work, { signal } = {}) {
      signal?.throwIfAborted()
      const model = take()
      const onAbort = (): void => model.stop(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const result = await work(model)
        giveBack(model)
        return result
      } catch (error) {
        model.stop()
        throw error
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
  }
}
