/**
 * Keeps what the privacy policy promises. One idempotent sweep: each rule deletes what is past its
 * age by the context's clock, in its own statement, and says how much it removed.
 */
import { expireBatches } from '../batches/erase.ts'
import { expireContent } from '../content/retention.ts'
import { testObjects } from '../../domain/money/catalogue.ts'
import { removeJob } from '../jobs/delete.ts'
import type { Context } from '../ground/context.ts'
import { expireQuickProxies } from '../playback/quick-proxies.ts'
import { expireCorrections } from '../findings/erase-corrections.ts'
import { expireJobs } from '../jobs/retention.ts'
import { expireMail } from '../mail/operate.ts'
import { expireShares } from '../shares/links.ts'
import { expireEvents } from '../webhooks/delete.ts'
import { forgetPaymentEvents } from '../payments/erase.ts'

const dayMs = 24 * 3_600_000

/** One rule that fails does not keep the others from running; the task is then tried again. */
export async function keepRetention(ctx: Context): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  const failures: unknown[] = []
  for (const [name, rule] of Object.entries(rules(ctx))) {
    try {
      removed[name] = await rule()
    } catch (error) {
      ctx.log.error({ err: error, rule: name }, 'retention rule failed')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some rules of retention failed.')
  return removed
}

function rules(ctx: Context): Record<string, () => Promise<number>> {
  const now = ctx.now()
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const count = async (deletion: Promise<{ numDeletedRows: bigint }>): Promise<number> =>
    Number((await deletion).numDeletedRows)
  const { db } = ctx
  return {
    content: () => expireContent(ctx, daysAgo(90)),
    quickProxies: () => expireQuickProxies(ctx, daysAgo(7)),
    jobs: () => expireJobs(ctx, daysAgo(365)),
    corrections: () => expireCorrections(ctx, daysAgo(365)),
    shares: () => expireShares(ctx, daysAgo(90)),
    batches: () => expireBatches(ctx, daysAgo(365)),
    signIns: () =>
      count(db.deleteFrom('sign_ins').where('expires_at', '<', now).executeTakeFirst()),
    sessions: () =>
      count(db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst()),
    signInPlaces: () =>
      count(
        db.deleteFrom('sign_in_places').where('last_seen_at', '<', daysAgo(365)).executeTakeFirst(),
      ),
    idempotentRequests: () =>
      count(
        db
          .deleteFrom('idempotent_requests')
          .where('created_at', '<', daysAgo(1))
          .executeTakeFirst(),
      ),
    dataExports: () =>
      count(db.deleteFrom('data_exports').where('created_at', '<', daysAgo(7)).executeTakeFirst()),
    mails: () => expireMail(ctx, daysAgo(90)),
    oauthCodes: () =>
      count(db.deleteFrom('oauth_codes').where('expires_at', '<', now).executeTakeFirst()),
    // The number of clients is capped as well (server/oauth/client.ts).
    oauthClients: () =>
      count(
        db.deleteFrom('oauth_clients').where('last_used_at', '<', daysAgo(180)).executeTakeFirst(),
      ),
    paymentEvents: () => forgetPaymentEvents(ctx, daysAgo(90)),
    audit: () =>
      count(db.deleteFrom('audit_entries').where('at', '<', daysAgo(365)).executeTakeFirst()),
    webhookEvents: () => expireEvents(ctx, daysAgo(30)),
    analytics: () =>
      count(
        db
          .deleteFrom('analytics_counts')
          .where('day', '<', daysAgo(400).toISOString().slice(0, 10))
          .executeTakeFirst(),
      ),
  }
}

const webhookTables = ['webhook_endpoints', 'webhook_events'] as const
const testTables = ['content', 'batches', 'projects', 'cuts', ...webhookTables] as const

/** Objects of test keys go after a day; shares and deliveries go with theirs. */
export async function sweepTestObjects(ctx: Context): Promise<number> {
  const before = new Date(ctx.now().getTime() - testObjects.lifeHours * 3_600_000)
  const ofTests = ctx.db.selectFrom('accounts').select('id').where('test_of', 'is not', null)
  const jobs = await ctx.db
    .selectFrom('jobs')
    .select(['id', 'account_id as accountId'])
    .where('account_id', 'in', ofTests)
    .where('created_at', '<', before)
    .execute()
  for (const job of jobs) await ctx.db.transaction().execute((trx) => removeJob(trx, job))
  let removed = jobs.length
  const corrections = await ctx.db
    .deleteFrom('job_corrections')
    .where('account_id', 'in', ofTests)
    .where('saved_at', '<', before)
    .executeTakeFirst()
  removed += Number(corrections.numDeletedRows)
  for (const table of testTables) {
    const gone = await ctx.db
      .deleteFrom(table)
      .where('account_id', 'in', ofTests)
      .where('created_at', '<', before)
      .executeTakeFirst()
    removed += Number(gone.numDeletedRows)
  }
  return removed
}
