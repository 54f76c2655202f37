/**
 * The sixth door: makes the review proxy of a whole file as segments that play while the rest is
 * made. Its frames and sound are those of the proxy of an analysis.
 */
import { formatRational } from '../domain/time/rational.ts'
import { runPass } from './pass/run.ts'
import type { Segment } from './pass/plan.ts'
import { probe } from './probe.ts'

export interface QuickProxyOrder {
  file: string
  workDir: string
}

export interface QuickProxy {
  frames: number
  /** Frames per second, as a fraction. */
  rate: string
}

/** The header's word is enough: the times of all frames take long to read in a large file. */
const scanMs = 2000

export async function makeQuickProxy(
  { file, workDir }: QuickProxyOrder,
  options: {
    signal?: AbortSignal
    onSegment: (segment: Segment) => void | Promise<void>
  },
): Promise<QuickProxy> {
  const { signal, onSegment } = options
  const outcome = await probe(file, { signal, scanMs })
  if (outcome.status !== 'media') throw new Error('The clip cannot be read.')
  const { details } = outcome
  let segments = 0
  const pass = await runPass({
    ...{ file, details, workDir, proxy: true, signal },
    async onSegment(segment) {
      segments += 1
      await onSegment(segment)
    },
  })
  signal?.throwIfAborted()
  const { end, stderr } = pass.outcome
  if (end === 'timeout' || end === 'canceled') throw new Error('The proxy took too long.')
  // Damage ends a pass early, and what was read until then plays.
  if (segments === 0) throw new Error(`No segment could be made (${end}). ${stderr}`)
  return { frames: pass.images, rate: formatRational(details.clock.rate) }
}
