/**
 * A ticket is a signed statement "the bearer may read this one object until then, as long as the
 * session or key that asked for it lives". It stands in an address that a browser opens by itself,
 * where no bearer header can travel. The signing key is made once for each database, so that every
 * process honours every ticket.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Member, TicketActor } from './actor.ts'
import type { Context } from './context.ts'
import { credentialOf, liveCredentials } from './credential.ts'
import { signingKey } from './signing-key.ts'

export type TicketScope = 'download' | 'play' | 'thumbnail' | 'job-files' | 'cut-files'

export async function issueTicket(
  ctx: Context,
  actor: Member,
  right: { scope: TicketScope; objectId: string; lifeSeconds: number },
): Promise<{ ticket: string; expiresAt: Date }> {
  const expiresAt = new Date(ctx.now().getTime() + right.lifeSeconds * 1000)
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  const { kind, id } = credentialOf(actor)
  const payload = [actor.accountId, right.scope, right.objectId, seconds, kind, id].join('.')
  const signature = sign(await signingKey(ctx, 'ticket'), payload)
  return { ticket: `${Buffer.from(payload).toString('base64url')}.${signature}`, expiresAt }
}

export async function verifyTicket(
  ctx: Context,
  ticket: string,
  wanted: { scope: string; objectId: string },
): Promise<TicketActor | null> {
  const [encoded = '', signature = ''] = ticket.split('.')
  const payload = Buffer.from(encoded, 'base64url').toString()
  const expected = Buffer.from(sign(await signingKey(ctx, 'ticket'), payload))
  const presented = Buffer.from(signature)
  if (expected.length !== presented.length || !timingSafeEqual(expected, presented)) return null
  const [accountId = '', scope = '', objectId = '', seconds = '0', kind, id = ''] =
    payload.split('.')
  if (scope !== wanted.scope || objectId !== wanted.objectId) return null
  if (ctx.now().getTime() >= Number(seconds) * 1000) return null
  // Tickets of older versions name no credential, so they are not honoured.
  if (kind !== 'session' && kind !== 'key') return null
  const credential = { kind, id } as const
  if (!(await liveCredentials(ctx, [credential])).has(id)) return null
  return { kind: 'ticket', accountId, scope, objectId, credential }
}

function sign(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}
