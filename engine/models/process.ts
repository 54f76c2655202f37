/**
 * A model lives in a child process of its own: native inference code that crashes, or that is in
 * the middle of a long step when the user cancels, must not take the worker with it. The child
 * computes with one thread; more cores are used by more children (`pool.ts`).
 *
 * Messages are `{id, method, input}` one way and `{id, output}` or `{id, error}` the other. When
 * the child ends for any reason, every call that is under way fails with `ModelFailure`.
 */
import { fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { modelEnvironment } from './settings.ts'

/** What a model offers: names and their input and output. */
export type ModelMethods = Record<string, { input: unknown; output: unknown }>

export interface ModelProcess<M extends ModelMethods> {
  call<K extends keyof M & string>(method: K, input: M[K]['input']): Promise<M[K]['output']>
  /** Ends the child; calls under way fail, with the reason where one is given. */
  stop(reason?: unknown): void
  hasEnded(): boolean
  /** CPU seconds that the child has used, as it last reported. */
  cpuSeconds(): number
}

export class ModelFailure extends Error {
  override name = 'ModelFailure'
}

export type ModelReply = { id: number; cpuSeconds: number } & (
  | { output: unknown }
  | { error: string }
)

const startLimitMs = 120_000
const stderrLimit = 4_000
/** Compiling the libraries again would cost more than many a clip. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
const skipLocales = new URL('../skip-locales.ts', import.meta.url).href

export function startModelProcess<M extends ModelMethods>(
  entry: URL,
  options: { signal?: AbortSignal; callLimitMs?: number } = {},
): ModelProcess<M> {
  options.signal?.throwIfAborted()
  const child = fork(entry, [], {
    serialization: 'advanced',
    // Settings of the service (keys, addresses) are none of a model's business. Huge pages let a
    // model give its scratch memory back after each step at no cost in speed: Whisper-small runs in
    // 1.1 GB instead of 2.7 GB.
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      OMP_NUM_THREADS: '1',
      GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
      ...modelEnvironment(),
    },
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', skipLocales],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const calls = new Map<
    number,
    { resolve: (output: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }
  >()
  let nextId = 0
  let cpuSeconds = 0
  let ended: Error | undefined
  let stderr = ''

  function end(reason: Error) {
    if (ended) return
    ended = reason
    options.signal?.removeEventListener('abort', onAbort)
    for (const call of calls.values()) {
      clearTimeout(call.timer)
      call.reject(reason)
    }
    calls.clear()
    child.kill('SIGKILL')
  }
  function onAbort() {
    end(asError(options.signal?.reason, 'Canceled.'))
  }

  // A call under way has a timer of its own: a child without one does not hold its parent up.
  child.unref()
  child.channel?.unref()
  ;(child.stderr as Socket | null)?.unref()
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => (stderr = (stderr + text).slice(-stderrLimit)))
  child.on('message', (reply: ModelReply) => {
    cpuSeconds = reply.cpuSeconds
    const call = calls.get(reply.id)
    if (!call) return
    calls.delete(reply.id)
    clearTimeout(call.timer)
    if ('error' in reply) call.reject(new ModelFailure(reply.error))
    else call.resolve(reply.output)
  })
  child.on('error', (error) => end(new ModelFailure(`The model process failed: ${error.message}`)))
  // 'close' comes after the last of stderr, so that the cause can be reported.
  child.on('close', (code, signal) =>
    end(new ModelFailure(`The model process ended (${signal ?? code}). ${stderr}`.trim())),
  )
  options.signal?.addEventListener('abort', onAbort, { once: true })

  return {
    async call(method, input) {
      if (ended) throw ended
      const id = nextId++
      const limitMs = options.callLimitMs ?? startLimitMs
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => end(new ModelFailure(`The model did not answer within ${limitMs / 1000} s.`)),
          limitMs,
        )
        calls.set(id, { resolve, reject, timer })
        child.send({ id, method, input }, (error) => {
          if (error) end(new ModelFailure(`The model process is gone: ${error.message}`))
        })
      })
    },
    stop: (reason) => end(asError(reason, 'The model was stopped.')),
    hasEnded: () => ended !== undefined,
    cpuSeconds: () => cpuSeconds,
  }
}

function asError(reason: unknown, otherwise: string): Error {
  return reason instanceof Error ? reason : new ModelFailure(otherwise)
}
