/** Formats a log line for a person: time, process, level and message, then the other fields. */
const levels: Record<number, string> = {
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}
const hidden = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err'])

interface Line {
  level: number
  time: number
  msg?: string
  err?: { message?: string; code?: string; type?: string; stack?: string[] }
  [key: string]: unknown
}

/** Returns null for a line that only a machine wants. */
export function describeLog(process: string, text: string): string | null {
  const line = parse(text)
  const label = process.padEnd(7)
  if (!line)
    return /^Debugger|^For help/.test(text) || !text ? null : `${' '.repeat(8)} ${label} ${text}`
  const time = new Date(line.time).toTimeString().slice(0, 8)
  const details = Object.entries(line)
    .filter(([key]) => !hidden.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const { err } = line
  const fault = err
    ? [`${err.message ?? err.code ?? err.type}`, ...(err.stack ?? []).slice(0, 5)]
    : []
  const first = [time, label, levels[line.level] ?? line.level, line.msg ?? '', ...details].join(
    ' ',
  )
  return [first, ...fault].join('\n    ')
}

function parse(text: string): Line | null {
  if (!text.startsWith('{')) return null
  try {
    const line = JSON.parse(text) as Line
    return typeof line.level === 'number' ? line : null
  } catch {
    return null
  }
}
