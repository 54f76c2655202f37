/** The public status page's figures: how the service does, without any account's data. */
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { getHealth } from './health.ts'
import { readFigures } from './measure.ts'

/** Everybody may ask, so that the database is asked once in a while only. */
const freshMs = 15_000

type Status = Awaited<ReturnType<Verb<'getStatus'>>>
const cache = new WeakMap<Context, { at: number; status: Promise<Status> }>()

export const getStatus: Verb<'getStatus'> = async (ctx, actor) => {
  const known = cache.get(ctx)
  const at = ctx.now().getTime()
  if (known && Math.abs(at - known.at) < freshMs) return known.status
  const status = getHealth(ctx, actor, {}).then((health) => readStatus(ctx, health.checks))
  cache.set(ctx, { at, status })
  status.catch(() => cache.delete(ctx))
  return status
}

async function readStatus(ctx: Context, checks: Record<string, string>): Promise<Status> {
  const figures = await readFigures(ctx)
  const isSlow = figures.oldestWaitingSeconds > 15 * 60
  const areMailsLate = figures.oldestMailSeconds > 15 * 60
  const areWebhooksLate = figures.lateWebhookSeconds > 15 * 60
  const parts: Status['parts'] = [
    { name: 'API', state: 'ok', note: 'Requests are answered.' },
    {
      name: 'Uploads and downloads',
      state: checks['storage'] === 'ok' ? 'ok' : 'degraded',
      note: checks['storage'] === 'ok' ? 'Files can be stored.' : 'Files cannot be stored.',
    },
    {
      name: 'Analysis',
      state: isSlow ? 'degraded' : 'ok',
      note: waitNote(figures.oldestWaitingSeconds),
    },
    {
      name: 'E-mail',
      state: areMailsLate ? 'degraded' : 'ok',
      note: areMailsLate ? 'E-mails are late.' : 'E-mails are sent without delay.',
    },
    {
      name: 'Webhooks',
      state: areWebhooksLate ? 'degraded' : 'ok',
      note: areWebhooksLate ? 'Webhooks are late.' : 'Webhooks are sent without delay.',
    },
  ]
  return {
    status: parts.every((part) => part.state === 'ok') ? 'ok' : 'degraded',
    checked_at: ctx.now().toISOString(),
    parts,
  }
}

function waitNote(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return 'Jobs start within a minute.'
  return `The job that has waited longest has waited for ${minutes} min.`
}
