/**
 * Bugs planted into the functions of a scratch database. Each must be caught: by the database that
 * refuses, by an answer or a state that differs from the model's, or by the check of the ledger.
 */
import { sql } from 'kysely'
import { checkLedger } from '../../../server/billing/check.ts'
import type { Db } from '../../../server/ground/database.ts'
import { compareOutcome, compareState, execute, openAccounts } from './execute.ts'
import { LedgerModel } from './model.ts'
import { accountsOf, operationsOf } from './operations.ts'

export interface Planted {
  bug: string
  in: string
  replace: [from: string, to: string][]
  /** Sends operations of one account side by side, which a missing lock needs to show. */
  parallel?: boolean
}

export const plantedBugs: readonly Planted[] = [
  {
    bug: 'credit is spent oldest first, whatever its kind or expiry',
    in: 'ledger_place_hold',
    replace: [["order by expires_at nulls last, kind = 'paid', seq", 'order by seq']],
  },
  {
    bug: 'a release gives lapsed free credit back',
    in: 'ledger_close_hold',
    replace: [['part.expires_at <= at', 'false']],
  },
  {
    bug: 'an operation that was sent before is not recognised',
    in: 'ledger_place_hold',
    replace: [['where key = this_key', 'where false']],
  },
  {
    bug: 'an account is not locked',
    in: 'ledger_lock',
    replace: [[' for no key update', '']],
    parallel: true,
  },
  {
    bug: 'a capture books one micro-dollar too little',
    in: 'ledger_close_hold',
    replace: [['array[-taken, taken]', 'array[-taken, taken - 1]']],
  },
  {
    bug: 'held credit is not counted in the wallet',
    in: 'ledger_post',
    replace: [['held_micros = held_micros + held', 'held_micros = held_micros']],
  },
  {
    bug: 'a charge can be refunded again and again',
    in: 'ledger_refund',
    replace: [['(t.id = capture.id or t.reverses = capture.id)', 't.id = capture.id']],
  },
  {
    bug: 'a chargeback leaves the bonus',
    in: 'ledger_take_back',
    replace: [['part := least(in_bonus - revoked, lot.available_micros)', 'part := 0']],
  },
  {
    bug: 'a won dispute does not return to the cash book',
    in: 'ledger_give_back',
    replace: [['lines.books', "array_replace(lines.books, 'cash', 'adjustment')"]],
  },
  {
    bug: 'what went back is counted again with every event',
    in: 'ledger_settle_reversal',
    replace: [["filter (where e.book = 'cash' and not won)", 'filter (where false)']],
  },
  {
    bug: 'a won dispute leaves the bonus revoked',
    in: 'ledger_settle_reversal',
    replace: [['greatest(revoked - due, 0)', '0']],
  },
]

/** Those that the proof of refunds and disputes must catch through the provider's events. */
export const plantedInReversals = plantedBugs.filter(({ in: name }) =>
  ['ledger_take_back', 'ledger_give_back', 'ledger_settle_reversal'].includes(name),
)

export async function plantBug(db: Db, planted: Planted): Promise<void> {
  const triggers = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc where proname = ${planted.in}`.execute(
    db,
  )
  let definition = triggers.rows[0]?.definition ?? ''
  for (const [from, to] of planted.replace) {
    if (!definition.includes(from)) throw new Error(`${planted.in} does not hold: ${from}`)
    definition = definition.replaceAll(from, to)
  }
  await sql.raw(definition).execute(db)
}

/** Who caught it and with what words, or null if nobody did. */
export async function catchBug(db: Db, planted: Pick<Planted, 'parallel'>): Promise<string | null> {
  const model = new LedgerModel()
  const lane = { seed: 'planted', lane: 0, accounts: 3 }
  await openAccounts(db, accountsOf(lane))
  try {
    const differs = planted.parallel ? await race(db, lane) : await compare(db, model, lane)
    if (differs) return `the model: ${differs}`
  } catch (error) {
    return `the database: ${(error as Error).message}`
  }
  const check = await checkLedger(db)
  const [difference] = check.differences
  if (difference) return `the check of the ledger: ${difference.check} (${difference.detail})`
  const [state] = planted.parallel ? [] : await compareState(db, model)
  return state ? `the model: ${state}` : null
}

const operationsEach = 1500

async function compare(
  db: Db,
  model: LedgerModel,
  lane: Parameters<typeof operationsOf>[0],
): Promise<string | null> {
  const operations = operationsOf(lane)
  for (let n = 0; n < operationsEach; n++) {
    const operation = operations.next().value
    const differs = compareOutcome(operation, model.apply(operation), await execute(db, operation))
    if (differs) return differs
  }
  return null
}

async function race(db: Db, lane: Parameters<typeof accountsOf>[0]): Promise<string | null> {
  const account = accountsOf(lane)[0] ?? ''
  const at = Date.UTC(2026, 0, 10)
  await execute(db, { op: 'grant', account, at })
  const holds = Array.from({ length: 200 }, () => {
    const job = crypto.randomUUID()
    return execute(db, { op: 'hold', account, job, amount: 100_000, at })
  })
  const placed = (await Promise.all(holds)).filter((outcome) => outcome.ok).length
  return placed === 50 ? null : `${placed} holds of $0.10 were placed on $5`
}
