import { sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { Verb } from '../verb.ts'

export const getHealth: Verb<'getHealth'> = async (ctx) => {
  const checks: Record<string, string> = {}
  await sql`select 1`.execute(ctx.db).catch(() => {
    throw new Refusal('unavailable', 'The database does not answer.', { retryAfterSeconds: 2 })
  })
  checks.database = 'ok'
  checks.storage = await ctx.storage.check()
  checks.media_sandbox = ctx.isolation.state
  const isDegraded = checks.storage !== 'ok' || ctx.isolation.state === 'unlocked'
  return { status: isDegraded ? 'degraded' : 'ok', version: ctx.config.version, checks }
}
