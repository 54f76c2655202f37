/** Starts a process and stops it on SIGTERM or SIGINT: new work is refused, running work ends. */
import { flushCompileCache } from 'node:module'
import { ConfigError } from '../ground/config.ts'

const stopLimitMs = 9000

export async function runProcess(start: () => Promise<() => Promise<void>>): Promise<void> {
  let isStopping = false
  let stop: (() => Promise<void>) | null = null
  const onSignal = (): void => {
    if (isStopping) return
    isStopping = true
    // Whatever hangs must not keep the process from ending.
    setTimeout(() => process.exit(1), stopLimitMs).unref()
    void (stop?.() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    stop = await start()
    process.send?.({ ready: true })
    // Else a process that is killed, as `npm run dev` does, keeps nothing of what it compiled.
    flushCompileCache()
  } catch (error) {
    const sentence = sentenceOf(error)
    process.stderr.write(`${sentence ?? (error as Error).stack}\n`)
    process.exit(1)
  }
}

/** Null for a fault of our own. */
function sentenceOf(error: unknown): string | null {
  if (error instanceof ConfigError) return error.message
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Set PORT (or METRICS_PORT) to a free one.`
  }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  return `The setting HOST is wrong: this machine cannot listen there (${code}).`
}
