/** The log of a process: ids and kinds of things, never a person's words, address or token. */
import { pino } from 'pino'
import type { Logger } from 'pino'

export function openLog(role: string, level: string): Logger {
  const options = {
    name: role,
    level,
    redact: ['req.headers', 'headers', 'token', 'key', 'email', 'authorization'],
    serializers: { err: describeError },
  }
  // Lines held back until the end are tried forever once the reader has gone, so that the process
  // never ends; a line written at once fails once, and the log then falls silent.
  // The operator's tool answers on stdout, so its log goes beside.
  const { fd } = role === 'operator' ? process.stderr : process.stdout
  return pino(options, pino.destination({ fd, sync: true }))
}

/**
 * The database tells the failing row in `detail` and the failing value in its message, so of its
 * errors only what names our own parts is kept. Other errors keep their message and their stack.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, severity, table, constraint, column, routine } = error as DatabaseError
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  if (severity !== undefined) {
    return { type: error.name, code, table, constraint, column, routine, stack: frames, ...cause }
  }
  return { type: error.name, code, message: error.message, stack: frames, ...cause }
}

interface DatabaseError extends Error {
  code?: string
  severity?: string
  table?: string
  constraint?: string
  column?: string
  routine?: string
}
