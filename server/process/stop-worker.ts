/**
 * Stops a worker. Its jobs go back to the queue at once, however long a task takes. The leader
 * checks and gives its lease up over the connection of the jobs, so that closes after it;
 * everything that both use closes last.
 */
import type { Leader } from '../work/leader.ts'
import type { Worker } from '../runs/work.ts'

export async function stopWorker(parts: {
  leader: Pick<Leader, 'stop'>
  /** The worker of jobs; null if this process may not analyse. */
  jobs: Pick<Worker, 'drain' | 'stop'> | null
  close: () => Promise<void>
}): Promise<void> {
  const { leader, jobs, close } = parts
  await Promise.all([leader.stop(), jobs?.drain()])
  await jobs?.stop()
  await close()
}
