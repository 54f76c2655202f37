/**
 * Runs the engine in a process of its own, so that a crash of native code ends one attempt and not
 * the worker. The process cannot outlive the worker: the kernel kills it with its parent, and its
 * media tools die with it in turn.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import type { SpeechSettings } from '../../domain/languages.ts'
import { modelEnvironment } from '../../engine/models/settings.ts'
import type { Cause } from '../jobs/cause.ts'

/** What the analysis process is told, once. */
export interface AnalysisOrder {
  file: string
  workDir: string
  extractors: ExtractorId[]
  in: number | undefined
  out: number | undefined
  maxSeconds: number
  /** By extractor. */
  params: {
    transcription: { modelFolder?: string; vocabulary?: readonly string[] } & SpeechSettings
  }
  done: Partial<Findings>
  /** A long film is only prepared; its parts are measured by others. */
  mayTakeApart?: boolean
  /** What its parts came to lies in the folder. */
  isJoin?: boolean
  /** What its pictures came to is written into the folder, for the next join. */
  keepsWatched?: boolean
  segmentSeconds: number | undefined
}

/** A film whose parts are to be measured; its plan lies in the folder. */
export interface PlannedFilm {
  soundSeconds: number
  hasProxySound: boolean
  segmentSeconds: number[]
}

/** What it says: how far it is, how long the media is, what each extractor came to, and that it is over. */
export type AnalysisMessage =
  | { type: 'progress'; fractions: Partial<Record<ExtractorId, number>> }
  | { type: 'measured'; media: Media; seconds: number }
  | { type: 'extractor'; extractor: ExtractorId; outcome: ExtractorOutcome }
  | { type: 'over'; media: Media | null; seconds: number; film?: PlannedFilm }
  | { type: 'fault'; fault: string }

export type ExtractorOutcome =
  | { status: 'done'; findings: unknown }
  | { status: 'skipped'; cause: Cause }
  | { status: 'failed'; cause: Cause }

/** Seconds of media that were worked through, and the media as it was measured by that. */
export type AnalysisEnd = EngineEnd<{
  media: Media | null
  seconds: number
  film?: PlannedFilm
}>

export type EngineEnd<Over> =
  | ({ end: 'over' } & Over)
  | { end: 'timeout' }
  | { end: 'stopped' }
  | { end: 'crashed'; fault: string }

interface EngineOrder {
  workDir: string
}

/** What a process of the engine says; `over` and `fault` are its last words. */
type EngineMessage = { type: string; fault?: string }

const analysisEntry = fileURLToPath(new URL('./analysis-process.ts', import.meta.url))
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
const maxHeapMiB = 2048
const politeness = 10
const stderrLimit = 4000

export interface EngineOptions<Message> {
  jobId: string
  signal: AbortSignal
  wallMs: number
  onStarted?: (pid: number) => void
  onMessage: (message: Message) => void
}

export function runAnalysis(
  order: AnalysisOrder,
  options: EngineOptions<AnalysisMessage>,
): Promise<AnalysisEnd> {
  return runEngine(analysisEntry, order, options)
}

/** Runs the module `entry`, which takes one order and ends. */
export async function runEngine<Over, Message extends EngineMessage>(
  entry: string,
  order: EngineOrder,
  options: EngineOptions<Message>,
): Promise<EngineEnd<Over>> {
  if (options.signal.aborted) return { end: 'stopped' }
  const child = spawnProcess(entry, options.jobId, order.workDir)
  let end: EngineEnd<Over> | undefined
  const settle = (how: EngineEnd<Over>): void => {
    end ??= how
  }
  const stop = (): void => {
    settle({ end: 'stopped' })
    killGroup(child)
  }
  const timer = setTimeout(() => {
    settle({ end: 'timeout' })
    killGroup(child)
  }, options.wallMs)
  options.signal.addEventListener('abort', stop, { once: true })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-stderrLimit)
  })
  child.on('message', (message: Message) => {
    if (end) return
    if (message.type === 'over') {
      const { type: _, ...over } = message
      settle({ end: 'over', ...(over as Over) })
    } else if (message.type === 'fault') settle({ end: 'crashed', fault: message.fault ?? '' })
    else options.onMessage(message)
  })
  try {
    const exit = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(String(error)))
      child.once('close', (code, signal) => resolve(`ended with ${signal ?? code}: ${stderr}`))
    })
    child.send(order, () => undefined)
    if (child.pid) {
      // To be less patient than the worker is not allowed everywhere, and it may have been told to be patient.
      os.setPriority(child.pid, Math.max(politeness, os.getPriority()))
      options.onStarted?.(child.pid)
    }
    const lastWords = await exit
    return end ?? { end: 'crashed', fault: lastWords }
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stop)
    killGroup(child)
  }
}

/** The job's id stands in the command line, so that a process list tells what each one does. */
function spawnProcess(entry: string, jobId: string, workDir: string): ChildProcess {
  const node = [
    process.execPath,
    `--max-old-space-size=${maxHeapMiB}`,
    '--no-warnings',
    entry,
    jobId,
  ]
  return spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...node], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own, so that whatever it started ends with it.
    detached: true,
    // No secret of the worker, and no setting but those of models; what it writes aside goes with
    // the attempt.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: workDir,
      TMPDIR: workDir,
      NODE_COMPILE_CACHE: compileCache,
      ...modelEnvironment(),
    },
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    // The group has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
