/**
 * Keeps processes for a while after their work: starting one takes as much processor time as
 * decoding a short clip. They do not keep their parent alive, and end with it.
 */
import { ProcessFailure } from './process.ts'
import type { Methods, WorkProcess } from './process.ts'

export interface Spares<M extends Methods> {
  /** Takes a spare process, or starts a new one if there is none. */
  take(): WorkProcess<M>
  giveBack(process: WorkProcess<M>): void
  /**
   * A process that failed, or whose work was canceled, is not used again. Work that meets a spare
   * which has died meanwhile starts over in a new process.
   */
  use<Result>(
    work: (process: WorkProcess<M>) => Promise<Result>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result>
  close(): void
}

export function keepSpares<M extends Methods>(
  start: () => WorkProcess<M>,
  { max = 1, idleMs = 60_000 }: { max?: number; idleMs?: number } = {},
): Spares<M> {
  const idle = new Map<WorkProcess<M>, NodeJS.Timeout>()

  function takeSpare(): WorkProcess<M> | undefined {
    for (const [process, timer] of idle) {
      idle.delete(process)
      clearTimeout(timer)
      if (!process.hasEnded()) return process
    }
    return undefined
  }

  function giveBack(process: WorkProcess<M>): void {
    if (idle.size >= max) return process.stop()
    const end = (): void => {
      idle.delete(process)
      process.stop()
    }
    idle.set(process, setTimeout(end, idleMs).unref())
  }

  return {
    take: () => takeSpare() ?? start(),
    giveBack,
    async use(work, options = {}) {
      const { signal } = options
      signal?.throwIfAborted()
      const spare = takeSpare()
      const process = spare ?? start()
      const onAbort = (): void => process.stop(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const result = await work(process)
        giveBack(process)
        return result
      } catch (error) {
        const hasDied = error instanceof ProcessFailure && error.kind === 'ended'
        process.stop()
        if (spare && hasDied && !signal?.aborted) return await this.use(work, options)
        throw error
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    close() {
      for (const process of idle.keys()) process.stop()
      idle.clear()
    },
  }
}
