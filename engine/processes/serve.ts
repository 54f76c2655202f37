/** Runs inside a process of `process.ts`: answers its calls one after the other. */
import { flushCompileCache } from 'node:module'
import type { Reply } from './process.ts'

/** Settles when the message has left this process. */
export type Report = (progress: unknown) => Promise<void>

type Handlers = Record<string, (input: never, report: Report) => unknown>

interface Request {
  id: number
  method: string
  input: unknown
}

export function serve(handlers: Handlers): void {
  let queue = Promise.resolve()
  process.on('message', (request: Request) => {
    queue = queue.then(() => answer(handlers, request))
  })
  process.on('disconnect', () => process.exit(0))
  void send('ready')
}

/** Reports at most once in this time. */
export function throttle(report: Report, everyMs: number): (progress: unknown) => void {
  let reportedAtMs = 0
  return (progress) => {
    const nowMs = Date.now()
    if (nowMs - reportedAtMs < everyMs) return
    reportedAtMs = nowMs
    void report(progress)
  }
}

async function answer(handlers: Handlers, { id, method, input }: Request): Promise<void> {
  let reply: { output: unknown } | { error: string; stack: string }
  try {
    const handler = handlers[method]
    if (!handler) throw new Error(`The process has no method ${method}.`)
    const report: Report = (progress) => send({ id, progress })
    reply = { output: await handler(input as never, report) }
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error))
    reply = { error: fault.message, stack: fault.stack ?? fault.message }
  }
  const { user, system } = process.cpuUsage()
  // The parent may end this process at once, so what was compiled is kept now.
  if (id === 0) flushCompileCache()
  await send({ id, cpuSeconds: (user + system) / 1e6, ...reply })
}

function send(reply: Reply): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(reply, undefined, undefined, () => resolve())
    else resolve()
  })
}
