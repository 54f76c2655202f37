/**
 * Runs orders in processes beside the event loop, which so never waits for work on a user's bytes.
 *
 * - A process takes one order at a time. One that takes longer than the limit or uses more memory
 *   than it may is killed with its order and its media tools, and a new process takes the next.
 * - All of a process yields to the service, its collector and its start included: as threads these
 *   had the service's own priority. It knows no setting and no secret of the service.
 * - Accounts take turns, and none has all processes at once: one account's flood of slow orders
 *   leaves a process to the others.
 * - An idle pool ends its processes, and the kernel ends them with the service.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Refusal } from './refusal.ts'

export interface PoolOptions {
  entry: URL
  processes: number
  /** Of one order, from its start in a process. */
  maxMs: number
  maxHeapMiB: number
  /** Waiting and running, of one account and of all. */
  maxOfAccount: number
  maxOrders: number
  /** What an account is told whose orders are too many, and everybody when the pool is full. */
  sentences: { account: string; all: string }
}

export interface ProcessPool<Order, Outcome> {
  /** Throws `OrderKilled` where the order did not end, also when `signal` ends it. */
  run(accountId: string, order: Order, signal?: AbortSignal): Promise<Outcome>
  /** Ends all processes with their orders. */
  close(): void
}

/** The order did not end: it took too long, or its process died. */
export class OrderKilled extends Error {}

/** A process's answer; process-pool-server.ts makes it. */
export type OrderReply = { outcome: unknown } | { fault: string }
export type ServerMessage = OrderReply | 'ready'

interface Waiting {
  accountId: string
  order: unknown
  settle: (reply: OrderReply | { killed: string }) => void
}

interface Server {
  child: ChildProcess
  isReady: boolean
  current: Waiting | null
  timer: NodeJS.Timeout | undefined
}

const idleMs = 5 * 60_000
/** A polite process starts slowly where others want the processor. */
const maxStartMs = 120_000
const politeness = 10
const stderrLimit = 2000
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))

export function createProcessPool<Order, Outcome>(
  options: PoolOptions,
): ProcessPool<Order, Outcome> {
  const servers = new Set<Server>()
  const waiting: Waiting[] = []
  const running = new Map<string, number>()
  /** When an account with orders was last served, so that accounts take turns. */
  const served = new Map<string, number>()
  let turn = 0
  const maxAtOnce = Math.max(1, options.processes - 1)

  const count = (accountId: string, change: number): void => {
    const now = (running.get(accountId) ?? 0) + change
    if (now > 0) running.set(accountId, now)
    else running.delete(accountId)
  }

  /** The oldest order of the account that has the fewest running, and of those was served longest ago. */
  const takeNext = (): Waiting | undefined => {
    const runningOf = ({ accountId }: Waiting): number => running.get(accountId) ?? 0
    const servedAt = ({ accountId }: Waiting): number => served.get(accountId) ?? 0
    // The sort keeps the order of those that are equal.
    const [next] = waiting
      .filter((order) => runningOf(order) < maxAtOnce)
      .sort((a, b) => runningOf(a) - runningOf(b) || servedAt(a) - servedAt(b))
    if (!next) return undefined
    waiting.splice(waiting.indexOf(next), 1)
    served.set(next.accountId, ++turn)
    return next
  }

  const fill = (): void => {
    for (;;) {
      const idle = [...servers].find(({ current }) => current === null)
      if (!idle && servers.size >= options.processes) return
      const next = takeNext()
      if (!next) return
      const server = idle ?? startServer()
      server.current = next
      count(next.accountId, 1)
      limitTime(server)
      server.child.send(next.order as object, (error) => {
        if (error) end(server, String(error))
      })
    }
  }

  const limitTime = (server: Server): void => {
    clearTimeout(server.timer)
    const limitMs = server.isReady ? options.maxMs : maxStartMs
    server.timer = setTimeout(() => end(server, 'It took too long.'), limitMs)
  }

  const finish = (server: Server, reply: OrderReply | { killed: string }): void => {
    const { current } = server
    server.current = null
    clearTimeout(server.timer)
    if (!current) return
    count(current.accountId, -1)
    if (waiting.length === 0 && running.size === 0) served.clear()
    current.settle(reply)
  }

  const end = (server: Server, killed: string): void => {
    servers.delete(server)
    finish(server, { killed })
    const { pid, exitCode, signalCode } = server.child
    // The id of one that has ended may be another's by now.
    if (pid !== undefined && exitCode === null && signalCode === null) killTree(pid)
    fill()
  }

  const cancel = (asked: Waiting): void => {
    const place = waiting.indexOf(asked)
    if (place >= 0) {
      waiting.splice(place, 1)
      asked.settle({ killed: 'It was canceled.' })
      return
    }
    const server = [...servers].find(({ current }) => current === asked)
    if (server) end(server, 'It was canceled.')
  }

  const startServer = (): Server => {
    const child = startProcess(options)
    const server: Server = { child, isReady: false, current: null, timer: undefined }
    servers.add(server)
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-stderrLimit)
    })
    child.on('message', (message: ServerMessage) => {
      if (message === 'ready') {
        server.isReady = true
        if (server.current) limitTime(server)
        return
      }
      finish(server, message)
      server.timer = setTimeout(() => end(server, 'It was idle.'), idleMs).unref()
      fill()
    })
    child.on('error', (error) => end(server, String(error)))
    child.on('exit', (code, signal) => end(server, `It ended with ${signal ?? code}. ${stderr}`))
    return server
  }

  return {
    async run(accountId, order, signal) {
      const own = waiting.filter((one) => one.accountId === accountId).length
      refuseTooMany(options, own + (running.get(accountId) ?? 0), {
        all: waiting.length + [...servers].filter(({ current }) => current).length,
      })
      const reply = await new Promise<OrderReply | { killed: string }>((settle) => {
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
    close() {
      for (const { settle } of waiting.splice(0)) settle({ killed: 'The service stops.' })
      for (const server of servers) end(server, 'The service stops.')
    },
  }
}

function startProcess({ entry, maxHeapMiB }: PoolOptions): ChildProcess {
  const node = [
    ...[process.execPath, `--max-old-space-size=${maxHeapMiB}`, '--no-warnings'],
    fileURLToPath(entry),
  ]
  const polite = ['--pdeathsig', 'KILL', '--', 'nice', '-n', String(politeness), ...node]
  const child = spawn('setpriv', polite, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: compileCache,
    },
  })
  // A service that has nothing else to do may end.
  child.unref()
  child.channel?.unref()
  ;(child.stderr as Socket | null)?.unref()
  return child
}

/**
 * Tools ask the kernel to end with their parent, but only some milliseconds after their start; one
 * whose parent is killed before that would stay. A process that is stopped starts no more.
 */
function killTree(pid: number): void {
  kill(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) killTree(child)
  kill(pid, 'SIGKILL')
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
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
