/**
 * Looks at addresses, for a quote or for the library, fetch from wherever a user says: megabytes
 * nearly always, a whole file now and then. So an account has a few of them at once, more wait for
 * their turn, and a flood is refused. Counted in this process, as the rate limit is.
 */
import { Refusal } from '../refusal.ts'

const atOnce = 4
const mostWaiting = 50

interface Line {
  looking: number
  waiting: (() => void)[]
}

const lines = new Map<string, Line>()

export async function inLookTurn<T>(accountId: string, look: () => Promise<T>): Promise<T> {
  const line = lines.get(accountId) ?? { looking: 0, waiting: [] }
  lines.set(accountId, line)
  if (line.looking >= atOnce) await waitIn(line)
  else line.looking += 1
  try {
    return await look()
  } finally {
    // A place is handed on, so that nobody new slips in before the one who waits.
    const next = line.waiting.shift()
    if (next) next()
    else line.looking -= 1
    if (line.looking === 0) lines.delete(accountId)
  }
}

async function waitIn(line: Line): Promise<void> {
  if (line.waiting.length >= mostWaiting) {
    throw new Refusal(
      'rate_limited',
      'Too many URLs are being checked. Please wait for some to finish, then try again.',
      { retryAfterSeconds: 10 },
    )
  }
  await new Promise<void>((resolve) => line.waiting.push(resolve))
}
