/** All that is kept about a person, as one JSON document that other software can read. */
import type { ApiKey } from '../../contract/api-keys.ts'
import type { AuditEntry } from '../../contract/audit.ts'
import type { Webhook } from '../../contract/webhooks.ts'
import { readAllAudit } from '../audit/list.ts'
import { readWebhooks } from '../webhooks/read.ts'
import type { Transaction } from '../../contract/billing.ts'
import type { Batch } from '../../contract/batches.ts'
import type { ContentItem } from '../../contract/content.ts'
import type { Corrections } from '../../contract/corrections.ts'
import type { Review } from '../../contract/review.ts'
import type { Cut } from '../../contract/cuts.ts'
import type { Job } from '../../contract/jobs.ts'
import type { MailChoices } from '../../contract/mail.ts'
import type { BillingDetails, Paper } from '../../contract/papers.ts'
import type { PaymentMethod } from '../../contract/payments.ts'
import type { Project } from '../../contract/projects.ts'
import type { Comment, Share } from '../../contract/shares.ts'
import type { Session } from '../../contract/accounts.ts'
import { toUsd } from '../../contract/money.ts'
import { sql } from 'kysely'
import { listSessions } from '../accounts/session.ts'
import { actFor } from '../actor.ts'
import { listApiKeys } from '../api-keys/list.ts'
import { readBalance } from '../billing/balance.ts'
import { readAllTransactions } from '../billing/history.ts'
import { readContentPage } from '../content/list.ts'
import { readWholeCuts } from '../cuts/read.ts'
import type { Context } from '../process/context.ts'
import { readAllJobs } from '../jobs/list.ts'
import { readMailChoices } from '../mail/choices.ts'
import { readBillingDetails } from '../papers/details.ts'
import { readPapers } from '../papers/read.ts'
import { listPaymentMethods } from '../payments/cards.ts'
import { readComments } from '../shares/comments.ts'
import { readShares } from '../shares/links.ts'
import { readAllSyncs } from '../syncs/read.ts'
import { readProjects } from '../projects/read.ts'

export interface ExportedAccount {
  exported_at: string
  account: Record<string, unknown>
  identities: Record<string, unknown>[]
  sessions: Session[]
  apiKeys: ApiKey[]
  paymentMethods: PaymentMethod[]
  transactions: Transaction[]
  projects: Project[]
  webhooks: Webhook[]
  audit: AuditEntry[]
  content: Omit<ContentItem, 'thumbnail_url'>[]
  jobs: Job[]
  batches: Pick<Batch, 'id' | 'workflow' | 'status' | 'created_at' | 'finished_at'>[]
  reviews: ExportedReview[]
  corrections: ExportedCorrections[]
  cuts: Cut[]
  syncs: object[]
  billingDetails: BillingDetails
  papers: Paper[]
  mailChoices: MailChoices
  mails: Record<string, unknown>[]
  shares: Share[]
  comments: Comment[]
}

interface ExportedReview {
  job_id: string
  version: number
  review: Review
}

interface ExportedCorrections {
  /** Jobs on the media that they belong to. */
  job_ids: string[]
  version: number
  saved_at: string
  corrections: Corrections
}

