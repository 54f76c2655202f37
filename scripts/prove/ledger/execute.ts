/** Runs an operation through the product's verbs, and reads the whole state back for comparison. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { grantFreeCredit } from '../../../server/billing/grant.ts'
import { captureHold, placeHold, releaseHold } from '../../../server/billing/hold.ts'
import {
  adjust,
  creditPurchase,
  creditReload,
  expireLots,
  refund,
  settleReversal,
} from '../../../server/billing/ledger.ts'
import type { Db } from '../../../server/ground/database.ts'
import type { LedgerModel, Outcome } from './model.ts'
import type { Operation } from './operations.ts'

export async function execute(db: Db, operation: Operation): Promise<Outcome> {
  try {
    const { transactionId: _, ...outcome } = (await call(db, operation)) as Outcome
    return outcome
  } catch (error) {
    if ((error as { message: string }).message.includes('used before with other values')) {
      return { conflict: true }
    }
    throw error
  }
}

async function call(db: Db, o: Operation): Promise<object> {
  const now = new Date(o.at)
  switch (o.op) {
    case 'grant':
      return grantFreeCredit(db, { accountId: o.account, now })
    case 'purchase':
    case 'reload': {
      const bought = {
        accountId: o.account,
        packageId: 'pkg-proof',
        packageName: 'PROOF',
        priceMicros: o.price,
        bonusMicros: o.bonus,
        bonusPercent: Math.round((100 * o.bonus) / o.price),
        now,
      }
      return o.op === 'purchase'
        ? creditPurchase(db, { ...bought, checkoutSessionId: o.ref })
        : creditReload(db, { ...bought, reloadId: o.ref })
    }
    case 'adjust':
      return adjust(db, {
        accountId: o.account,
        reference: o.ref,
        amountMicros: o.amount,
        reason: 'proof',
        now,
      })
    case 'hold':
      return placeHold(db, { accountId: o.account, jobId: o.job, amountMicros: o.amount, now })
    case 'capture':
      return captureHold(db, {
        jobId: o.job,
        amountMicros: o.amount,
        description: 'Proof',
        seconds: 1,
        now,
      })
    case 'release':
      return releaseHold(db, { jobId: o.job, now })
    case 'refund':
      return refund(db, {
        jobId: o.job,
        reference: o.ref,
        amountMicros: o.amount ?? undefined,
        reason: 'proof',
        now,
      })
    case 'reverse':
      return settleReversal(db, {
        purchaseKey: o.purchase,
        reversedMicros: o.reversed,
        description: 'Proof',
        now,
      })
    case 'expire':
      await expireLots(db, { accountId: o.account, now })
      return { ok: true }
  }
}

/** Accounts with a verified identity each. */
export async function openAccounts(db: Db, ids: string[]): Promise<void> {
  await sql`insert into accounts (id, email, email_verified, username)
    select id, id || '@example.test', true, 'proof' from unnest(${ids}::uuid[]) id
    on conflict do nothing`.execute(db)
  await sql`insert into identities (provider, subject, account_id, email, email_verified)
    select 'github', id, id, id || '@example.test', true from unnest(${ids}::uuid[]) id
    on conflict do nothing`.execute(db)
}

/** Every row of every ledger table in an order and with names that do not depend on chance. */
const stateQueries = [
  `select w.* from ledger_wallets w order by account_id`,
  `select t.account_id, t.kind,
     case t.kind when 'expire' then 'expire:' || o.key else t.key end as key, t.job_id,
     r.key as reverses, t.amount_micros, t.held_change_micros, t.balance_after_micros,
     t.description, t.metadata, t.bonus_percentage, t.created_at
   from ledger_transactions t
   left join ledger_transactions r on r.id = t.reverses
   left join ledger_lots l on t.key = 'expire:' || l.id
   left join ledger_transactions o on o.id = l.opened_by
   order by t.account_id, t.seq`,
  `select case t.kind when 'expire' then 'expire:' || o.key else t.key end as key, e.line, e.book,
     o.key as lot, l.kind, e.amount_micros
   from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
   left join ledger_lots l on l.id = e.lot_id
   left join ledger_transactions o on o.id = l.opened_by
   order by 1, e.line`,
  `select l.account_id, o.key, l.kind, l.granted_micros, l.available_micros, l.spendable,
     l.expires_at
   from ledger_lots l join ledger_transactions o on o.id = l.opened_by order by o.key, l.kind`,
  `select h.job_id, o.key, l.kind, h.account_id, h.held_micros
   from ledger_holds h join ledger_lots l on l.id = h.lot_id
   join ledger_transactions o on o.id = l.opened_by order by h.job_id, o.key, l.kind`,
  `select encode(identity_sha256, 'hex') as identity, month, account_id
   from ledger_grant_claims order by 1, 2`,
]

