import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const getHealth: Verb<'getHealth'> = async (ctx) => {
  const checks: Record<string, string> = {}
  await within(sql`select 1`.execute(ctx.db)).catch(() => {
    throw new Refusal('unavailable', 'The database does not answer.', { retryAfterSeconds: 2 })
  })
  checks.database = 'ok'
  checks.storage = await within(ctx.storage.check()).catch(() => 'unreachable')
  checks.media_sandbox = ctx.isolation.state
  const isDegraded = checks.storage !== 'ok' || ctx.isolation.state === 'unlocked'
  return { status: isDegraded ? 'degraded' : 'ok', version: ctx.config.version, checks }
}

/** Answer before a health check gives up: a store that hangs must not look like a dead service. */
const limitMs = 2000

async function within<Answer>(check: Promise<Answer>): Promise<Answer> {
  const settled = new AbortController()
  const late = wait(limitMs, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new Error('No answer in time.')
  })
  try {
    return await Promise.race([check, late])
  } finally {
    settled.abort()
    late.catch(() => undefined)
  }
}
