/** An account's links: made, listed and withdrawn. */
import { shareLimits } from '../../contract/footage/shares.ts'
import type { Share } from '../../contract/footage/shares.ts'
import { mayDo } from '../ground/actor.ts'
import { hashPassword } from './password.ts'
import { planProxy, readPlayed } from './played.ts'
import { dropProxies, listProxies, requestProxy, stateOf } from './proxies.ts'
import { newToken } from '../sign-in/token.ts'
import { readCut } from '../cuts/read.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { readJob } from '../jobs/read.ts'
import type { Context } from '../ground/context.ts'
import { missingScope, notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { refuseFull } from '../db/refuse-full.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const createShare: Verb<'createShare'> = async (ctx, actor, { body }) => {
  const { accountId } = actor
  const { cut_id: cutId, job_id: jobId } = body
  if ((cutId === undefined) === (jobId === undefined)) {
    throw new Refusal('invalid', 'Please give either a cut or a job to share.', { field: 'cut_id' })
  }
  // A link shows findings to whoever has it.
  if (!mayDo(actor, 'jobs:read')) throw missingScope('jobs:read')
  if (cutId) await readCut(ctx.db, { id: cutId, accountId })
  if (jobId) await readJob(ctx.db, { id: jobId, accountId })
  const thing = { accountId, cutId: cutId ?? null, jobId: jobId ?? null }
  const played = await readPlayed(ctx, thing)
  const plan = played && (await planProxy(ctx, thing, played))
  const now = ctx.now().getTime()
  const expiresAt = body.expires_at
    ? new Date(body.expires_at)
    : new Date(now + shareLimits.standardDays * dayMs)
  // Allow an hour more, since the client counts the days by its own clock.
  const isInside =
    expiresAt.getTime() > now && expiresAt.getTime() <= now + shareLimits.maxDays * dayMs + hourMs
  if (!isInside) {
    throw new Refusal('invalid', `Links can last at most ${shareLimits.maxDays} days.`, {
      field: 'expires_at',
    })
  }
  const { token, sha256 } = newToken()
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password)
  const id = await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId)
    const open = trx
      .selectFrom('shares')
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', ctx.now())
    const sentence = `You have ${shareLimits.shares} open links. Please revoke one you no longer use.`
    await refuseFull(open, shareLimits.shares, sentence)
    const { id } = await trx
      .insertInto('shares')
      .values({
        account_id: accountId,
        token_sha256: sha256,
        cut_id: cutId ?? null,
        job_id: jobId ?? null,
        password_hash: passwordHash,
        expires_at: expiresAt,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (played && plan) {
      const { version } = played.saved.cut
      await requestProxy(ctx, trx, { shareId: id, accountId, version, plan })
    }
    return id
  })
  const [share] = await readShares(ctx, accountId, { id })
  return { share: share!, token, url: `${ctx.config.publicUrl}/shared/${token}` }
}

export const listShares: Verb<'listShares'> = async (ctx, { accountId }, { query }) => ({
  shares: await readShares(ctx, accountId, query),
})

export const revokeShare: Verb<'revokeShare'> = async (ctx, { accountId }, { params }) => {
  await ctx.db
    .updateTable('shares')
    .set((build) => ({ revoked_at: build.fn.coalesce('revoked_at', build.val(ctx.now())) }))
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .execute()
  const [share] = await readShares(ctx, accountId, params)
  if (!share) throw notFound('The link')
  await dropProxies(ctx.db, share.id)
  return { share: { ...share, proxy: null } }
}

export async function readShares(
  ctx: Context,
  accountId: string,
  input: { id?: string; cut_id?: string | undefined; job_id?: string | undefined } = {},
): Promise<Share[]> {
  let rows = ctx.db
    .selectFrom('shares as s')
    .leftJoin('cuts as c', 'c.id', 's.cut_id')
    .leftJoin('jobs as j', 'j.id', 's.job_id')
    .select((build) => [
      ...(['s.id', 's.cut_id', 's.job_id', 's.password_hash', 's.expires_at'] as const),
      ...(['s.revoked_at', 's.created_at', 'c.name as cut_name', 'j.content_name'] as const),
      build
        .selectFrom('share_comments as n')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('n.share_id', '=', 's.id')
        .as('comment_count'),
    ])
    .where('s.account_id', '=', accountId)
  if (input.id) rows = rows.where('s.id', '=', input.id)
  if (input.cut_id) rows = rows.where('s.cut_id', '=', input.cut_id)
  if (input.job_id) rows = rows.where('s.job_id', '=', input.job_id)
  const links = await rows.orderBy('s.created_at', 'desc').orderBy('s.id').limit(2000).execute()
  const proxies = Map.groupBy(
    links.length > 0 ? await listProxies(ctx.db, ids(links)) : [],
    (proxy) => proxy.share_id,
  )
  return links.map((row) => ({
    id: row.id,
    kind: row.cut_id ? 'cut' : 'review',
    cut_id: row.cut_id,
    job_id: row.job_id,
    name: row.cut_name ?? row.content_name ?? '',
    has_password: row.password_hash !== null,
    expires_at: row.expires_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    comment_count: row.comment_count ?? 0,
    proxy:
      row.revoked_at || row.expires_at <= ctx.now()
        ? null
        : stateOfLink(ctx, proxies.get(row.id)?.[0]),
  }))
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** One that was asked for nothing yet was made before links had proxies, or has nothing to play. */
function stateOfLink(ctx: Context, row: Parameters<typeof stateOf>[1] | undefined) {
  return stateOf(ctx, row ?? null, row ? null : notBegunSentence)
}

const notBegunSentence =
  'Its copy is made when the link is opened, once one of its clips has a preview (Thumbnails).'

const exportedAtOnce = 100

/** For the account's export: every link, also those that ended. */
export async function* readAllShares(ctx: Context, accountId: string): AsyncGenerator<Share> {
  const page = ctx.db
    .selectFrom('shares')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .limit(exportedAtOnce)
  let rows = await page.execute()
  while (rows.length > 0) {
    for (const { id } of rows) yield* await readShares(ctx, accountId, { id })
    rows = await page.where('id', '>', rows.at(-1)!.id).execute()
  }
}

export async function eraseShares(ctx: Context, accountId: string): Promise<void> {
  for (const table of ['shares', 'share_days'] as const) {
    await ctx.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
}

/** Links go with their comments some time after they ended or were withdrawn. */
export async function expireShares(ctx: Context, endedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('shares')
    .where((build) =>
      build.or([build('expires_at', '<', endedBefore), build('revoked_at', '<', endedBefore)]),
    )
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
