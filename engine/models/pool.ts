/**
 * Several children of one kind that share lists of tasks: two with one thread beat one with two.
 * They stay between the lists, since loading a model costs more than many a window.
 */
import type { Methods, WorkProcess } from '../processes/process.ts'
import { takeSeats } from './seats.ts'

export interface Pool<M extends Methods> {
  /**
   * Runs `work` for every task and keeps the order of the results. The first failure fails the
   * whole list: half a transcript is not a finding.
   */
  run<Task, Result>(
    tasks: readonly Task[],
    work: (model: WorkProcess<M>, task: Task) => Promise<Result>,
  ): Promise<Result[]>
  /** CPU seconds of all processes so far. */
  cpuSeconds(): number
  /** Ends the processes. */
  close(): void
}

const maxProcesses = 4

/** Opens a pool; `memoryBytes` is the memory that one process needs. */
export async function openPool<M extends Methods>(options: {
  start: () => WorkProcess<M>
  memoryBytes: number
  /** Upper limit on processes: more would have nothing to do. */
  maxTasks: number
}): Promise<Pool<M>> {
  const wanted = Math.min(maxProcesses, options.maxTasks)
  const seats = await takeSeats(wanted, { memoryBytes: options.memoryBytes })
  const size = Math.max(1, seats.count)
  const processes: WorkProcess<M>[] = []
  return {
    async run(tasks, work) {
      const results: Awaited<ReturnType<typeof work>>[] = []
      let next = 0
      async function drain(place: number) {
        const model = (processes[place] ??= options.start())
        for (let index = next++; index < tasks.length; index = next++) {
          results[index] = await work(model, tasks[index]!)
        }
      }
      const used = Math.min(size, tasks.length)
      await Promise.all(Array.from({ length: used }, (_, place) => drain(place)))
      return results
    },
    cpuSeconds: () => processes.reduce((sum, model) => sum + model.cpuSeconds(), 0),
    close() {
      for (const model of processes) model.stop()
      seats.release()
    },
  }
}
