/** Lists messages that wait after a failure or were set aside, and sends them again. */
import type { Context } from '../ground/context.ts'
import { deliverDueMail } from './deliver.ts'

export async function listOpenMail(ctx: Context): Promise<Record<string, unknown>[]> {
  return ctx.db
    .selectFrom('mails')
    .select(['id', 'account_id', 'kind', 'cause', 'created_at', 'tries', 'next_try_at'])
    .select(['last_error', 'outcome'])
    .where((row) =>
      row.or([
        row('outcome', '=', 'dead'),
        row.and([row('outcome', 'is', null), row('tries', '>', 0)]),
      ]),
    )
    .orderBy('created_at')
    .limit(1000)
    .execute()
}

/** Makes dead messages due again, those named or all of them, and sends what is due. */
export async function resendMail(
  ctx: Context,
  ids: readonly string[],
): Promise<Record<string, number>> {
  let dead = ctx.db
    .updateTable('mails')
    .set({ outcome: null, ended_at: null, tries: 0, next_try_at: ctx.now() })
    .where('outcome', '=', 'dead')
  if (ids.length > 0) dead = dead.where('id', 'in', [...ids])
  await dead.execute()
  return deliverDueMail(ctx)
}

export async function eraseMail(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('mails').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('mail_choices').where('account_id', '=', accountId).execute()
}

/** Sent messages are deleted after a while; the cause is long past by then. */
export async function expireMail(ctx: Context, before: Date): Promise<number> {
  const deleted = await ctx.db
    .deleteFrom('mails')
    .where('created_at', '<', before)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
