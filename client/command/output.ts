/** The command's output: bars on a terminal, plain lines in a pipe, JSON lines where asked for. */
import { CutIndexError, JobFailed, TooExpensive } from '../cutindex.ts'
import type { RunProgress } from '../cutindex.ts'
import { plainAdvice } from '../error.ts'
import { UsageError } from './usage.ts'

export interface Output {
  /** A result: the sentence for people, or the object as a line of JSON. */
  result: (text: string, value: object) => void
  /** A note for people. */
  note: (text: string) => void
  progress: (name: string, progress: RunProgress) => void
  problem: (name: string, error: unknown) => void
}

const barWidth = 24

export function createOutput(options: { isJson: boolean }): Output {
  const { stdout, stderr } = process
  // A reader that has closed the pipe (`cutindex search … | head -n 1`) wants no more lines; the
  // work goes on, and its exit code still says how it ended.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(1)
    })
  }
  let shown = ''
  const phases = new Map<string, string>()
  const clear = (): void => {
    if (shown) stderr.write('\r\u001B[K')
    shown = ''
  }
  return {
    result(text, value) {
      clear()
      stdout.write(options.isJson ? `${JSON.stringify(value)}\n` : `${printable(text)}\n`)
    },
    note(text) {
      clear()
      stderr.write(`${printable(text)}\n`)
    },
    progress(name, { phase, share }) {
      if (stderr.isTTY) {
        const full = Math.round(share * barWidth)
        const bar = '█'.repeat(full) + '░'.repeat(barWidth - full)
        const percent = String(Math.floor(share * 100)).padStart(3)
        shown = `${bar} ${percent}% ${phase} ${printable(name)}`
        stderr.write(`\r\u001B[K${shown.slice(0, (stderr.columns || 80) - 1)}`)
        return
      }
      if (phases.get(name) === phase) return
      phases.set(name, phase)
      stderr.write(`${printable(name)}: ${phase}\n`)
    },
    problem(name, error) {
      clear()
      const { message, advice } = sentenceOf(error)
      stderr.write(`${printable(`${name}: ${message}${advice ? ` ${advice}` : ''}`)}\n`)
      if (options.isJson) stdout.write(`${JSON.stringify({ name, error: factsOf(error) })}\n`)
    },
  }
}

/** Names and findings are others' words: what steers a terminal is taken out of them. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  return text.replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, ' ')
}

const diskProblems: Partial<Record<string, string>> = {
  ENOENT: 'There is no such file or folder',
  EACCES: 'You may not read or write there',
  EPERM: 'You may not read or write there',
  EROFS: 'The disk is read-only',
  ENOSPC: 'The disk is full',
  ENOTDIR: 'A part of the path is no folder',
  EISDIR: 'This is a folder',
  EEXIST: 'A file has this name already',
}

/** A problem of this computer's disk, as a sentence. */
function diskProblem(error: unknown): string | undefined {
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  const problem = diskProblems[code ?? '']
  return problem && `${problem}: ${dest ?? path ?? ''}.`
}

function sentenceOf(error: unknown): { message: string; advice?: string } {
  if (error instanceof CutIndexError) {
    const advice = error.advice === plainAdvice ? undefined : error.advice
    return { message: error.message, advice }
  }
  const problem = error instanceof Error ? diskProblem(error) : undefined
  if (problem) return { message: problem }
  return { message: error instanceof Error ? error.message : String(error) }
}

function factsOf(error: unknown): object {
  const { message, advice } = sentenceOf(error)
  if (error instanceof CutIndexError) {
    return { code: error.code, status: error.status, message, advice, request_id: error.requestId }
  }
  if (error instanceof JobFailed) {
    return { code: error.job.error?.code ?? error.job.status, message, job_id: error.job.id }
  }
  if (error instanceof UsageError) return { code: 'usage', message }
  return { code: error instanceof TooExpensive ? 'too_expensive' : 'failed', message }
}

/** The exit code that documents why; see usage.ts. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return error.exitCode
  if (error instanceof TooExpensive) return 4
  if (error instanceof JobFailed) return 5
  if (error instanceof Error && error.name === 'AbortError') return 130
  if (error instanceof Error && diskProblem(error)) return 5
  if (!(error instanceof CutIndexError)) return 1
  const { status, code } = error
  if (status === 402 || code === 'limit_reached') return 4
  if (status === 401 || status === 403) return 3
  if (status === 0 || status === 429 || status >= 500) return 7
  return 5
}
