/** The process that renders a link's proxy: takes one order, runs the engine, reports, ends. */
import { renderProxy } from '../../engine/render-proxy.ts'
import type { RenderOrder } from '../../engine/render-proxy.ts'
import type { RenderMessage } from './render.ts'

process.once('message', (order: RenderOrder) => void run(order))
// The worker is gone; so is the reason to go on.
process.once('disconnect', () => process.exit(1))

async function run(order: RenderOrder): Promise<void> {
  try {
    const onProgress = (part: number, bytes: number) => void send({ type: 'progress', part, bytes })
    await send({ type: 'over', made: await renderProxy(order, { onProgress }) })
  } catch (error) {
    await send({ type: 'fault', fault: String(error instanceof Error ? error.stack : error) })
  }
  process.exit(0)
}

/** Settles when the message has left this process, so that ending it loses nothing. */
function send(message: RenderMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}
