/** Several children of one kind that share a list of tasks: two with one thread beat one with two. */
import os from 'node:os'
import type { ModelMethods, ModelProcess } from './process.ts'

/**
 * Runs `work` for every task on up to `size` processes and keeps the order of the results. The
 * first failure stops all of them: half a transcript is not a finding.
 */
export async function runOnPool<M extends ModelMethods, Task, Result>(options: {
  start: () => ModelProcess<M>
  size: number
  tasks: readonly Task[]
  work: (model: ModelProcess<M>, task: Task, index: number) => Promise<Result>
}): Promise<{ results: Result[]; cpuSeconds: number }> {
  const { start, tasks, work } = options
  const results: Result[] = []
  const processes: ModelProcess<M>[] = []
  let next = 0
  async function drain() {
    const model = start()
    processes.push(model)
    for (let index = next++; index < tasks.length; index = next++) {
      results[index] = await work(model, tasks[index]!, index)
    }
  }
  try {
    const size = Math.max(1, Math.min(options.size, tasks.length))
    await Promise.all(Array.from({ length: size }, drain))
  } finally {
    for (const model of processes) model.stop()
  }
  return { results, cpuSeconds: processes.reduce((sum, model) => sum + model.cpuSeconds(), 0) }
}

const poolLimit = 4

/** How many processes of this appetite the machine carries: one for each core, four at most. */
export function poolSize(memoryBytes: number): number {
  const byMemory = Math.floor(os.freemem() / memoryBytes)
  return Math.max(1, Math.min(poolLimit, os.availableParallelism(), byMemory))
}
