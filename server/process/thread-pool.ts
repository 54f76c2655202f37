/**
 * Runs orders in threads beside the event loop, which so never waits for work on a user's bytes.
 *
 * - A thread takes one order at a time. One that takes longer than the limit or uses more memory
 *   than it may is ended with its order, and a new thread takes the next.
 * - Accounts take turns, and none has all threads at once: one account's flood of slow orders
 *   leaves a thread to the others.
 * - An idle pool ends its threads.
 */
import { Worker } from 'node:worker_threads'
import { Refusal } from '../refusal.ts'

export interface PoolOptions {
  entry: URL
  threads: number
  /** Of one order, from its start in a thread. */
  maxMs: number
  maxHeapMiB: number
  /** Waiting and running, of one account and of all. */
  maxOfAccount: number
  maxOrders: number
  /** What an account is told whose orders are too many, and everybody when the pool is full. */
  sentences: { account: string; all: string }
}

export interface ThreadPool<Order, Outcome> {
  /** Throws `OrderKilled` where the order did not end, also when `signal` ends it. */
  run(accountId: string, order: Order, signal?: AbortSignal): Promise<Outcome>
}

/** The order did not end: it took too long, or its thread died. */
export class OrderKilled extends Error {}

/** What a thread posts; serve-thread.ts makes it. */
export type ThreadReply = { outcome: unknown } | { fault: string }

interface Waiting {
  accountId: string
  order: unknown
  settle: (reply: ThreadReply | { killed: string }) => void
}

interface Thread {
  worker: Worker
  current: Waiting | null
  timer: NodeJS.Timeout | undefined
}

const idleMs = 5 * 60_000

export function createThreadPool<Order, Outcome>(options: PoolOptions): ThreadPool<Order, Outcome> {
  const threads = new Set<Thread>()
  const waiting: Waiting[] = []
  const running = new Map<string, number>()
  const maxAtOnce = Math.max(1, options.threads - 1)

  const count = (accountId: string, change: number): void => {
    const now = (running.get(accountId) ?? 0) + change
    if (now > 0) running.set(accountId, now)
    else running.delete(accountId)
  }

  /** The oldest order of the account that has the fewest running. */
  const takeNext = (): Waiting | undefined => {
    const allowed = waiting.filter(({ accountId }) => (running.get(accountId) ?? 0) < maxAtOnce)
    const fewest = Math.min(...allowed.map(({ accountId }) => running.get(accountId) ?? 0))
    const next = allowed.find(({ accountId }) => (running.get(accountId) ?? 0) === fewest)
    if (next) waiting.splice(waiting.indexOf(next), 1)
    return next
  }

  const fill = (): void => {
    for (;;) {
      const idle = [...threads].find(({ current }) => current === null)
      if (!idle && threads.size >= options.threads) return
      const next = takeNext()
      if (!next) return
      const thread = idle ?? startThread()
      thread.current = next
      count(next.accountId, 1)
      clearTimeout(thread.timer)
      thread.timer = setTimeout(() => end(thread, 'It took too long.'), options.maxMs)
      thread.worker.postMessage(next.order, [])
    }
  }

  const finish = (thread: Thread, reply: ThreadReply | { killed: string }): void => {
    const { current } = thread
    thread.current = null
    clearTimeout(thread.timer)
    if (!current) return
    count(current.accountId, -1)
    current.settle(reply)
  }

  const end = (thread: Thread, killed: string): void => {
    threads.delete(thread)
    finish(thread, { killed })
    void thread.worker.terminate()
    fill()
  }

  const cancel = (asked: Waiting): void => {
    const place = waiting.indexOf(asked)
    if (place >= 0) {
      waiting.splice(place, 1)
      asked.settle({ killed: 'It was canceled.' })
      return
    }
    const thread = [...threads].find(({ current }) => current === asked)
    if (thread) end(thread, 'It was canceled.')
  }

  const startThread = (): Thread => {
    const worker = new Worker(options.entry, {
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMiB },
    })
    const thread: Thread = { worker, current: null, timer: undefined }
    threads.add(thread)
    worker.on('message', (reply: ThreadReply) => {
      // Under `node --watch` a thread also posts the names of the files that it imports.
      if (!('outcome' in reply || 'fault' in reply)) return
      finish(thread, reply)
      thread.timer = setTimeout(() => end(thread, 'It was idle.'), idleMs).unref()
      fill()
    })
    worker.on('error', (error) => end(thread, String(error)))
    worker.on('exit', () => end(thread, 'The thread ended.'))
    // A process that has nothing else to do may end.
    worker.unref()
    return thread
  }

  return {
    async run(accountId, order, signal) {
      const own = waiting.filter((one) => one.accountId === accountId).length
      refuseTooMany(options, own + (running.get(accountId) ?? 0), {
        all: waiting.length + [...threads].filter(({ current }) => current).length,
      })
      const reply = await new Promise<ThreadReply | { killed: string }>((settle) => {
        const asked = { accountId, order, settle }
        signal?.addEventListener('abort', () => cancel(asked), { once: true })
        waiting.push(asked)
        if (signal?.aborted) cancel(asked)
        fill()
      })
      if ('killed' in reply) throw new OrderKilled(reply.killed)
      if ('fault' in reply) throw new Error(reply.fault)
      return reply.outcome as Outcome
    },
  }
}

function refuseTooMany(options: PoolOptions, own: number, { all }: { all: number }): void {
  if (own >= options.maxOfAccount) {
    throw new Refusal('rate_limited', options.sentences.account, { retryAfterSeconds: 10 })
  }
  if (all >= options.maxOrders) {
    throw new Refusal('unavailable', options.sentences.all, { retryAfterSeconds: 60 })
  }
}
