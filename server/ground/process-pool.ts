/**
 * Runs orders in processes beside the event loop (`engine/processes/`), which so never waits for
 * work on a user's bytes. A process takes one order at a time. Accounts take turns, and none has
 * all processes at once: one account's flood of slow orders leaves a process to the others. An idle
 * pool ends its processes.
 */
import os from 'node:os'
import type * as z from 'zod'
import { ProcessFailure, startProcess } from '../../engine/processes/process.ts'
import type { WorkProcess } from '../../engine/processes/process.ts'
import { keepSpares } from '../../engine/processes/spares.ts'
import { Refusal } from './refusal.ts'

export interface PoolOptions<Outcome> {
  entry: URL
  outcome: z.ZodType<Outcome>
  processes: number
  /** Time limit of one order, from its start in a process. */
  maxMs: number
  maxHeapMiB: number
  /** Waiting and running, of one account and of all. */
  maxOfAccount: number
  maxOrders: number
  /** Refusals: for an account with too many orders, and for everybody when the pool is full. */
  sentences: { account: string; all: string }
}

export interface ProcessPool<Order, Outcome> {
  /** Throws `OrderKilled` if the order does not complete, also when `signal` stops it. */
  run(accountId: string, order: Order, signal?: AbortSignal): Promise<Outcome>
  /** Ends all processes with their orders. */
  close(): void
}

/** Thrown if an order did not complete: it took too long, was canceled, or its process died. */
export class OrderKilled extends Error {}

interface Waiting<Order, Outcome> {
  accountId: string
  order: Order
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

type OrderProcess<Order, Outcome> = WorkProcess<{ run: { input: Order; output: Outcome } }>

const idleMs = 5 * 60_000
const politeness = 10

export function createProcessPool<Order, Outcome>(
  options: PoolOptions<Outcome>,
): ProcessPool<Order, Outcome> {
  const spares = keepSpares(() => startPolite<Order, Outcome>(options), {
    max: options.processes,
    idleMs,
  })
  const waiting: Waiting<Order, Outcome>[] = []
  const running = new Map<Waiting<Order, Outcome>, OrderProcess<Order, Outcome>>()
  /** When an account with orders was last served, so that accounts take turns. */
  const served = new Map<string, number>()
  let turn = 0
  const maxAtOnce = Math.max(1, options.processes - 1)

  const runningOf = (accountId: string): number =>
    [...running.keys()].filter((order) => order.accountId === accountId).length

  /** The oldest order of the account with the fewest running, then of the least recently served. */
  const takeNext = (): Waiting<Order, Outcome> | undefined => {
    // The sort keeps the order of those that are equal.
    const [next] = waiting
      .map((order) => ({ order, count: runningOf(order.accountId) }))
      .filter(({ count }) => count < maxAtOnce)
      .sort(
        (a, b) =>
          a.count - b.count ||
          (served.get(a.order.accountId) ?? 0) - (served.get(b.order.accountId) ?? 0),
      )
    if (!next) return undefined
    waiting.splice(waiting.indexOf(next.order), 1)
    served.set(next.order.accountId, ++turn)
    return next.order
  }

  const fill = (): void => {
    while (running.size < options.processes) {
      const next = takeNext()
      if (!next) break
      void serveOrder(next)
    }
    if (running.size === 0) served.clear()
  }

  const serveOrder = async (next: Waiting<Order, Outcome>): Promise<void> => {
    const process = spares.take()
    running.set(next, process)
    try {
      next.resolve(await process.call('run', next.order))
    } catch (error) {
      const isKilled = error instanceof ProcessFailure && error.kind !== 'fault'
      next.reject(isKilled ? new OrderKilled(error.message) : error)
    }
    running.delete(next)
    if (!process.hasEnded()) spares.giveBack(process)
    fill()
  }

  const kill = (order: Waiting<Order, Outcome>, reason: string): void => {
    running.get(order)?.stop(new OrderKilled(reason))
    const place = waiting.indexOf(order)
    if (place < 0) return
    waiting.splice(place, 1)
    order.reject(new OrderKilled(reason))
  }

  return {
    async run(accountId, order, signal) {
      const own = waiting.filter((other) => other.accountId === accountId).length
      refuseTooMany(options, {
        account: own + runningOf(accountId),
        all: waiting.length + running.size,
      })
      return await new Promise((resolve, reject) => {
        const asked = { accountId, order, resolve, reject }
        const cancel = (): void => kill(asked, 'It was canceled.')
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.push(asked)
        if (signal?.aborted) cancel()
        fill()
      })
    },
    close() {
      for (const order of [...waiting, ...running.keys()]) kill(order, 'The service stops.')
      spares.close()
    },
  }
}

function startPolite<Order, Outcome>(options: PoolOptions<Outcome>): OrderProcess<Order, Outcome> {
  const { entry, maxHeapMiB, maxMs, outcome } = options
  return startProcess<{ run: { input: Order; output: Outcome } }>(entry, {
    niceness: os.getPriority() + politeness,
    env: { TMPDIR: os.tmpdir() },
    maxHeapMiB,
    callLimitMs: maxMs,
    schemas: { run: { output: outcome } },
  })
}

function refuseTooMany<Outcome>(
  options: PoolOptions<Outcome>,
  orders: { account: number; all: number },
): void {
  if (orders.account >= options.maxOfAccount) {
    throw new Refusal('rate_limited', options.sentences.account, { retryAfterSeconds: 10 })
  }
  if (orders.all >= options.maxOrders) {
    throw new Refusal('unavailable', options.sentences.all, { retryAfterSeconds: 60 })
  }
}
