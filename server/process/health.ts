import { sql } from 'kysely'
import type { Context } from './context.ts'
import { Refusal } from '../refusal.ts'

export async function getHealth(ctx: Context): Promise<{
  status: 'ok' | 'degraded' | 'down'
  version: string
  checks: Record<string, string>
}> {
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
