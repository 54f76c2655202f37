/**
 * Shows a shared cut or review to anyone with its link. Every call looks the link up again, so a
 * withdrawn one shows nothing more at once, not even a proxy that is playing.
 */
import { extname } from 'node:path'
import { fileMediaTypes } from '../../contract/media-types.ts'
import type { Selectable } from 'kysely'
import type { SharedView } from '../../contract/footage/shares.ts'
import { hashToken } from '../sign-in/token.ts'
import { sendObject } from '../content/send-object.ts'
import { readTranscripts } from '../cuts/transcript.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { isPass, isPassword, makePass, networkHash } from './password.ts'
import { isPlayed, planProxy, readPlayed } from './played.ts'
import { bringProxy, describeProxy, findPlayable, stateOf } from './proxies.ts'

/**
 * Limits wrong passwords, per process: of one network for a link and, more slowly, of all networks
 * that have not entered the right one yet. One stranger keeps nobody else out, a crowd keeps out
 * nobody who was in before, and neither guesses fast.
 */
const ownGuesses = createRateLimiter({ perSecond: 0.1, burst: 10 })
const allGuesses = createRateLimiter({ perSecond: 1 / 60, burst: 100 })

export interface OpenShare {
  id: string
  accountId: string
  cutId: string | null
  jobId: string | null
  sharedBy: string
  passwordHash: string | null
  expiresAt: Date
}

