/**
 * E-mail. A message is a row that is written in the transaction of its cause, and a task that the
 * same transaction enqueues: no cause, no message; no message without its cause.
 *
 * INVARIANTS
 *  1. One row for (account, kind, cause): a cause that is processed twice makes one message.
 *  2. A row is sent at least once or set aside as dead. A process that dies after the mail server
 *     took a message and before the row says so sends it a second time, with the same Message-ID,
 *     by which mail programs recognise it. SMTP offers nothing stronger.
 *  3. Only a verified address gets mail: another might be a stranger's.
 *
 * STATES: queued → sent | unwanted | dead (deliver.ts). `operator mail` lists and resends the dead.
 */
import type { Transaction } from 'kysely'
import type { MailKind } from '../../domain/mail-kinds.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { isMailWanted } from './choices.ts'
import type { MailContent } from './content.ts'

export const sendMailQueue = 'send-mail'

export interface Mail {
  accountId: string
  /** `requested`: the answer to something that the person asked for just now. */
  kind: MailKind | 'requested'
  /** The id of whatever happened; a second message of the same kind and cause is dropped. */
  cause: string
  content: MailContent
}

/** Does nothing where no mail server is set, the address is not verified, or the kind is off. */
export async function queueMail(ctx: Context, trx: Transaction<Tables>, mail: Mail): Promise<void> {
  if (!ctx.config.mail) return
  if (!(await isMailWanted(trx, mail))) return
  const now = ctx.now()
  const queued = await trx
    .insertInto('mails')
    .values({
      account_id: mail.accountId,
      kind: mail.kind,
      cause: mail.cause,
      content: JSON.stringify(mail.content),
      created_at: now,
      next_try_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'cause']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (queued) await ctx.queue.send(sendMailQueue, { mailId: queued.id }, { trx })
}
