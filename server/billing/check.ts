/**
 * Recomputes every sum of the ledger from its entries and lists what differs. It trusts no trigger:
 * it finds what someone with the power to switch triggers off could have done.
 */
import { sql } from 'kysely'
import type { Db } from '../ground/database.ts'

export interface LedgerDifference {
  check: string
  subject: string
  detail: string
}

export interface LedgerCheck {
  ok: boolean
  transactions: number
  entries: number
  accounts: number
  /** The first hundred differences of each check. */
  differences: LedgerDifference[]
}

export async function checkLedger(db: Db): Promise<LedgerCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const counted = await sql<{ transactions: number; entries: number; accounts: number }>`
        select (select count(*) from ledger_transactions) as transactions,
          (select count(*) from ledger_entries) as entries,
          (select count(*) from ledger_wallets) as accounts`.execute(trx)
      const counts = counted.rows[0] ?? { transactions: 0, entries: 0, accounts: 0 }
      const differences: LedgerDifference[] = []
      for (const [check, query] of Object.entries(checks)) {
        const { rows } = await sql<{ subject: string; detail: string }>`
          select subject::text, detail from (${sql.raw(query)}) found limit 100`.execute(trx)
        differences.push(...rows.map((row) => ({ check, ...row })))
      }
      return { ok: differences.length === 0, ...counts, differences }
    })
}

