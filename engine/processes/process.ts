/**
 * Runs work in a process of its own: native code that crashes, a parser that never ends and a long
 * step that nobody waits for end this process alone, not its parent.
 *
 * - Calls run one after the other (`serve.ts`). A call above its time limit ends the process, and
 *   the end of the process, for whatever reason, fails all calls under way.
 * - The kernel ends the process with its parent, and its end ends the media tools that it started.
 * - Its threads, compiler and garbage collector all have a lower priority than the parent. It gets
 *   no setting and no secret but those it is passed.
 * - It does not keep its parent from ending; a call under way does.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

/** Methods of a process with their input, their output and what they report meanwhile. */
export type Methods = Record<string, { input: unknown; output: unknown; progress?: unknown }>

export interface ProcessOptions<M extends Methods> {
  /** Minimum niceness; never below the parent's, which is not allowed everywhere. */
  niceness: number
  env?: Record<string, string>
  maxHeapMiB?: number
  /** Stands in the command line, so that a process list shows what each one does. */
  label?: string
  signal?: AbortSignal | undefined
  /** Time limit of one call, from its start in a process that is ready. */
  callLimitMs?: number
  /** Schemas of the answers if the process reads untrusted bytes. */
  schemas?: {
    [K in keyof M]?: {
      output: z.ZodType<M[K]['output']>
      progress?: z.ZodType<M[K]['progress']>
    }
  }
}

/** For schemas of answers that hold bytes. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

export interface WorkProcess<M extends Methods> {
  pid: number | undefined
  call<K extends keyof M & string>(
    method: K,
    input: M[K]['input'],
    onProgress?: (progress: NonNullable<M[K]['progress']>) => void,
  ): Promise<M[K]['output']>
  /** Ends the process; calls under way fail, with the reason if there is one. */
  stop(reason?: unknown): void
  hasEnded(): boolean
  /** CPU seconds that the process has used, as it last reported. */
  cpuSeconds(): number
}

/** Thrown if a call failed: its work threw, it timed out, or its process ended. */
export class ProcessFailure extends Error {
  override name = 'ProcessFailure'
  readonly kind: 'fault' | 'timeout' | 'ended'
  constructor(kind: ProcessFailure['kind'], message: string, stack?: string) {
    super(message)
    this.kind = kind
    if (stack) this.stack = stack
  }
}

const Reply = z.union([
  z.literal('ready'),
  z.strictObject({ id: z.int(), progress: z.unknown() }),
  z.strictObject({ id: z.int(), cpuSeconds: z.number(), error: z.string(), stack: z.string() }),
  z.strictObject({ id: z.int(), cpuSeconds: z.number(), output: z.unknown() }),
])
export type Reply = z.infer<typeof Reply>

interface Call {
  method: string
  resolve: (output: unknown) => void
  reject: (error: unknown) => void
  onProgress: ((progress: never) => void) | undefined
  timer: NodeJS.Timeout
}

/** A process of low priority starts slowly on a busy processor. */
const maxStartMs = 120_000
const stderrLimit = 4000
const path = '/usr/local/bin:/usr/bin:/bin'
/** Compiling the libraries again would cost more than many a clip. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
const skipLocales = new URL('../skip-locales.ts', import.meta.url).href

export function startProcess<M extends Methods>(
  entry: URL,
  options: ProcessOptions<M>,
): WorkProcess<M> {
  const { signal, schemas, callLimitMs = maxStartMs } = options
  signal?.throwIfAborted()
  const child = spawnProcess(entry, options)
  const calls = new Map<number, Call>()
  let nextId = 0
  let cpuSeconds = 0
  let isReady = false
  let ended: unknown
  let stderr = ''

  function end(reason: unknown): void {
    if (ended !== undefined) return
    ended = reason
    signal?.removeEventListener('abort', onAbort)
    for (const call of calls.values()) {
      clearTimeout(call.timer)
      call.reject(reason)
    }
    calls.clear()
    const { pid, exitCode, signalCode } = child
    // The id of one that has ended may be another's by now.
    if (pid !== undefined && exitCode === null && signalCode === null) killTree(pid)
  }
  const onAbort = (): void => end(signal?.reason ?? new ProcessFailure('ended', 'Canceled.'))

  function limitTime(): NodeJS.Timeout {
    const limitMs = isReady ? callLimitMs : maxStartMs
    const message = `The process did not answer within ${limitMs / 1000} s.`
    return setTimeout(() => end(new ProcessFailure('timeout', message)), limitMs)
  }

  function receive(reply: Reply): void {
    if (reply === 'ready') {
      isReady = true
      for (const call of calls.values()) {
        clearTimeout(call.timer)
        call.timer = limitTime()
      }
      return
    }
    const call = calls.get(reply.id)
    if (!call) return
    const { output, progress } = schemas?.[call.method] ?? {}
    if ('progress' in reply) {
      call.onProgress?.((progress?.parse(reply.progress) ?? reply.progress) as never)
      return
    }
    cpuSeconds = reply.cpuSeconds
    if ('error' in reply) call.reject(new ProcessFailure('fault', reply.error, reply.stack))
    else call.resolve(output ? output.parse(reply.output) : reply.output)
    calls.delete(reply.id)
    clearTimeout(call.timer)
  }

  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => (stderr = (stderr + text).slice(-stderrLimit)))
  child.on('message', (message) => {
    try {
      receive(Reply.parse(message))
    } catch (error) {
      end(error)
    }
  })
  child.on('error', (error) => end(new ProcessFailure('ended', `The process failed: ${error}`)))
  // 'close' comes after the last of stderr, so that the cause can be reported.
  child.on('close', (code, killedBy) => {
    end(new ProcessFailure('ended', `The process ended (${killedBy ?? code}). ${stderr}`.trim()))
  })
  signal?.addEventListener('abort', onAbort, { once: true })

  return {
    pid: child.pid,
    call: (method, input, onProgress) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        const id = nextId++
        calls.set(id, { method, resolve, reject, onProgress, timer: limitTime() })
        child.send({ id, method, input }, (error) => {
          if (error) end(new ProcessFailure('ended', `The process is gone: ${error.message}`))
        })
      }),
    stop: (reason) => end(reason ?? new ProcessFailure('ended', 'The process was stopped.')),
    hasEnded: () => ended !== undefined,
    cpuSeconds: () => cpuSeconds,
  }
}

function spawnProcess<M extends Methods>(entry: URL, options: ProcessOptions<M>) {
  const { niceness, env, maxHeapMiB, label } = options
  const more = Math.max(
    0,
    Math.min(os.constants.priority.PRIORITY_LOW, niceness) - os.getPriority(),
  )
  const node = [
    ...[process.execPath, '--no-warnings', '--import', skipLocales],
    ...(maxHeapMiB === undefined ? [] : [`--max-old-space-size=${maxHeapMiB}`]),
    ...[fileURLToPath(entry), ...(label === undefined ? [] : [label])],
  ]
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', 'nice', '-n', `${more}`, ...node], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Outside the group of a terminal, whose Ctrl-C is for the service alone.
    detached: true,
    env: { PATH: path, NODE_COMPILE_CACHE: compileCache, ...env },
  })
  child.unref()
  child.channel?.unref()
  ;(child.stderr as Socket | null)?.unref()
  return child
}

/**
 * Tools ask the kernel to end with their parent, but only some milliseconds after their start; one
 * whose parent is killed before that would stay. A process that is stopped starts no more.
 */
function killTree(pid: number): void {
  kill(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) killTree(child)
  kill(pid, 'SIGKILL')
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
