/** Lets so many pieces of work under one key run at once in this process; the rest wait in turn. */
import type { Refusal } from './refusal.ts'

export interface FairQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

interface Queue {
  running: number
  waiting: (() => void)[]
}

export function createFairQueue(options: {
  atOnce: number
  maxWaiting?: number
  tooMany?: () => Refusal
}): FairQueue {
  const queues = new Map<string, Queue>()

  const waitIn = async (queue: Queue): Promise<void> => {
    const { maxWaiting = Infinity, tooMany } = options
    if (tooMany && queue.waiting.length >= maxWaiting) throw tooMany()
    await new Promise<void>((resolve) => queue.waiting.push(resolve))
  }

  return {
    async run(key, work) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.running >= options.atOnce) await waitIn(queue)
      else queue.running += 1
      try {
        return await work()
      } finally {
        // Hands the place on, so that no new request gets ahead of one that waits.
        const next = queue.waiting.shift()
        if (next) next()
        else queue.running -= 1
        if (queue.running === 0) queues.delete(key)
      }
    },
  }
}
