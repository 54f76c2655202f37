/** Settings of a person for all of their work. */
import { sql } from 'kysely'
import type { Preferences } from '../../contract/account/accounts.ts'
import { readMailChoices, saveMailChoices } from '../mail/choices.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'

export const getPreferences: Verb<'getPreferences'> = async (ctx, actor) => {
  return { preferences: await readPreferences(ctx, actor.accountId) }
}

/** Two tabs may each set another field at once, so the fields are joined in the database. */
export const savePreferences: Verb<'savePreferences'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const { mail: choices = {}, ...rest } = input.body
  const changed = JSON.stringify(rest)
  const preferences = await ctx.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('accounts')
      .set({ preferences: sql`preferences || ${changed}::jsonb` })
      .where('id', '=', accountId)
      .execute()
    await saveMailChoices(trx, { accountId, choices, now: ctx.now() })
    return readPreferences({ db: trx }, accountId)
  })
  return { preferences }
}

export async function readPreferences(
  { db }: Pick<Context, 'db'>,
  accountId: string,
): Promise<Preferences> {
  const { preferences } = await db
    .selectFrom('accounts')
    .select('preferences')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { ...preferences, mail: await readMailChoices(db, accountId) }
}
