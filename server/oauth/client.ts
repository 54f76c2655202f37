import type { Selectable } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

/**
 * Registering is free and needs no account, so the number of clients is capped. At the cap, the
 * oldest clients that nobody ever allowed are deleted, so that nobody can lock others out by
 * registering. Unused clients are also deleted by age (server/privacy/retention.ts).
 */
const maxClients = 100_000
const roomClients = 1000

export const registerOauthClient: Verb<'registerOauthClient'> = async (ctx, _actor, { body }) => {
  const now = ctx.now()
  const { count } = await ctx.db
    .selectFrom('oauth_clients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxClients && !(await makeRoom(ctx))) {
    throw new Refusal('limit_reached', 'Too many programs are registered. Please use an API key.')
  }
  const row = await ctx.db
    .insertInto('oauth_clients')
    .values({
      name: body.client_name ?? 'A program without a name',
      redirect_uris: body.redirect_uris,
      created_at: now,
      last_used_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    client_id: row.id,
    client_id_issued_at: Math.floor(row.created_at.getTime() / 1000),
    client_name: row.name,
    redirect_uris: row.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  }
}

async function makeRoom(ctx: Context): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('oauth_clients')
    .where('id', 'in', (client) =>
      client
        .selectFrom('oauth_clients')
        .select('id')
        .whereRef('last_used_at', '=', 'created_at')
        .orderBy('created_at')
        .limit(roomClients),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The client, where the address that it wants the person sent back to is one of its own. */
export async function findClient(
  ctx: Context,
  request: { client_id: string; redirect_uri: string },
): Promise<Selectable<Tables['oauth_clients']>> {
  const client = await ctx.db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', request.client_id)
    .executeTakeFirst()
  if (!client) throw notFound('The program that asks')
  const isOwn = client.redirect_uris.some((own) => isSameRedirect(own, request.redirect_uri))
  if (!isOwn) {
    const message = 'The program asks to send you to an address that it did not register.'
    throw new Refusal('invalid', message, { field: 'redirect_uri' })
  }
  return client
}

/** Programs on the person's machine listen on whatever port is free (RFC 8252). */
function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const [own, other] = [new URL(registered), new URL(asked)]
  if (own.protocol !== 'http:') return false
  own.port = ''
  other.port = ''
  return own.href === other.href
}
