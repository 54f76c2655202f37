/**
 * Runs extractors one after the other: each ends on its own as done, skipped or failed, and its
 * findings are handed over as soon as they are there.
 */
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { findingsByExtractor } from '../../domain/findings/findings.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import { missingWeights } from '../models/weights.ts'
import type { MediaDetails } from '../probe.ts'
import { moveFindings, movesBetween } from '../time/rebase.ts'
import type { ToolOutcome } from '../tools/run.ts'
import { skipReason } from './applies.ts'
import type { Extractor, Signals } from './extractor.ts'

export interface RunInput {
  extractors: readonly ExtractorId[]
  /** Parameters by extractor; its schema rejects unknown ones. */
  params?: Partial<Record<ExtractorId, unknown>>
  /** Upper limit on the seconds that are processed. */
  maxSeconds?: number
  /** True to throw if the machine's disk is full or locked, so that another machine may try. */
  throwsDiskFaults?: boolean
  /** Findings of an earlier attempt: they are not computed again. */
  done?: Partial<Findings>
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Called with the reason why an extractor omitted a part of its findings. */
  onFault?: (id: ExtractorId, fault: string) => void
  /** Awaited before the next extractor starts. */
  onFindings?: (id: ExtractorId, findings: unknown, outcome: Outcome) => void | Promise<void>
}

export interface Progress {
  overall: number
  extractors: Partial<Record<ExtractorId, number>>
}

export type Outcome =
  | { status: 'done' }
  | { status: 'skipped'; code: 'no_audio' | 'no_video' | 'unsupported_source'; message: string }
  | { status: 'failed'; code: FailureCode; message: string }

export type FailureCode =
  | 'probe_failed'
  | 'too_large'
  | 'unsupported_source'
  | 'extractor_failed'
  | 'timeout'
  | 'canceled'

export const passMessages = {
  timeout: 'The media took too long to decode.',
  canceled: 'The analysis was canceled.',
  probe_failed: 'Nothing of this media can be decoded.',
}

/** Thrown if a pass was stopped before its end. */
export class PassStopped extends Error {
  readonly code: 'timeout' | 'canceled'
  constructor(end: ToolOutcome['end']) {
    const code = end === 'timeout' ? end : 'canceled'
    super(passMessages[code])
    this.code = code
  }
}

export type Runs = ReturnType<typeof createRuns>

export function createRuns(input: RunInput) {
  const findings: Partial<Findings> = { ...input.done }
  const outcomes: Partial<Record<ExtractorId, Outcome>> = {}
  const parts: Progress['extractors'] = {}
  const ids = extractorIds.filter((id) => input.extractors.includes(id))
  for (const id of ids) parts[id] = 0

  function report(id: ExtractorId, part: number): void {
    parts[id] = Math.max(parts[id] ?? 0, Math.min(1, part))
    const sum = ids.reduce((total, other) => total + (parts[other] ?? 0), 0)
    input.onProgress?.({ overall: sum / Math.max(1, ids.length), extractors: { ...parts } })
  }

  async function end(id: ExtractorId, outcome: Outcome): Promise<void> {
    outcomes[id] = outcome
    report(id, 1)
    await input.onFindings?.(id, findings[id], outcome)
  }

  return {
    findings,
    outcomes,
    end,
    async endAll(extractors: readonly Extractor[], outcome: Outcome): Promise<void> {
      for (const { id } of extractors) await end(id, outcome)
    },
    /**
     * Returns the extractors to run: without findings yet, with their models and all signals they
     * need.
     */
    async begin(
      extractors: readonly Extractor[],
      media: Media,
      details: MediaDetails | null,
    ): Promise<Extractor[]> {
      const opened = { video: Boolean(details?.video), sound: Boolean(details?.audio) }
      const todo: Extractor[] = []
      for (const extractor of extractors) {
        const { id } = extractor
        const reason = skipReason(extractor, media, opened)
        if (findings[id] !== undefined) {
          outcomes[id] = { status: 'done' }
          report(id, 1)
        } else if (reason) await end(id, { status: 'skipped', ...reason })
        else if (isOff(id, input)) await end(id, off)
        else todo.push(extractor)
      }
      return todo
    },
    passed(extractors: readonly Extractor[], part: number): void {
      for (const { id, passShare = 0.9 } of extractors) report(id, part * passShare)
    },
    async run(extractor: Extractor, signals: Signals, details?: MediaDetails): Promise<void> {
      const { id, passShare: share = 0.9 } = extractor
      if (input.signal?.aborted) return await end(id, failure(null, input))
      try {
        const params = extractor.params.parse(input.params?.[id] ?? {})
        const fault = extractor.needs.map((need) => signals.faults[need]).find(Boolean)
        if (fault) throw fault
        const result = await extractor.run(signals, params, {
          signal: input.signal,
          maxSeconds: input.maxSeconds,
          onProgress: (part) => report(id, share + (1 - share) * part),
          onFault: (fault) => input.onFault?.(id, fault),
        })
        const { clock: from, startFrame: by, places } = signals
        const place = places ? movesBetween(places).there : undefined
        const moved = details
          ? moveFindings(result, { from, to: details.clock, by, place })
          : result
        Object.assign(signals.findings, { [id]: result })
        Object.assign(findings, { [id]: findingsByExtractor[id].parse(moved) })
        await end(id, { status: 'done' })
      } catch (error) {
        await end(id, failure(error, input))
      }
    },
  }
}

/**
 * True if the extractor is switched off. Models that come inside a package may be missing (decision
 * 0107).
 */
function isOff(id: ExtractorId, { params }: RunInput): boolean {
  const own = (params?.[id] as { modelFolder?: unknown } | undefined)?.modelFolder
  const missing = missingWeights({ hasOwnWhisper: own !== undefined })
  return missing.some(({ extractors }) => extractors.includes(id))
}

const off: Outcome = {
  status: 'failed',
  code: 'extractor_failed',
  message: 'This is switched off on this server: its models are not installed.',
}

export function failure(error: unknown, input: RunInput): Outcome {
  if (input.signal?.aborted) {
    return { status: 'failed', code: 'canceled', message: passMessages.canceled }
  }
  if (error instanceof PassStopped) {
    return { status: 'failed', code: error.code, message: error.message }
  }
  const code = (error as NodeJS.ErrnoException | null)?.code ?? ''
  if (input.throwsDiskFaults && Object.hasOwn(diskMessages, code)) throw error
  const message = error instanceof Error ? error.message : 'The extractor failed.'
  const shown = diskMessages[code] ?? message.slice(0, 500)
  return { status: 'failed', code: 'extractor_failed', message: shown }
}

const diskMessages: Partial<Record<string, string>> = {
  ENOSPC: 'There is no space left on the disk. Make room and run it again.',
  EDQUOT: 'There is no space left on the disk. Make room and run it again.',
  EACCES: 'The folder for the results cannot be written to.',
  EROFS: 'The folder for the results cannot be written to.',
}
