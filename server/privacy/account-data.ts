/** All that is kept about a person, as JSON that other software can read. */
import type { ApiKey } from '../../contract/account/api-keys.ts'
import type { AuditEntry } from '../../contract/account/audit.ts'
import type { Webhook } from '../../contract/account/webhooks.ts'
import { readAllAudit } from '../audit/list.ts'
import { readWebhooks } from '../webhooks/read.ts'
import type { Transaction } from '../../contract/account/billing.ts'
import type { Batch } from '../../contract/footage/batches.ts'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Review } from '../../contract/footage/review.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import type { MailChoices } from '../../contract/account/mail.ts'
import type { BillingDetails, Invoice } from '../../contract/account/invoices.ts'
import type { PaymentMethod } from '../../contract/account/payments.ts'
import type { Bin, Project } from '../../contract/footage/projects.ts'
import type { Comment, Share } from '../../contract/footage/shares.ts'
import type { Session } from '../../contract/account/accounts.ts'
import { toUsd } from '../../domain/money/money.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { listSessions } from '../sign-in/session.ts'
import { actFor } from '../ground/actor.ts'
import { listApiKeys } from '../api-keys/list.ts'
import { readBalance } from '../billing/balance.ts'
import { readAllTransactions } from '../billing/history.ts'
import { readContentPage } from '../content/list.ts'
import { readWholeCuts } from '../cuts/read.ts'
import { inPages } from '../db/in-pages.ts'
import type { Context } from '../ground/context.ts'
import { readAllJobs } from '../jobs/list.ts'
import { readMailChoices } from '../mail/choices.ts'
import { readBillingDetails } from '../invoices/details.ts'
import { readAllInvoices } from '../invoices/read.ts'
import { listPaymentMethods } from '../payments/cards.ts'
import { readComments } from '../shares/comments.ts'
import { readAllShares } from '../shares/links.ts'
import { readAllSyncs } from '../syncs/read.ts'
import { readBins } from '../projects/bins.ts'
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
  bins: Bin[]
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
  invoices: Invoice[]
  mailChoices: MailChoices
  mails: Record<string, unknown>[]
  shares: Share[]
  comments: Comment[]
}

