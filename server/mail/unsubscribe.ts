/**
 * The link that stops one kind of e-mail, for whoever holds the message: no session is needed. It
 * is signed, names an account and a kind, and can do nothing else, so it does not expire.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mailKinds } from '../../domain/mail-kinds.ts'
import type { MailKind } from '../../domain/mail-kinds.ts'
import { signingKey } from '../ground/signing-key.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import { readMailChoices, saveMailChoices } from './choices.ts'

type Right = { accountId: string; kind: MailKind }

export async function unsubscribeUrl(ctx: Context, right: Right): Promise<string> {
  const payload = Buffer.from(`${right.accountId}.${right.kind}`).toString('base64url')
  const token = `${payload}.${await sign(ctx, payload)}`
  return `${ctx.config.publicUrl}/v1/mail/unsubscribe?token=${token}`
}

export const openUnsubscribe: Verb<'openUnsubscribe'> = async (
  ctx,
  _actor,
  { query },
  { reply },
) => {
  const page = new URL('/unsubscribe', ctx.config.publicUrl)
  page.searchParams.set('token', query.token)
  reply.header('cache-control', 'no-store').redirect(page.href)
}

export const unsubscribe: Verb<'unsubscribe'> = async (ctx, _actor, { query }, { request }) => {
  // Mail programs send a fixed form here; the token says everything.
  request.raw.resume()
  await choose(ctx, await readToken(ctx, query.token), false)
  return { ok: true }
}

export const getMailSubscription: Verb<'getMailSubscription'> = async (ctx, _actor, { query }) => ({
  subscription: await show(ctx, await readToken(ctx, query.token)),
})

export const saveMailSubscription: Verb<'saveMailSubscription'> = async (ctx, _actor, { body }) => {
  const right = await readToken(ctx, body.token)
  await choose(ctx, right, body.wanted)
  return { subscription: await show(ctx, right) }
}

async function choose(ctx: Context, right: Right, wanted: boolean): Promise<void> {
  await saveMailChoices(ctx.db, {
    accountId: right.accountId,
    choices: { [right.kind]: wanted },
    now: ctx.now(),
  })
}

async function show(ctx: Context, { accountId, kind }: Right) {
  const about = mailKinds.find(({ id }) => id === kind)
  if (!about) throw notFound('This link')
  const { [kind]: wanted } = await readMailChoices(ctx.db, accountId)
  return { kind, name: about.name, description: about.description, wanted }
}

/** A link of an account that was erased answers as one that never was. */
async function readToken(ctx: Context, token: string): Promise<Right> {
  const [payload = '', signature = ''] = token.split('.')
  const expected = Buffer.from(await sign(ctx, payload))
  const presented = Buffer.from(signature)
  const isOurs = expected.length === presented.length && timingSafeEqual(expected, presented)
  const [accountId = '', kind] = Buffer.from(payload, 'base64url').toString().split('.')
  const known = mailKinds.find(({ id }) => id === kind)
  if (!isOurs || !known) throw notFound('This link')
  const account = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('email', 'not like', '%@erased.invalid')
    .executeTakeFirst()
  if (!account) throw notFound('This link')
  return { accountId, kind: known.id }
}

async function sign(ctx: Context, payload: string): Promise<string> {
  const key = await signingKey(ctx, 'mail')
  return createHmac('sha256', key).update(`unsubscribe ${payload}`).digest('base64url')
}