export const openShare: Verb<'openShare'> = async (ctx, { network }, { params, body }) => {
  const { id, passwordHash: hash } = await findShare(ctx, params.token)
  if (hash === null) {
    throw new Refusal('invalid', 'This link asks for no password.')
  }
  const reader = { share_id: id, network_sha256: networkHash(network, { id, hash }) }
  const isKnown = await isReader(ctx, reader)
  const caller = `${id} ${network}`
  ownGuesses.take(caller, Date.now())
  if (!isKnown) allGuesses.take(id, Date.now())
  if (!(await isPassword(body.password, hash))) {
    throw new Refusal('forbidden', 'This is not the password of this link.', { field: 'password' })
  }
  ownGuesses.giveBack(caller)
  if (!isKnown) {
    allGuesses.giveBack(id)
    await ctx.db
      .insertInto('share_readers')
      .values(reader)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const { pass, expiresAt } = makePass({ id, hash }, ctx.now())
  return { pass, expires_at: expiresAt.toISOString() }
}

async function isReader(ctx: Context, reader: Selectable<Tables['share_readers']>) {
  const row = await ctx.db
    .selectFrom('share_readers')
    .select('share_id')
    .where('share_id', '=', reader.share_id)
    .where('network_sha256', '=', reader.network_sha256)
    .executeTakeFirst()
  return row !== undefined
}

export const getShared: Verb<'getShared'> = async (ctx, _anyone, { params, query }) => {
  const share = await requireShare(ctx, params.token, query.pass)
  const newest = await readPlayed(ctx, share)
  if (!newest) throw notFound('The cut')
  const { version, updated_at: savedAt } = newest.saved.cut
  const plan = await planProxy(ctx, share, newest)
  const wanted = { version, savedAt: new Date(savedAt), plan }
  const { shown, current, problem } = await bringProxy(ctx, share, wanted)
  // One that only takes more in is shown as long as the proxy of the newest is being made.
  const isOlder = shown !== null && shown.id !== current?.id
  const older = isOlder ? await readPlayed(ctx, share, shown.version) : null
  const rendered = isOlder && !older ? null : (shown?.made ?? null)
  const played = older ?? newest
  const { cut } = played.saved
  const address = `${ctx.config.publicUrl}/v1/shares/${params.token}/media/${shown?.id}`
  const ending = query.pass ? `?pass=${query.pass}` : ''
  const keys = [...played.known.keys()]
  const keyOf = (contentId: string): string => `s${keys.indexOf(contentId) + 1}`
  const transcripts = await readTranscripts(ctx, share.accountId, played.saved)
  const shared: SharedView = {
    kind: share.cutId ? 'cut' : 'review',
    name: cut.name,
    project_name: played.projectName,
    shared_by: share.sharedBy,
    expires_at: share.expiresAt.toISOString(),
    version: cut.version,
    frame_rate: cut.frame_rate,
    drop_frame: cut.drop_frame,
    start_timecode: cut.start_timecode,
    ranges: played.events.map((event, index) => ({
      id: `r${index + 1}`,
      content_id: keyOf(event.contentId),
      in: event.in,
      out: event.out,
      name: cut.ranges[event.rangeIndex]?.name ?? '',
      note: '',
      disabled: false,
      removed: [],
    })),
    sources: played.sources.map(({ job_id: _, pictures: __, ...source }) => ({
      ...source,
      content_id: keyOf(source.content_id),
    })),
    proxy: {
      ...stateOf(ctx, rendered ? shown : current, rendered ? null : problem),
      ...(rendered
        ? describeProxy(rendered, (file) => `${address}/${file}${ending}`)
        : { proxy: null, poster_url: null, sprite: null, waveform: null }),
    },
    // Words that were cut out stay private.
    transcripts: transcripts.flatMap((text) =>
      keys.includes(text.content_id)
        ? {
            ...text,
            content_id: keyOf(text.content_id),
            words: text.words.filter((word) => {
              const middle = (word.in + word.out - 1) / 2
              return [played, newest].every((each) => isPlayed(each, text.content_id, middle))
            }),
          }
        : [],
    ),
  }
  return { shared }
}

export const getSharedFile: Verb<'getSharedFile'> = async (ctx, _anyone, input, exchange) => {
  const { token, proxy, name } = input.params
  const share = await requireShare(ctx, token, input.query.pass)
  const newest = await readPlayed(ctx, share)
  const plan = newest && (await planProxy(ctx, share, newest))
  const playable = plan ? await findPlayable(ctx.db, share.id, plan) : []
  if (playable.every(({ id }) => id !== proxy)) throw notFound('The file')
  const file = await ctx.db
    .selectFrom('share_proxy_files')
    .select(['storage_key', 'bytes'])
    .where('proxy_id', '=', proxy)
    .where('name', '=', name)
    .executeTakeFirst()
  if (!file) throw notFound('The file')
  await sendObject(ctx, exchange, {
    key: file.storage_key,
    sizeBytes: file.bytes,
    etag: hashToken(file.storage_key).toString('hex'),
    headers: {
      'content-type': fileMediaTypes[extname(name)] ?? 'application/octet-stream',
      'content-disposition': 'inline',
      // Asked for again each time, so that a withdrawn link is dark.
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-site',
    },
  })
}

/** The link, if it is open and the password, where one is asked for, was given. */
export async function requireShare(
  ctx: Context,
  token: string,
  pass: string | undefined,
): Promise<OpenShare> {
  const share = await findShare(ctx, token)
  const { id, passwordHash: hash } = share
  if (hash !== null && !isPass(pass ?? '', { id, hash }, ctx.now())) {
    throw new Refusal('forbidden', `${share.sharedBy} protected this link with a password.`, {
      field: 'password',
    })
  }
  return share
}

async function findShare(ctx: Context, token: string): Promise<OpenShare> {
  const row = await ctx.db
    .selectFrom('shares as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select([
      ...(['s.id', 's.account_id', 's.cut_id', 's.job_id', 's.password_hash'] as const),
      ...(['s.expires_at', 's.revoked_at', 'a.name', 'a.username'] as const),
    ])
    .where('s.token_sha256', '=', hashToken(token))
    .executeTakeFirst()
  if (!row) throw notFound('The link')
  const sharedBy = row.name ?? row.username
  if (row.revoked_at) throw new Refusal('gone', `${sharedBy} has revoked this link.`)
  if (row.expires_at <= ctx.now()) {
    throw new Refusal('gone', `This link has ended. Please ask ${sharedBy} for a new one.`)
  }
  return {
    id: row.id,
    accountId: row.account_id,
    cutId: row.cut_id,
    jobId: row.job_id,
    sharedBy,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
  }
}
