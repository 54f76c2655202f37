/**
 * Stops a worker. Its jobs go back to the queue at once, however long a task takes. The keeper looks
 * and gives its lease up over the connection of the jobs, so that closes after it; everything that
 * both use closes last.
 */
import type { Keeper } from '../work/leader.ts'
import type { Worker } from '../runs/work.ts'

export async function stopWorker(parts: {
  keeper: Pick<Keeper, 'stop'>
  /** Null where it may not analyse. */
  jobs: Pick<Worker, 'drain' | 'stop'> | null
  close: () => Promise<void>
}): Promise<void> {
  const { keeper, jobs, close } = parts
  await Promise.all([keeper.stop(), jobs?.drain()])
  await jobs?.stop()
  await close()
}
