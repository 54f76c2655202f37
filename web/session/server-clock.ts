/** The service's time: a wrong clock would show wrong ages of jobs and comments. */

/** The Date header has no parts of a second, and answers take time. */
const toleranceMs = 2000
const maxRoundTripMs = 10_000
let offsetMs = 0

export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Learns from an answer how far this computer's clock is off. */
export function noteServerTime(header: string | null, sentMs: number, receivedMs: number): void {
  offsetMs = clockOffset(header, sentMs, receivedMs) ?? offsetMs
}

/** Milliseconds to add to this computer's time; null where the answer says nothing about it. */
export function clockOffset(
  header: string | null,
  sentMs: number,
  receivedMs: number,
): number | null {
  const serverMs = Date.parse(header ?? '') + 500
  if (Number.isNaN(serverMs) || receivedMs - sentMs > maxRoundTripMs) return null
  const offset = serverMs - (sentMs + receivedMs) / 2
  return Math.abs(offset) > toleranceMs ? Math.round(offset) : 0
}
