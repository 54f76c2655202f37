/** What a person set once for all of their work. */
import { sql } from 'kysely'
import type { Preferences } from '../../contract/accounts.ts'
import type { Context } from '../process/context.ts'
import type { Verb } from '../verb.ts'

export const getPreferences: Verb<'getPreferences'> = async (ctx, actor) => {
  return { preferences: await readPreferences(ctx, actor.accountId) }
}

/** Two tabs may each set another field at once, so the fields are joined in the database. */
export const savePreferences: Verb<'savePreferences'> = async (ctx, actor, input) => {
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
