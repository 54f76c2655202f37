/** The sync process: takes one order from the worker, compares the sounds, reports, ends. */
import { syncSound } from '../../engine/sync-sound.ts'
import type { SyncFindings, SyncMessage, SyncOrder } from './run-sync.ts'

const progressEveryMs = 250
/** As many points as the widest screen shows of a waveform. */
const maxPoints = 6000

process.once('message', (order: SyncOrder) => void run(order))
// The worker is gone; so is the reason to go on.
process.once('disconnect', () => process.exit(1))

async function run(order: SyncOrder): Promise<void> {
  let toldAtMs = 0
  try {
    const items = await syncSound({
      ...order,
      onProgress: (fraction) => {
        const nowMs = Date.now()
        if (nowMs - toldAtMs < progressEveryMs) return
        toldAtMs = nowMs
        void send({ type: 'progress', fraction })
      },
      onSound: (index, levels) => {
        void send({ type: 'sound', index, waveform: shorten(levels) })
      },
    })
    const findings: SyncFindings = {
      items: items.map(({ levels, ...item }) => ({ ...item, waveform: shorten(levels) })),
    }
    await send({ type: 'over', findings })
  } catch (error) {
    await send({ type: 'fault', fault: String(error instanceof Error ? error.stack : error) })
  }
  process.exit(0)
}

function shorten(levels: Uint8Array): string {
  const each = Math.max(1, levels.length / maxPoints)
  const points = Uint8Array.from({ length: Math.ceil(levels.length / each) }, (_, index) => {
    const from = Math.floor(index * each)
    const part = levels.subarray(from, Math.max(from + 1, Math.floor((index + 1) * each)))
    return part.reduce((highest, level) => Math.max(highest, level), 0)
  })
  return Buffer.from(points).toString('base64')
}

/** Settles when the message has left this process, so that ending it loses nothing. */
function send(message: SyncMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}
