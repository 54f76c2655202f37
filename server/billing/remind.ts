import { sql } from 'kysely'
import { freeCreditMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'

const soonMs = 3 * 24 * 3_600_000

/** E-mails those who asked for it when free credit expires within three days: once for each lot. */
export async function remindOfFreeCredit(ctx: Context): Promise<{ lots: number }> {
  if (!ctx.config.mail) return { lots: 0 }
  const now = ctx.now()
  const { rows } = await sql<{
    id: string
    account_id: string
    available_micros: number
    expires_at: Date
  }>`select l.id, l.account_id, l.available_micros, l.expires_at
    from ledger_lots l
    join mail_choices c on c.account_id = l.account_id and c.kind = 'free_credit' and c.wanted
    where l.spendable and l.kind = 'free' and l.available_micros > 0
      and l.expires_at > ${now} and l.expires_at <= ${new Date(now.getTime() + soonMs)}`.execute(
    ctx.db,
  )
  for (const lot of rows) {
    await ctx.db.transaction().execute((trx) =>
      queueMail(ctx, trx, {
        accountId: lot.account_id,
        kind: 'free_credit',
        cause: `lot:${lot.id}`,
        content: freeCreditMail({
          availableMicros: lot.available_micros,
          expiresAt: lot.expires_at,
        }),
      }),
    )
  }
  return { lots: rows.length }
}
