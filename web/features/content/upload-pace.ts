/** How much of an upload has left, how fast, and how long the rest takes. */
import { fileSize } from '../../app/file-size.ts'

export interface Pace {
  sentBytes: number
  totalBytes: number
  /** Nothing before it is known. */
  bytesPerSecond: number | null
}

/** "1.4 GB of 2.2 GB · 1 min left" */
export function paceText({ sentBytes, totalBytes, bytesPerSecond }: Pace): string {
  const size = `${fileSize(Math.round(sentBytes))} of ${fileSize(totalBytes)}`
  if (!bytesPerSecond || sentBytes >= totalBytes) return size
  const seconds = Math.ceil((totalBytes - sentBytes) / bytesPerSecond)
  return `${size} · ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`
}

interface Part {
  file: { size: number }
  phase: 'waiting' | 'sending' | 'unsent'
  share: number
}

/** Files that have arrived or are on their way; failed ones are not waited for. */
export function totalOf(
  entries: readonly Part[],
  arrived: { files: number; bytes: number },
): { count: number; sentBytes: number; totalBytes: number; share: number } {
  const active = entries.filter(({ phase }) => phase !== 'unsent')
  const sumOf = (bytesOf: (part: Part) => number): number =>
    active.reduce((sum, part) => sum + bytesOf(part), arrived.bytes)
  const sentBytes = sumOf(({ file, share }) => file.size * share)
  const totalBytes = sumOf(({ file }) => file.size)
  const share = totalBytes > 0 ? sentBytes / totalBytes : 1
  return { count: arrived.files + active.length, sentBytes, totalBytes, share }
}

const speedAfterMs = 2000

/** The mean speed since the first piece; a resumed upload starts with what was there before. */
export function createSpeed(): (bytes: number, atMs?: number) => number | null {
  let first: { bytes: number; atMs: number } | null = null
  return (bytes, atMs = performance.now()) => {
    first ??= { bytes, atMs }
    if (atMs - first.atMs < speedAfterMs) return null
    return ((bytes - first.bytes) * 1000) / (atMs - first.atMs)
  }
}
