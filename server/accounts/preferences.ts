/** What a person set once for all of their work. */
import { sql } from 'kysely'
import type { accountEndpoints, Preferences } from '../../contract/accounts.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { SessionActor } from '../actor.ts'
import type { Context } from '../process/context.ts'

export async function getPreferences(
  ctx: Context,
  actor: SessionActor,
): Promise<{ preferences: Preferences }> {
  return { preferences: await readPreferences(ctx, actor.accountId) }
}

/** Two tabs may each set another field at once, so the fields are joined in the database. */
export async function savePreferences(
  ctx: Context,
  actor: SessionActor,
  input: Input<typeof accountEndpoints.savePreferences>,
): Promise<{ preferences: Preferences }> {
  const changed = JSON.stringify(input.body)
  const { preferences } = await ctx.db
    .updateTable('accounts')
    .set({ preferences: sql`preferences || ${changed}::jsonb` })
    .where('id', '=', actor.accountId)
    .returning('preferences')
    .executeTakeFirstOrThrow()
  return { preferences }
}

export async function readPreferences(ctx: Context, accountId: string): Promise<Preferences> {
  const { preferences } = await ctx.db
    .selectFrom('accounts')
    .select('preferences')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return preferences
}
