/** What runs inside a thread of thread-pool.ts: takes orders, one at a time, and replies. */
import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ThreadReply } from './thread-pool.ts'

const politeness = 10

export function serveThread(work: (order: never) => unknown): void {
  // On Linux this is the calling thread alone, and the tools that it starts: the event loop and the
  // people who wait for it go first.
  os.setPriority(Math.max(os.getPriority(), politeness))
  parentPort?.on('message', (order: unknown) => void answer(work, order))
}

async function answer(work: (order: never) => unknown, order: unknown): Promise<void> {
  let reply: ThreadReply
  try {
    reply = { outcome: await work(order as never) }
  } catch (error) {
    reply = { fault: String(error instanceof Error ? error.stack : error) }
  }
  parentPort?.postMessage(reply, [])
}
