/** Which kinds of e-mail an account wants. */
import { mailKinds } from '../../domain/mail-kinds.ts'
import type { MailKind } from '../../domain/mail-kinds.ts'
import type { MailChoices } from '../../contract/account/mail.ts'
import type { Db } from '../ground/database.ts'

export async function readMailChoices(db: Db, accountId: string): Promise<MailChoices> {
  const rows = await db
    .selectFrom('mail_choices')
    .select(['kind', 'wanted'])
    .where('account_id', '=', accountId)
    .execute()
  const chosen = new Map(rows.map((row) => [row.kind, row.wanted]))
  const all = mailKinds.map(({ id, standard }) => [id, chosen.get(id) ?? standard] as const)
  return Object.fromEntries(all) as MailChoices
}

export async function saveMailChoices(
  db: Db,
  input: { accountId: string; choices: Partial<MailChoices>; now: Date },
): Promise<void> {
  const rows = Object.entries(input.choices).map(([kind, wanted]) => ({
    account_id: input.accountId,
    kind: kind as MailKind,
    wanted,
    chosen_at: input.now,
  }))
  if (rows.length === 0) return
  await db
    .insertInto('mail_choices')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'kind']).doUpdateSet((row) => ({
        wanted: row.ref('excluded.wanted'),
        chosen_at: row.ref('excluded.chosen_at'),
      })),
    )
    .execute()
}

/** True if a person wants this kind of e-mail: the address is verified and the kind switched on. */
export async function isMailWanted(
  db: Db,
  mail: { accountId: string; kind: MailKind | 'requested' },
): Promise<boolean> {
  const { kind } = mail
  if (!(await findAddress(db, mail.accountId))) return false
  return kind === 'requested' || (await readMailChoices(db, mail.accountId))[kind]
}

/**
 * The verified address of an account. One that a mail server could read as anything but a single
 * address is no address.
 */
export async function findAddress(db: Db, accountId: string): Promise<string | null> {
  const account = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('email_verified', '=', true)
    .executeTakeFirst()
  const isAddress = /^[^\s@,;:<>()[\]\\"]{1,64}@[\w.-]{1,190}\.[\w-]{2,}$/u
  if (!account || !isAddress.test(account.email)) return null
  return account.email.endsWith('.invalid') ? null : account.email
}
