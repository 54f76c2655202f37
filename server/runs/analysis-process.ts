/** The analysis process: takes one order from the worker, runs the engine and reports. */
import { analyse } from '../../engine/analyse.ts'
import type { Outcome } from '../../engine/extractors/run-extractors.ts'
import { readPieces, writeFilm, writeWatched } from '../../engine/parts/artifacts.ts'
import { hasProxySound } from '../../engine/parts/hear-film.ts'
import { lengthOf, soundSeconds } from '../../engine/parts/plan-film.ts'
import { serve, throttle } from '../../engine/processes/serve.ts'
import type { Report } from '../../engine/processes/serve.ts'
import type {
  AnalysisOrder,
  AnalysisOver,
  AnalysisProgress,
  ExtractorOutcome,
  PlannedFilm,
} from './analysis.ts'

serve({ run })

async function run(order: AnalysisOrder, report: Report): Promise<AnalysisOver> {
  const send = (progress: AnalysisProgress): Promise<void> => report(progress)
  const sendFractions = throttle(report, 250)
  let film: PlannedFilm | undefined
  const { options, modelFolder, ...rest } = order
  const { in: start, out: end, ...speech } = options
  const { media, seconds } = await analyse({
    ...rest,
    ...{ in: start, out: end, params: { transcription: { ...speech, modelFolder } } },
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
    onProgress: ({ extractors: fractions }) =>
      sendFractions({ type: 'progress', fractions } satisfies AnalysisProgress),
    onFault: (extractor, fault) => void send({ type: 'left-out', extractor, fault }),
    onMeasured: (measured) => send({ type: 'measured', ...measured }),
    onFindings: (extractor, findings, outcome) =>
      send({ type: 'extractor', extractor, outcome: outcomeOf(outcome, findings) }),
  })
  return { media, seconds, film }
}

function outcomeOf(outcome: Outcome, findings: unknown): ExtractorOutcome {
  if (outcome.status === 'done') return { status: 'done', findings }
  const { status, code, message } = outcome
  return { status, cause: { code, message } }
}
