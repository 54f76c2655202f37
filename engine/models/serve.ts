/** The child's side of `process.ts`: answers calls one after the other until the parent is gone. */
import { flushCompileCache } from 'node:module'
import os from 'node:os'
import type { ModelReply } from './process.ts'

type Handlers = Record<string, (input: never) => Promise<unknown>>

export function serveModel(handlers: Handlers): void {
  // Inference is patient work: whoever answers a person goes first. To be less patient than the one
  // who started all this is not allowed.
  os.setPriority(Math.max(5, os.getPriority()))
  let queue = Promise.resolve()
  process.on('message', (call: { id: number; method: string; input: unknown }) => {
    queue = queue.then(() => answer(handlers, call))
  })
  process.on('disconnect', () => process.exit(0))
}

async function answer(
  handlers: Handlers,
  call: { id: number; method: string; input: unknown },
): Promise<void> {
  let reply: { output: unknown } | { error: string }
  try {
    const handler = handlers[call.method]
    if (!handler) throw new Error(`The model has no method ${call.method}.`)
    reply = { output: await handler(call.input as never) }
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  const used = process.cpuUsage()
  const message: ModelReply = {
    id: call.id,
    cpuSeconds: (used.user + used.system) / 1e6,
    ...reply,
  }
  process.send?.(message)
  // The parent ends this process without a warning, so what was compiled is kept now.
  if (call.id === 0) flushCompileCache()
}
