/**
 * Keeps what the privacy policy promises. One idempotent sweep: each rule deletes what is past its
 * age by the context's clock, in its own statement, and says how much it removed.
 */
import { expireContent } from '../content/retention.ts'
import type { Context } from '../process/context.ts'
import { expireJobs } from '../jobs/retention.ts'
import { forgetPaymentEvents } from '../payments/erase.ts'

const dayMs = 24 * 3_600_000

export async function keepRetention(ctx: Context): Promise<Record<string, number>> {
  const now = ctx.now()
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const [signIns, sessions, requests, paymentEvents] = await Promise.all([
    ctx.db.deleteFrom('sign_ins').where('expires_at', '<', now).executeTakeFirst(),
    ctx.db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst(),
    ctx.db
      .deleteFrom('idempotent_requests')
      .where('created_at', '<', daysAgo(1))
      .executeTakeFirst(),
    forgetPaymentEvents(ctx, daysAgo(90)),
  ])
  const content = await expireContent(ctx, daysAgo(90))
  const jobs = await expireJobs(ctx, daysAgo(365))
  return {
    content,
    jobs,
    signIns: Number(signIns.numDeletedRows),
    sessions: Number(sessions.numDeletedRows),
    idempotentRequests: Number(requests.numDeletedRows),
    paymentEvents,
  }
}