/** The review of a job, or of a clip that was not analysed. */
interface ExportedReview {
  job_id?: string
  content_id?: string
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

/** Lists come item by item, read by the page: those of years do not fit into memory. */
export type AccountParts = {
  [Name in keyof ExportedAccount]: () => ExportedAccount[Name] extends (infer Item)[]
    ? AsyncIterable<Item>
    : Promise<ExportedAccount[Name]>
}

export function partsOfAccount(ctx: Context, accountId: string): AccountParts {
  const actor = actFor(accountId)
  const { db } = ctx
  return {
    exported_at: async () => ctx.now().toISOString(),
    account: () => readAccount(ctx, accountId),
    identities: () => listed(readIdentities(ctx, accountId)),
    sessions: () => listed(listSessions(ctx, actor, {}).then(({ sessions }) => sessions)),
    apiKeys: () => listed(listApiKeys(ctx, actor, {}).then(({ apiKeys }) => apiKeys)),
    paymentMethods: () =>
      listed(listPaymentMethods(ctx, actor, {}).then(({ paymentMethods }) => paymentMethods)),
    transactions: () => readAllTransactions(ctx, accountId),
    projects: () => listed(readProjects(ctx, accountId)),
    bins: () => listed(readBins(db, { accountId })),
    webhooks: () => listed(readWebhooks(ctx, accountId)),
    audit: () => readAllAudit(ctx, accountId),
    content: () => readAllContent(ctx, accountId),
    jobs: () => readAllJobs(db, accountId),
    batches: () => readAllBatches(ctx, accountId),
    reviews: () => readAllReviews(ctx, accountId),
    corrections: () => readAllCorrections(ctx, accountId),
    cuts: () => readWholeCuts(ctx, accountId),
    syncs: () => readAllSyncs(ctx, accountId),
    billingDetails: () => readBillingDetails(db, accountId),
    invoices: () => readAllInvoices(db, accountId),
    mailChoices: () => readMailChoices(db, accountId),
    mails: () => readMails(ctx, accountId),
    shares: () => readAllShares(ctx, accountId),
    comments: () => readAllComments(ctx, accountId),
  }
}

/** One part as JSON text. */
export async function* writePart(
  part: AsyncIterable<unknown> | Promise<unknown>,
): AsyncGenerator<string> {
  if (!(Symbol.asyncIterator in part)) {
    yield JSON.stringify(await part, null, 2)
    return
  }
  let count = 0
  for await (const item of part) {
    yield `${count === 0 ? '[' : ','}\n${JSON.stringify(item, null, 2)}`
    count += 1
  }
  yield count === 0 ? '[]' : '\n]'
}

/** All parts as one document. */
export async function* writeAccount(ctx: Context, accountId: string): AsyncGenerator<string> {
  let mark = '{'
  for (const [name, read] of Object.entries(partsOfAccount(ctx, accountId))) {
    yield `${mark}\n${JSON.stringify(name)}: `
    yield* writePart(read())
    mark = ','
  }
  yield '\n}'
}

/** A list that is short by its limits. */
async function* listed<T>(items: Promise<T[]>): AsyncGenerator<T> {
  yield* await items
}

const pageRows = 100

/** A query of one page, which may begin after a row. */
interface Page<Row> {
  where(condition: RawBuilder<boolean>): Page<Row>
  execute(): Promise<Row[]>
}

function rowsOf<Row>(page: Page<Row>, isAfter: (last: Row) => RawBuilder<boolean>) {
  return inPages<Row>(pageRows, (last) => (last ? page.where(isAfter(last)) : page).execute())
}

async function* readAllContent(
  ctx: Context,
  accountId: string,
): AsyncGenerator<ExportedAccount['content'][number]> {
  let cursor: string | null = null
  do {
    const page: { limit: number; cursor?: string } = { limit: pageRows, ...(cursor && { cursor }) }
    const { content, next_cursor } = await readContentPage(ctx, actFor(accountId), page)
    // The address of the still holds a ticket, which is not for a file that is passed on.
    for (const { thumbnail_url: _, ...item } of content) yield item
    cursor = next_cursor
  } while (cursor !== null)
}

async function* readAllComments(ctx: Context, accountId: string): AsyncGenerator<Comment> {
  for await (const { id } of readAllShares(ctx, accountId)) {
    yield* await readComments(ctx.db, { shareId: id })
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

async function* readAllBatches(
  ctx: Context,
  accountId: string,
): AsyncGenerator<ExportedAccount['batches'][number]> {
  const page = ctx.db
    .selectFrom('batches')
    .select(['id', 'workflow', 'canceled_at', 'created_at', 'finished_at'])
    .select(exactTime)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(pageRows)
  for await (const row of rowsOf(page, isLater)) {
    yield {
      id: row.id,
      workflow: row.workflow,
      status: !row.finished_at ? 'running' : row.canceled_at ? 'canceled' : 'completed',
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    }
  }
}

/** To the microsecond, which a Date does not hold. */
const exactTime = sql<string>`created_at::text`.as('exact_time')

function isLater(last: { exact_time: string; id: string }): RawBuilder<boolean> {
  return sql<boolean>`(created_at, id) > (${last.exact_time}::timestamptz, ${last.id}::uuid)`
}

async function* readAllReviews(ctx: Context, accountId: string): AsyncGenerator<ExportedReview> {
  const page = ctx.db
    .selectFrom('jobs')
    .select(['seq', 'id as job_id', 'review_version as version', 'review'])
    .where('account_id', '=', accountId)
    .where('review', 'is not', null)
    .orderBy('seq')
    .limit(pageRows)
  const rows = rowsOf(page, (last) => sql<boolean>`seq > ${last.seq}`)
  for await (const { seq: _, review, ...row } of rows) if (review) yield { ...row, review }
  const clips = ctx.db
    .selectFrom('clip_reviews as r')
    .innerJoin('content as c', 'c.id', 'r.content_id')
    .select(['r.content_id', 'r.version', 'r.review'])
    .where('c.account_id', '=', accountId)
    .orderBy('r.content_id')
    .limit(pageRows)
  yield* rowsOf(clips, (last) => sql<boolean>`r.content_id > ${last.content_id}`)
}

/** The latest version for each medium; the earlier ones only undo it. */
async function* readAllCorrections(
  ctx: Context,
  accountId: string,
): AsyncGenerator<ExportedCorrections> {
  const page = ctx.db
    .selectFrom('job_corrections as c')
    .distinctOn(['c.content_sha256', 'c.params'])
    .select(['c.content_sha256', 'c.params', 'c.version', 'c.saved_at', 'c.corrections'])
    .select(
      sql<string[]>`array(select j.id::text from jobs j
        where j.account_id = c.account_id and j.content_sha256 = c.content_sha256
        order by j.seq)`.as('job_ids'),
    )
    .where('c.account_id', '=', accountId)
    .orderBy('c.content_sha256')
    .orderBy('c.params')
    .orderBy('c.version', 'desc')
    .limit(pageRows)
  const rows = rowsOf(
    page,
    (last) => sql<boolean>`(c.content_sha256, c.params) > (${last.content_sha256}, ${last.params})`,
  )
  for await (const { content_sha256: _, params: __, ...row } of rows) {
    yield { ...row, saved_at: row.saved_at.toISOString() }
  }
}

async function* readMails(
  ctx: Context,
  accountId: string,
): AsyncGenerator<Record<string, unknown>> {
  const page = ctx.db
    .selectFrom('mails')
    .select(['id', 'kind', 'content', 'created_at', 'outcome', 'ended_at'])
    .select(exactTime)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(pageRows)
  const rows = rowsOf(page, isLater)
  // Links may carry a right, which is not for a file that is passed on.
  for await (const { id: _, exact_time: __, content, ...mail } of rows) {
    const { action: ___, ...words } = content as { action?: unknown }
    yield { ...mail, content: words }
  }
}

function readIdentities(ctx: Context, accountId: string): Promise<Record<string, unknown>[]> {
  return ctx.db
    .selectFrom('identities')
    .select(['provider', 'subject', 'email', 'email_verified', 'created_at'])
    .where('account_id', '=', accountId)
    .execute()
}
