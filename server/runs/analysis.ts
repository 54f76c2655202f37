/** Runs the engine in a process of its own: a crash of native code ends one attempt. */
import * as z from 'zod'
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { Media } from '../../domain/findings/findings.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import type { PlacedOptions } from '../../domain/job-options.ts'
import { modelEnvironment } from '../../engine/models/settings.ts'
import { ProcessFailure, startProcess } from '../../engine/processes/process.ts'
import { refusalCodes } from '../../contract/refusal.ts'

/** All that an analysis process needs. */
export interface AnalysisOrder {
  file: string
  workDir: string
  extractors: ExtractorId[]
  options: PlacedOptions
  modelFolder: string | undefined
  maxSeconds: number
  done: Partial<Findings>
  /** A long film is only prepared; its parts are measured by others. */
  mayTakeApart?: boolean
  /** Files of its parts lie in the folder. */
  isJoin?: boolean
  /** Writes the analysis of its frames into the folder, for the join. */
  keepsWatched?: boolean
  segmentSeconds: number | undefined
}

/** A film whose parts are to be measured; its plan lies in the folder. */
const PlannedFilm = z.object({
  soundSeconds: z.number(),
  hasProxySound: z.boolean(),
  segmentSeconds: z.array(z.number()),
})
export type PlannedFilm = z.infer<typeof PlannedFilm>

const cause = z.object({ code: z.enum(refusalCodes), message: z.string() })
const ExtractorOutcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('done'), findings: z.unknown() }),
  z.object({ status: z.literal('skipped'), cause }),
  z.object({ status: z.literal('failed'), cause }),
])
export type ExtractorOutcome = z.infer<typeof ExtractorOutcome>

const extractor = z.enum(extractorIds)
/** Progress, duration of the media, and the outcome of each extractor. */
const AnalysisProgress = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), fractions: z.partialRecord(extractor, z.number()) }),
  z.object({ type: z.literal('measured'), media: Media, seconds: z.number() }),
  z.object({ type: z.literal('extractor'), extractor, outcome: ExtractorOutcome }),
  z.object({ type: z.literal('left-out'), extractor, fault: z.string() }),
])
export type AnalysisProgress = z.infer<typeof AnalysisProgress>

/** Seconds of media that were worked through, and the media as it was measured by that. */
const AnalysisOver = z.object({
  media: Media.nullable(),
  seconds: z.number(),
  film: PlannedFilm.optional(),
})
export type AnalysisOver = z.infer<typeof AnalysisOver>
export type AnalysisEnd = EngineEnd<AnalysisOver>

export type EngineEnd<Over> =
  | ({ end: 'over' } & Over)
  | { end: 'timeout' }
  | { end: 'stopped' }
  | { end: 'crashed'; fault: string }

const analysisEntry = new URL('./analysis-process.ts', import.meta.url)
const maxHeapMiB = 2048
const politeness = 10

export interface EngineOptions<Progress> {
  jobId: string
  signal: AbortSignal
  wallMs: number
  niceness?: number
  onStarted?: (pid: number) => void
  onProgress?: (progress: Progress) => void
}

export function runAnalysis(
  order: AnalysisOrder,
  options: EngineOptions<AnalysisProgress>,
): Promise<AnalysisEnd> {
  const schemas = { output: AnalysisOver, progress: AnalysisProgress }
  return runEngine(analysisEntry, order, schemas, options)
}

/** Runs the module `entry`, which takes one order. */
export async function runEngine<Over extends object, Progress = never>(
  entry: URL,
  order: { workDir: string },
  schemas: { output: z.ZodType<Over>; progress?: z.ZodType<Progress> },
  options: EngineOptions<Progress>,
): Promise<EngineEnd<Over>> {
  const { signal, wallMs, jobId } = options
  if (signal.aborted) return { end: 'stopped' }
  const { workDir } = order
  const engine = startProcess<{ run: { input: object; output: Over; progress: Progress } }>(entry, {
    niceness: options.niceness ?? politeness,
    maxHeapMiB,
    label: jobId,
    signal,
    callLimitMs: wallMs,
    schemas: { run: schemas },
    // Temporary files go with the attempt.
    env: { HOME: workDir, TMPDIR: workDir, ...modelEnvironment() },
  })
  try {
    if (engine.pid) options.onStarted?.(engine.pid)
    const over = await engine.call('run', order, options.onProgress)
    return { end: 'over', ...over }
  } catch (error) {
    if (signal.aborted) return { end: 'stopped' }
    if (error instanceof ProcessFailure && error.kind === 'timeout') return { end: 'timeout' }
    return { end: 'crashed', fault: String(error instanceof Error ? error.stack : error) }
  } finally {
    engine.stop()
  }
}
