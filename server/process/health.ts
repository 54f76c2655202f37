import { sql } from 'kysely'
import { sandboxState } from '../../engine/tools/isolate.ts'
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
  // Without namespaces media tools run behind limits and white lists only; the operator must know.
  checks.media_sandbox = (await sandboxState()) === 'full' ? 'ok' : 'degraded'
  const isDegraded = Object.values(checks).some((value) => value !== 'ok')
  return { status: isDegraded ? 'degraded' : 'ok', version: ctx.config.version, checks }
}