/** Each query returns the rows that break its rule, as `subject` and `detail`. */
const checks: Record<string, string> = {
  'entries sum to zero': `
    select transaction_id as subject, 'sum ' || sum(amount_micros) as detail
    from ledger_entries group by transaction_id having sum(amount_micros) <> 0`,

  'every entry has its transaction': `
    select e.transaction_id as subject, 'line ' || e.line as detail
    from ledger_entries e left join ledger_transactions t on t.id = e.transaction_id
    where t.id is null`,

  'entries are the lines 1..n': `
    select transaction_id as subject, 'lines ' || string_agg(line::text, ',' order by line) as detail
    from ledger_entries group by transaction_id
    having min(line) <> 1 or max(line) <> count(*)`,

  'entries add up to their transaction': `
    select t.id as subject, format('amount %s of %s, held %s of %s', coalesce(e.customer, 0),
      t.amount_micros, coalesce(e.held, 0), t.held_change_micros) as detail
    from ledger_transactions t left join (
      select transaction_id,
        sum(amount_micros) filter (where book in ('available', 'held', 'debt')) as customer,
        sum(amount_micros) filter (where book = 'held') as held
      from ledger_entries group by transaction_id
    ) e on e.transaction_id = t.id
    where coalesce(e.customer, 0) <> t.amount_micros or coalesce(e.held, 0) <> t.held_change_micros`,

  'books fit the kind of transaction': `
    select t.id as subject, t.kind || ' uses ' || e.book as detail
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where e.book <> all (case t.kind
      when 'grant' then array['free', 'available']
      when 'purchase' then array['cash', 'bonus', 'available', 'debt']
      when 'reload' then array['cash', 'bonus', 'available', 'debt']
      when 'adjust' then array['adjustment', 'available', 'debt']
      when 'hold' then array['available', 'held']
      when 'capture' then array['held', 'revenue']
      when 'release' then array['held', 'available', 'lapsed', 'debt']
      when 'expire' then array['available', 'lapsed']
      when 'refund' then array['revenue', 'available', 'lapsed', 'debt']
      when 'chargeback' then array['cash', 'bonus', 'available', 'debt']
      when 'reinstate' then array['cash', 'bonus', 'available', 'debt']
      else '{}'::text[] end)`,

  'each balance follows from the one before': `
    select id as subject, format('states %s, follows %s', balance_after_micros, running) as detail
    from (
      select id, balance_after_micros, sum(amount_micros - held_change_micros)
        over (partition by account_id order by seq) as running
      from ledger_transactions
    ) chain where running <> balance_after_micros`,

  'time does not run backwards': `
    select id as subject, format('%s after %s', created_at, earlier) as detail
    from (
      select id, created_at, lag(created_at) over (partition by account_id order by seq) as earlier
      from ledger_transactions
    ) chain where created_at < earlier`,

  'a balance is negative only by debt': `
    select account_id as subject, format('%s with debt %s', available_micros, debt_micros) as detail
    from ledger_wallets where available_micros < 0 or held_micros < 0 or debt_micros > 0`,

  'wallets are sums of entries': `
    select coalesce(w.account_id, e.account_id) as subject, format(
      'available %s of %s, held %s of %s, debt %s of %s, charged %s of %s, bonus %s of %s',
      w.available_micros, e.available, w.held_micros, e.held, w.debt_micros, e.debt,
      w.charged_micros, e.charged, w.bonus_micros, e.bonus) as detail
    from ledger_wallets w full join (
      select t.account_id,
        coalesce(sum(e.amount_micros) filter (where e.book = 'available'), 0) as available,
        coalesce(sum(e.amount_micros) filter (where e.book = 'held'), 0) as held,
        coalesce(sum(e.amount_micros) filter (where e.book = 'debt'), 0) as debt,
        -coalesce(sum(e.amount_micros) filter (where e.book = 'cash'), 0) as charged,
        -coalesce(sum(e.amount_micros) filter (where e.book = 'bonus'), 0) as bonus
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      group by t.account_id
    ) e on e.account_id = w.account_id
    where (coalesce(w.available_micros, 0), coalesce(w.held_micros, 0), coalesce(w.debt_micros, 0),
        coalesce(w.charged_micros, 0), coalesce(w.bonus_micros, 0))
      <> (coalesce(e.available, 0), coalesce(e.held, 0), coalesce(e.debt, 0),
        coalesce(e.charged, 0), coalesce(e.bonus, 0))`,

  'lots are sums of entries': `
    select l.id as subject, format('%s of %s, granted %s', l.available_micros,
      coalesce(e.available, 0), l.granted_micros) as detail
    from ledger_lots l left join (
      select lot_id, sum(amount_micros) as available from ledger_entries
      where book = 'available' group by lot_id
    ) e on e.lot_id = l.id
    where l.available_micros <> coalesce(e.available, 0) or l.available_micros < 0
      or l.available_micros > l.granted_micros or l.spendable <> (l.available_micros > 0)`,

  'every entry is of a lot of its account': `
    select t.id as subject, format('line %s', e.line) as detail
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    left join ledger_lots l on l.id = e.lot_id and l.account_id = t.account_id
    where e.book <> 'debt' and l.id is null`,

  'a lot is funded by the transaction that opened it': `
    select l.id as subject, format('granted %s, funded %s', l.granted_micros, e.funded) as detail
    from ledger_lots l left join (
      select transaction_id, lot_id, -sum(amount_micros) as funded from ledger_entries
      where book in ('cash', 'free', 'bonus', 'adjustment') group by transaction_id, lot_id
    ) e on e.transaction_id = l.opened_by and e.lot_id = l.id
    where e.funded is distinct from l.granted_micros`,

  'holds are sums of entries': `
    select coalesce(h.job_id, e.job_id) as subject,
      format('lot %s: %s of %s', coalesce(h.lot_id, e.lot_id), h.held_micros, e.held) as detail
    from ledger_holds h full join (
      select t.job_id, e.lot_id, sum(e.amount_micros) as held
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where e.book = 'held' group by t.job_id, e.lot_id
    ) e on e.job_id = h.job_id and e.lot_id = h.lot_id
    where h.held_micros is distinct from e.held or h.held_micros < 0`,

  'a hold ends once and whole': `
    select job_id as subject, format('held %s, captured or released %s', held, ended) as detail
    from (
      select job_id, sum(held_change_micros) filter (where kind = 'hold') as held,
        -sum(held_change_micros) filter (where kind in ('capture', 'release')) as ended
      from ledger_transactions where kind in ('hold', 'capture', 'release') group by job_id
    ) jobs where held is null or ended <> held`,

  'a refund gives back at most what was charged': `
    select c.id as subject, format('charged %s, left %s', -c.amount_micros, r.revenue) as detail
    from ledger_transactions c join (
      select coalesce(t.reverses, t.id) as capture, e.lot_id, sum(e.amount_micros) as revenue
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where e.book = 'revenue' group by 1, 2
    ) r on r.capture = c.id
    where r.revenue < 0`,

  'a card gets back no less than nothing of a purchase': `
    select p.key as subject, format('money %s, bonus %s of %s', r.money, r.bonus, b.granted) as detail
    from ledger_transactions p join (
      select t.reverses, coalesce(sum(e.amount_micros) filter (where e.book = 'cash'), 0) as money,
        coalesce(sum(e.amount_micros) filter (where e.book = 'bonus'), 0) as bonus
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.kind in ('chargeback', 'reinstate') group by t.reverses
    ) r on r.reverses = p.id cross join lateral (
      select coalesce(sum(granted_micros), 0) as granted from ledger_lots
      where opened_by = p.id and kind = 'bonus'
    ) b where r.money < 0 or r.bonus < 0 or r.bonus > b.granted`,

  'free credit lapses only when it has expired': `
    select t.id as subject, format('lot %s expires at %s', l.id, l.expires_at) as detail
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    join ledger_lots l on l.id = e.lot_id
    where e.book = 'lapsed' and (l.expires_at is null or t.created_at < l.expires_at)`,

  'expired credit is not spent': `
    select t.id as subject, format('lot %s expired at %s', l.id, l.expires_at) as detail
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    join ledger_lots l on l.id = e.lot_id
    where e.book = 'available' and t.kind <> 'expire' and t.created_at >= l.expires_at`,

  'an account in debt has no lasting credit': `
    select w.account_id as subject, format('debt %s, lot %s', w.debt_micros, l.id) as detail
    from ledger_wallets w join ledger_lots l on l.account_id = w.account_id
    where w.debt_micros < 0 and l.expires_at is null and l.available_micros > 0`,

  'one free grant for an account and month': `
    select account_id as subject, format('%s grants in %s', count(*), month) as detail
    from (
      select account_id, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month
      from ledger_transactions where kind = 'grant'
    ) grants group by account_id, month having count(*) > 1`,

  'an idempotency key names one transaction': `
    select key as subject, count(*) || ' times' as detail
    from ledger_transactions group by key having count(*) > 1`,
}
