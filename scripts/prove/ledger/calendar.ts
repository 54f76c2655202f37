/**
 * A simulated clock over many days and accounts: one free grant for each month that an account is
 * touched in, nothing left of it after the month, holds that live across the end of a month.
 */
import { sql } from 'kysely'
import { checkLedger } from '../../../server/billing/check.ts'
import { readBalance } from '../../../server/billing/balance.ts'
import { expireLots } from '../../../server/billing/ledger.ts'
import type { Db } from '../../../server/ground/database.ts'
import { compareOutcome, compareState, execute, openAccounts } from './execute.ts'
import { LedgerModel } from './model.ts'
import { idOf, randomOf } from './operations.ts'
import type { Operation } from './operations.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 20)
const sideBySide = 8
/** An account is touched about twice a month. */
const touchChance = 1 / 15

export interface CalendarResult {
  violations: string[]
  operations: number
  grants: number
  heldAcrossMonths: number
}

export async function runCalendar(
  db: Db,
  options: { days: number; accounts: number },
): Promise<CalendarResult> {
  const ids = Array.from({ length: options.accounts }, (_, n) => idOf(`calendar/${n}`))
  await openAccounts(db, ids)
  const model = new LedgerModel()
  const random = randomOf('calendar')
  const openJobs = new Map<string, { job: string; month: number; amount: number }[]>()
  const touchedMonths = new Set<string>()
  const result: CalendarResult = { violations: [], operations: 0, grants: 0, heldAcrossMonths: 0 }

  for (let day = 0; day < options.days; day++) {
    const midnight = startMs + day * dayMs
    if (new Date(midnight).getUTCDate() === 1) {
      result.violations.push(...(await endMonth(db, model, midnight)))
    }
    const plans = ids
      .filter(() => random() < touchChance)
      .map((account) => {
        const at = midnight + Math.floor(random() * dayMs)
        touchedMonths.add(`${account} ${new Date(at).toISOString().slice(0, 7)}`)
        return planTouch({ account, at, day, random, openJobs, result })
      })
    const lanes = Array.from({ length: sideBySide }, async (_, lane) => {
      for (const operation of plans.filter((__, n) => n % sideBySide === lane).flat()) {
        const expected = model.apply(operation)
        const differs = compareOutcome(operation, expected, await execute(db, operation))
        if (differs) result.violations.push(differs)
        result.operations += 1
      }
    })
    await Promise.all(lanes)
  }

  const grants = await sql<{ count: number }>`
    select count(*) as count from ledger_transactions where kind = 'grant'`.execute(db)
  result.grants = grants.rows[0]?.count ?? 0
  if (result.grants !== touchedMonths.size) {
    result.violations.push(`${result.grants} grants in ${touchedMonths.size} touched months`)
  }
  const check = await checkLedger(db)
  result.violations.push(
    ...check.differences.map((difference) => `${difference.check}: ${difference.detail}`),
    ...(await compareState(db, model)),
  )
  return result
}

/** Ends the account's older holds and opens another; every third waits for the next month. */
function planTouch(touch: {
  account: string
  at: number
  day: number
  random: () => number
  openJobs: Map<string, { job: string; month: number; amount: number }[]>
  result: CalendarResult
}): Operation[] {
  const { account, at, random } = touch
  const month = new Date(at).getUTCMonth()
  const plan: Operation[] = [{ op: 'grant', account, at }]
  for (const open of touch.openJobs.get(account) ?? []) {
    if (open.month !== month) touch.result.heldAcrossMonths += 1
    const amount = Math.floor(random() * open.amount)
    plan.push(
      random() < 0.3
        ? { op: 'release', job: open.job, at }
        : { op: 'capture', job: open.job, amount, at },
    )
  }
  const job = idOf(`calendar/${account}/${touch.day}`)
  const amount = 1 + Math.floor(random() * 2_500_000)
  plan.push({ op: 'hold', account, job, amount, at })
  const waits = random() < 1 / 3
  touch.openJobs.set(account, waits ? [{ job, month, amount }] : [])
  if (!waits) plan.push({ op: 'capture', job, amount: Math.floor(amount / 2), at })
  if (random() < 0.03) {
    plan.push({
      ...{ op: 'purchase', account, ref: job, price: 10_000_000, bonus: 123_456, at },
    })
  }
  return plan
}

/** At the first instant of a month no free credit is left, whether it was swept or not. */
async function endMonth(db: Db, model: LedgerModel, midnight: number): Promise<string[]> {
  const now = new Date(midnight)
  const violations: string[] = []
  const sample = [...model.accounts.keys()].slice(0, 20)
  for (const accountId of sample) {
    const balance = await readBalance(db, { accountId, now })
    if (balance.freeMicros !== 0) violations.push(`${accountId} has free credit at ${String(now)}`)
  }
  await expireLots(db, { now })
  for (const account of model.accounts.keys()) model.apply({ op: 'expire', account, at: midnight })
  const left = await sql<{ count: number }>`
    select count(*) as count from ledger_lots where kind = 'free' and available_micros > 0`.execute(
    db,
  )
  if (left.rows[0]?.count !== 0) violations.push(`free lots are left at ${String(now)}`)
  return violations
}