export async function exportAccount(ctx: Context, accountId: string): Promise<ExportedAccount> {
  const actor = actFor(accountId)
  const content = await allPages(async (page) => {
    const { content: items, next_cursor } = await readContentPage(ctx, actor, page)
    return { items, next_cursor }
  })
  const { sessions } = await listSessions(ctx, actor, {})
  const { apiKeys } = await listApiKeys(ctx, actor, {})
  const { paymentMethods } = await listPaymentMethods(ctx, actor, {})
  return {
    exported_at: ctx.now().toISOString(),
    account: await readAccount(ctx, accountId),
    identities: await readIdentities(ctx, accountId),
    sessions,
    apiKeys,
    paymentMethods,
    transactions: await readAllTransactions(ctx, accountId),
    projects: await readProjects(ctx, accountId),
    webhooks: await readWebhooks(ctx, accountId),
    audit: await readAllAudit(ctx, accountId),
    // The address of the still holds a ticket, which is not for a file that is passed on.
    content: content.map(({ thumbnail_url: _, ...item }) => item),
    jobs: await readAllJobs(ctx.db, accountId),
    batches: await readAllBatches(ctx, accountId),
    reviews: await readAllReviews(ctx, accountId),
    corrections: await readAllCorrections(ctx, accountId),
    cuts: await readWholeCuts(ctx, accountId),
    syncs: await readAllSyncs(ctx, accountId),
    billingDetails: await readBillingDetails(ctx.db, accountId),
    papers: await readPapers(ctx.db, accountId),
    mailChoices: await readMailChoices(ctx.db, accountId),
    mails: await readMails(ctx, accountId),
    shares: await readShares(ctx, accountId),
    comments: await readComments(ctx.db, { accountId }),
  }
}

interface Page {
  limit: number
  cursor?: string
}

async function allPages<T>(
  read: (page: Page) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const all: T[] = []
  let page: Page = { limit: 100 }
  for (;;) {
    const { items, next_cursor: cursor } = await read(page)
    all.push(...items)
    if (cursor === null) return all
    page = { limit: 100, cursor }
  }
}

async function readAccount(ctx: Context, accountId: string): Promise<Record<string, unknown>> {
  const { auto_reload_threshold_micros: threshold, ...account } = await ctx.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const balance = await readBalance(ctx.db, { accountId, now: ctx.now() })
  return {
    ...account,
    auto_reload_threshold_usd: threshold === null ? null : toUsd(threshold),
    account_balance_usd: toUsd(balance.availableMicros),
  }
}

async function readAllBatches(
  ctx: Context,
  accountId: string,
): Promise<ExportedAccount['batches']> {
  const rows = await ctx.db
    .selectFrom('batches')
    .select(['id', 'workflow', 'canceled_at', 'created_at', 'finished_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    workflow: row.workflow,
    status: !row.finished_at ? 'running' : row.canceled_at ? 'canceled' : 'completed',
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }))
}

async function readAllReviews(ctx: Context, accountId: string): Promise<ExportedReview[]> {
  const rows = await ctx.db
    .selectFrom('jobs')
    .select(['id as job_id', 'review_version as version', 'review'])
    .where('account_id', '=', accountId)
    .where('review', 'is not', null)
    .orderBy('seq')
    .execute()
  return rows.flatMap(({ review, ...row }) => (review ? [{ ...row, review }] : []))
}

/** The latest version for each medium; the earlier ones only undo it. */
async function readAllCorrections(ctx: Context, accountId: string): Promise<ExportedCorrections[]> {
  const rows = await ctx.db
    .selectFrom('job_corrections as c')
    .distinctOn(['c.content_sha256', 'c.params'])
    .select(['c.version', 'c.saved_at', 'c.corrections'])
    .select(
      sql<string[]>`array(select j.id::text from jobs j
        where j.account_id = c.account_id and j.content_sha256 = c.content_sha256
        order by j.seq)`.as('job_ids'),
    )
    .where('c.account_id', '=', accountId)
    .orderBy('c.content_sha256')
    .orderBy('c.params')
    .orderBy('c.version', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }))
}

async function readMails(ctx: Context, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await ctx.db
    .selectFrom('mails')
    .select(['kind', 'content', 'created_at', 'outcome', 'ended_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  // Links may carry a right, which is not for a file that is passed on.
  return rows.map(({ content, ...mail }) => {
    const { action: _, ...words } = content as { action?: unknown }
    return { ...mail, content: words }
  })
}

function readIdentities(ctx: Context, accountId: string): Promise<Record<string, unknown>[]> {
  return ctx.db
    .selectFrom('identities')
    .select(['provider', 'subject', 'email', 'email_verified', 'created_at'])
    .where('account_id', '=', accountId)
    .execute()
}