/** One hash over the full state. */
export async function hashState(db: Db): Promise<string> {
  const hash = createHash('sha256')
  for (const query of stateQueries) {
    const { rows } = await sql.raw(query).execute(db)
    for (const row of rows) hash.update(JSON.stringify(row)).update('\n')
  }
  return hash.digest('hex')
}

interface StoredAccount {
  available: number
  held: number
  debt: number
}

/** Where the database's state differs from the model's: wallets, lots, holds, transactions. */
export async function compareState(db: Db, model: LedgerModel): Promise<string[]> {
  const [wallets, transactions, , lots, holds] = await Promise.all(
    stateQueries.map(async (query) => (await sql.raw<Row>(query).execute(db)).rows),
  )
  const stored = new Map<string, StoredAccount>()
  for (const row of wallets ?? []) {
    stored.set(text(row.account_id), {
      available: Number(row.available_micros),
      held: Number(row.held_micros),
      debt: Number(row.debt_micros),
    })
  }
  const actual = {
    wallets: [...stored].map(([id, sums]) => `${id} ${JSON.stringify(sums)}`),
    transactions: (transactions ?? []).map((row) =>
      line(
        row.account_id,
        row.key,
        row.amount_micros,
        row.held_change_micros,
        row.balance_after_micros,
        (row.created_at as Date).getTime(),
      ),
    ),
    lots: (lots ?? []).map((row) =>
      line(`${text(row.key)}/${text(row.kind)}`, row.granted_micros, row.available_micros),
    ),
    holds: (holds ?? [])
      .filter((row) => Number(row.held_micros) > 0)
      .map((row) => line(row.job_id, `${text(row.key)}/${text(row.kind)}`, row.held_micros)),
  }
  const expected = expectedOf(model)
  return (Object.keys(expected) as (keyof typeof expected)[]).flatMap((part) =>
    difference(part, expected[part], actual[part]),
  )
}

type Row = Record<string, unknown>

function expectedOf(
  model: LedgerModel,
): Record<'wallets' | 'transactions' | 'lots' | 'holds', string[]> {
  const accounts = [...model.accounts.values()]
  const open = [...model.jobs].filter(([, job]) => job.state === 'held')
  const heldOf = (id: string): number =>
    open.reduce((sum, [, job]) => (job.account.id === id ? sum + job.held : sum), 0)
  return {
    wallets: accounts.map((account) => {
      const available = account.lots.reduce((sum, lot) => sum + lot.left, 0)
      const sums = { available, held: heldOf(account.id), debt: account.debt || 0 }
      return `${account.id} ${JSON.stringify(sums)}`
    }),
    transactions: accounts.flatMap((account) =>
      account.posted.map((posted) =>
        line(
          account.id,
          // The model names a lot by the transaction that opened it; only free lots expire.
          posted.key.startsWith('expire:') ? posted.key.replace(/\/free$/, '') : posted.key,
          posted.amount,
          posted.heldChange,
          posted.balanceAfter,
          posted.at,
        ),
      ),
    ),
    lots: accounts.flatMap((account) =>
      account.lots.map((lot) => line(lot.label, lot.granted, lot.left)),
    ),
    holds: open.flatMap(([id, job]) =>
      job.parts.map((part) => line(id, part.lot.label, part.micros)),
    ),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function line(...values: unknown[]): string {
  return values.map(text).join(' ')
}

function difference(part: string, expected: string[], actual: string[]): string[] {
  const wanted = new Set(expected)
  const got = new Set(actual)
  const missing = expected.filter((row) => !got.has(row)).map((row) => `${part}: missing ${row}`)
  const extra = actual.filter((row) => !wanted.has(row)).map((row) => `${part}: unexpected ${row}`)
  const doubled = actual.length - got.size
  return [...missing, ...extra, ...(doubled > 0 ? [`${part}: ${doubled} rows twice`] : [])]
}

/** The rows that differ, in words; null when the answers are the same. */
export function compareOutcome(
  operation: Operation,
  expected: Outcome,
  found: Outcome,
): string | null {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)])
  const differs = [...names].some((name) => expected[name] !== found[name])
  if (!differs) return null
  return `${JSON.stringify(operation)} answered ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`
}
