/** The analysis process: takes one order from the worker, runs the engine, reports, ends. */
import { analyse } from '../../engine/analyse.ts'
import type { Outcome } from '../../engine/analyse.ts'
import { readPieces, writeFilm, writeWatched } from '../../engine/parts/hand-over.ts'
import { hasProxySound } from '../../engine/parts/hear-film.ts'
import { lengthOf, soundSeconds } from '../../engine/parts/plan-film.ts'
import type { AnalysisMessage, AnalysisOrder, ExtractorOutcome, PlannedFilm } from './analysis.ts'

const progressEveryMs = 250

process.once('message', (order: AnalysisOrder) => void run(order))
// The worker is gone; so is the reason to go on.
process.once('disconnect', () => process.exit(1))

async function run(order: AnalysisOrder): Promise<void> {
  let toldAtMs = 0
  let film: PlannedFilm | undefined
  try {
    const { media, seconds } = await analyse({
      ...order,
      throwsDiskFaults: true,
      ...(order.isJoin ? { pieces: await readPieces(order.workDir) } : {}),
      async onWatched(watched) {
        if (order.keepsWatched) await writeWatched(order.workDir, watched)
      },
      async onFilm(planned) {
        if (!order.mayTakeApart) return false
        await writeFilm(order.workDir, planned)
        film = {
          soundSeconds: soundSeconds(planned),
          hasProxySound: hasProxySound(planned),
          segmentSeconds: planned.segments.map((segment) => lengthOf(planned, segment)),
        }
        return true
      },
      onProgress: ({ extractors }) => {
        const nowMs = Date.now()
        if (nowMs - toldAtMs < progressEveryMs) return
        toldAtMs = nowMs
        void send({ type: 'progress', fractions: extractors })
      },
      onMeasured: (measured) => send({ type: 'measured', ...measured }),
      onFindings: (extractor, findings, outcome) =>
        send({ type: 'extractor', extractor, outcome: outcomeOf(outcome, findings) }),
    })
    await send({ type: 'over', media, seconds, film })
  } catch (error) {
    await send({ type: 'fault', fault: String(error instanceof Error ? error.stack : error) })
  }
  process.exit(0)
}

function outcomeOf(outcome: Outcome, findings: unknown): ExtractorOutcome {
  if (outcome.status === 'done') return { status: 'done', findings }
  const { status, code, message } = outcome
  return { status, cause: { code, message } }
}

/** Settles when the message has left this process, so that ending it loses nothing. */
function send(message: AnalysisMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })
}
