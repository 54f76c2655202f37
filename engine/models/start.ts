/** Starts models, each in a process with one thread; `pool.ts` runs several to use more cores. */
import { startProcess } from '../processes/process.ts'
import type { Methods, WorkProcess } from '../processes/process.ts'
import { modelEnvironment } from './settings.ts'

export function startModel<M extends Methods>(
  entry: URL,
  options: { signal?: AbortSignal | undefined; callLimitMs?: number } = {},
): WorkProcess<M> {
  return startProcess(entry, {
    niceness: 5,
    // Huge pages let a model give its scratch memory back after each step at no cost in speed:
    // Whisper-small runs in 1.1 GB instead of 2.7 GB.
    env: {
      OMP_NUM_THREADS: '1',
      GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
      ...modelEnvironment(),
    },
    ...options,
  })
}
