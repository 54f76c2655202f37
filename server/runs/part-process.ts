/** The process of a part: takes one order from the worker, runs the engine, reports, ends. */
import { runPart } from '../../engine/parts/run-part.ts'
import type { PartOrder } from '../../engine/parts/run-part.ts'
import type { PartMessage } from './run-part.ts'

const progressEveryMs = 500

process.once('message', (order: PartOrder) => void run(order))
// The worker is gone; so is the reason to go on.
process.once('disconnect', () => process.exit(1))

async function run(order: PartOrder): Promise<void> {
  let toldAtMs = 0
  try {
    const part = await runPart(order, {
      onProgress: (fraction) => {
        const nowMs = Date.now()
        if (nowMs - toldAtMs < progressEveryMs) return
        toldAtMs = nowMs
        void send({ type: 'progress', part: fraction })
      },
    })
    await send({ type: 'over', part })
  } catch (error) {
    await send({ type: 'fault', fault: String(error instanceof Error ? error.stack : error) })
  }
  process.exit(0)
}

/** Settles when the message has left this process, so that ending it loses nothing. */
function send(message: PartMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}
