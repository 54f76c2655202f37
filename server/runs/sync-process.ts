/** The sync process: takes one order from the worker, compares the sounds and reports. */
import { syncSound } from '../../engine/sync-sound.ts'
import { serve, throttle } from '../../engine/processes/serve.ts'
import type { Report } from '../../engine/processes/serve.ts'
import type { SyncFindings, SyncOrder, SyncProgress } from './run-sync.ts'

/** As many points as the widest screen shows of a waveform. */
const maxPoints = 6000

serve({ run })

async function run(order: SyncOrder, report: Report): Promise<SyncFindings> {
  const onFraction = throttle(report, 250)
  const items = await syncSound({
    ...order,
    onProgress: (fraction) => onFraction({ fraction } satisfies SyncProgress),
    onSound: (index, levels) => {
      void report({ index, waveform: shorten(levels) } satisfies SyncProgress)
    },
  })
  return { items: items.map(({ levels, ...item }) => ({ ...item, waveform: shorten(levels) })) }
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
