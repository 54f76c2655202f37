/** Comments on links: written without an account, answered by the editor, plain text throughout. */
import { timingSafeEqual } from 'node:crypto'
import { shareLimits } from '../../contract/footage/shares.ts'
import type { Comment } from '../../contract/footage/shares.ts'
import { hashToken, newToken } from '../sign-in/token.ts'
import { followVersions } from '../cuts/read.ts'
import type { Db } from '../ground/database.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { requireShare } from './open.ts'
import { refuseFull } from '../db/refuse-full.ts'

/** Rate limit per network and link, in this process: allows a conversation, not a flood. */
const writing = createRateLimiter({ perSecond: 0.5, burst: 30 })

const columns = [
  ...(['id', 'name', 'text', 'at_frame', 'out_frame', 'version', 'is_editor'] as const),
  ...(['reply_to', 'done_at', 'created_at', 'edited_at'] as const),
] as const

export const listSharedComments: Verb<'listSharedComments'> = async (ctx, _anyone, input) => {
  const share = await requireShare(ctx, input.params.token, input.query.pass)
  const comments = await readComments(ctx.db, { shareId: share.id })
  return { comments: await placeNow(ctx, share, comments) }
}

export const addSharedComment: Verb<'addSharedComment'> = async (ctx, { network }, input) => {
  const share = await requireShare(ctx, input.params.token, input.query.pass)
  const { body } = input
  writing.take(`${share.id} ${network}`, Date.now())
  if (typeof body.out === 'number' && body.out <= body.at) {
    throw new Refusal('invalid', 'The range must end after it starts.', { field: 'out' })
  }
  if (body.version > (await newestVersion(ctx, share))) {
    throw new Refusal('invalid', 'There is no such version yet.', { field: 'version' })
  }
  const secret = body.device_secret ?? newToken().token
  const comment = await addComment(ctx, {
    shareId: share.id,
    accountId: share.accountId,
    name: body.name,
    text: body.text,
    at: body.at,
    out: body.out ?? null,
    version: body.version,
    replyTo: body.reply_to ?? null,
    isEditor: false,
    deviceSha256: hashToken(secret),
  })
  return { comment, device_secret: secret }
}

/** A review has only one. */
async function newestVersion(ctx: Context, { cutId }: { cutId: string | null }): Promise<number> {
  if (cutId === null) return 1
  const { version } = await ctx.db
    .selectFrom('cuts')
    .select('version')
    .where('id', '=', cutId)
    .executeTakeFirstOrThrow()
  return version
}

export const editSharedComment: Verb<'editSharedComment'> = async (ctx, { network }, input) => {
  const share = await requireShare(ctx, input.params.token, input.query.pass)
  writing.take(`${share.id} ${network}`, Date.now())
  const { comment_id: id } = input.params
  const known = await ctx.db
    .selectFrom('share_comments')
    .select(['device_sha256', 'created_at'])
    .where('id', '=', id)
    .where('share_id', '=', share.id)
    .executeTakeFirst()
  const tried = hashToken(input.body.device_secret)
  const isOwn = known?.device_sha256 && timingSafeEqual(known.device_sha256, tried)
  if (!known || !isOwn) throw notFound('The comment')
  const minutes = shareLimits.editMinutes
  if (ctx.now().getTime() - known.created_at.getTime() > minutes * 60_000) {
    throw new Refusal('conflict', `A comment can be changed for ${minutes} minutes.`)
  }
  const row = await ctx.db
    .updateTable('share_comments')
    .set({ text: input.body.text, edited_at: ctx.now() })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { comment: toComment(row) }
}

export const listComments: Verb<'listComments'> = async (ctx, { accountId }, { query }) => {
  if ((query.cut_id === undefined) === (query.job_id === undefined)) {
    throw new Refusal('invalid', 'Please name either a cut or a job.', { field: 'cut_id' })
  }
  const target = { accountId, cutId: query.cut_id, jobId: query.job_id }
  const comments = await readComments(ctx.db, target)
  return { comments: await placeNow(ctx, { accountId, cutId: query.cut_id ?? null }, comments) }
}

export const replyToComment: Verb<'replyToComment'> = async (ctx, { accountId }, input) => {
  const to = await ctx.db
    .selectFrom('share_comments as n')
    .innerJoin('accounts as a', 'a.id', 'n.account_id')
    .select(['n.id', 'n.share_id', 'n.at_frame', 'n.version', 'a.name', 'a.username'])
    .where('n.id', '=', input.params.id)
    .where('n.account_id', '=', accountId)
    .executeTakeFirst()
  if (!to) throw notFound('The comment')
  const comment = await addComment(ctx, {
    shareId: to.share_id,
    accountId,
    name: (to.name ?? to.username).slice(0, 80),
    text: input.body.text,
    at: to.at_frame,
    out: null,
    version: to.version,
    replyTo: to.id,
    isEditor: true,
    deviceSha256: null,
  })
  return { comment }
}

