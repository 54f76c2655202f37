/** Runs inside a process of process-pool.ts: takes orders, one at a time, and replies. */
import type { OrderReply, ServerMessage } from './process-pool.ts'

export function serveOrders(work: (order: never) => unknown): void {
  process.on('message', (order: unknown) => void answer(work, order))
  send('ready')
}

async function answer(work: (order: never) => unknown, order: unknown): Promise<void> {
  let reply: OrderReply
  try {
    reply = { outcome: await work(order as never) }
  } catch (error) {
    reply = { fault: String(error instanceof Error ? error.stack : error) }
  }
  send(reply)
}

function send(message: ServerMessage): void {
  process.send?.(message)
}