export const updateComment: Verb<'updateComment'> = async (ctx, { accountId }, input) => {
  const row = await ctx.db
    .updateTable('share_comments')
    .set({ done_at: input.body.done ? ctx.now() : null })
    .where('id', '=', input.params.id)
    .where('account_id', '=', accountId)
    .returning(columns)
    .executeTakeFirst()
  if (!row) throw notFound('The comment')
  return { comment: toComment(row) }
}

export const deleteComment: Verb<'deleteComment'> = async (ctx, { accountId }, { params }) => {
  const gone = await ctx.db
    .deleteFrom('share_comments')
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw notFound('The comment')
  return { ok: true }
}

/**
 * Finds where the newest version plays the subject of each comment; a review has only one version.
 */
async function placeNow(
  ctx: Context,
  { accountId, cutId }: { accountId: string; cutId: string | null },
  comments: Comment[],
): Promise<Comment[]> {
  if (cutId === null || comments.length === 0) return comments
  const versions = comments.map((comment) => comment.version)
  const follow = await followVersions(ctx, { id: cutId, accountId }, versions)
  return comments.map((comment) => ({ ...comment, now_at: follow(comment.at, comment.version) }))
}

interface NewComment {
  shareId: string
  accountId: string
  name: string
  text: string
  at: number
  out: number | null
  version: number
  replyTo: string | null
  isEditor: boolean
  deviceSha256: Buffer | null
}

async function addComment(ctx: Context, comment: NewComment): Promise<Comment> {
  return ctx.db.transaction().execute(async (trx) => {
    // Writers of one link wait for each other, so that its limit is exact.
    await trx
      .selectFrom('shares')
      .select('id')
      .where('id', '=', comment.shareId)
      .forUpdate()
      .executeTakeFirst()
    const sent =
      comment.deviceSha256 && (await findSent(trx, comment.shareId, comment.deviceSha256))
    if (sent) {
      // One that was changed since may have been sent so.
      if (sent.text === comment.text || sent.edited_at !== null) return sent
      throw new Refusal(
        'duplicate',
        'Another comment has this device secret. Use a new one for each comment.',
        { field: 'device_secret' },
      )
    }
    const comments = trx.selectFrom('share_comments').where('share_id', '=', comment.shareId)
    const sentence = `This link has ${shareLimits.comments} comments. Please ask for a new one.`
    await refuseFull(comments, shareLimits.comments, sentence)
    let { replyTo } = comment
    if (replyTo) {
      const to = await trx
        .selectFrom('share_comments')
        .select(['id', 'reply_to'])
        .where('id', '=', replyTo)
        .where('share_id', '=', comment.shareId)
        .executeTakeFirst()
      if (!to) throw notFound('The comment')
      // An answer to an answer stands in the same thread.
      replyTo = to.reply_to ?? to.id
    }
    const row = await trx
      .insertInto('share_comments')
      .values({
        share_id: comment.shareId,
        account_id: comment.accountId,
        reply_to: replyTo,
        name: comment.name,
        text: comment.text,
        at_frame: comment.at,
        out_frame: comment.out,
        version: comment.version,
        is_editor: comment.isEditor,
        device_sha256: comment.deviceSha256,
        created_at: ctx.now(),
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    return toComment(row)
  })
}

/** The comment that this device has sent already. */
async function findSent(db: Db, shareId: string, deviceSha256: Buffer): Promise<Comment | null> {
  const row = await db
    .selectFrom('share_comments')
    .select(columns)
    .where('share_id', '=', shareId)
    .where('device_sha256', '=', deviceSha256)
    .executeTakeFirst()
  return row ? toComment(row) : null
}

export async function readComments(
  db: Db,
  /** Those of a link, or those of an account's own cut or job. */
  input:
    | { shareId: string }
    | { accountId: string; cutId: string | undefined; jobId: string | undefined },
): Promise<Comment[]> {
  let query = db.selectFrom('shared_comments').select(columns)
  if ('shareId' in input) query = query.where('share_id', '=', input.shareId)
  else {
    query = query.where('account_id', '=', input.accountId)
    if (input.cutId) query = query.where('cut_id', '=', input.cutId)
    if (input.jobId) query = query.where('job_id', '=', input.jobId)
  }
  const rows = await query.orderBy('at_frame').orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => toComment(row))
}

interface Row {
  id: string
  name: string
  text: string
  at_frame: number
  out_frame: number | null
  version: number
  is_editor: boolean
  reply_to: string | null
  done_at: Date | null
  created_at: Date
  edited_at: Date | null
}

function toComment(row: Row, nowAt: number | null = row.at_frame): Comment {
  return {
    id: row.id,
    name: row.name,
    text: row.text,
    at: row.at_frame,
    out: row.out_frame,
    version: row.version,
    now_at: nowAt,
    is_editor: row.is_editor,
    reply_to: row.reply_to,
    done: row.done_at !== null,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  }
}
