/**
 * The ledger's rules once more, from rules alone: plain objects in memory, no SQL, no entries, one
 * account after the other. Its state is compared with the database's.
 */
import type { Operation } from './operations.ts'

interface Lot {
  /** The key of the transaction that opened it, and its kind. */
  label: string
  kind: 'free' | 'bonus' | 'paid'
  granted: number
  left: number
  expiresAt: number
}

interface Part {
  lot: Lot
  micros: number
}

interface Job {
  account: Account
  held: number
  parts: Part[]
  state: 'held' | 'captured' | 'released'
  charged: Part[]
  outcome: Outcome | null
}

interface Purchase {
  account: Account
  /** Lots that it opened, and that money which came back opened for it. */
  paidLots: Lot[]
  bonusLots: Lot[]
  price: number
  bonus: number
  /** Parts of both that went back by now, and in how many steps. */
  reversed: number
  revoked: number
  steps: number
}

export interface Posted {
  key: string
  amount: number
  heldChange: number
  balanceAfter: number
  at: number
}

interface Account {
  id: string
  lots: Lot[]
  debt: number
  lastAt: number
  posted: Posted[]
}

/** Answer of a verb, without the transaction's random id. */
export type Outcome = Record<string, string | number | boolean>

const freeGrant = 5_000_000
const never = Number.POSITIVE_INFINITY

export class LedgerModel {
  accounts = new Map<string, Account>()
  jobs = new Map<string, Job>()
  purchases = new Map<string, Purchase>()
  /** The answer and the values that each key was first used with. */
  answered = new Map<string, { values: string; outcome: Outcome }>()

  apply(operation: Operation): Outcome {
    switch (operation.op) {
      case 'grant':
        return this.#grant(this.#account(operation.account), operation.at)
      case 'purchase':
      case 'reload':
        return this.#buy(operation)
      case 'adjust':
        return this.#adjust(operation)
      case 'hold':
        return this.#hold(operation)
      case 'capture':
      case 'release':
        return this.#close(operation)
      case 'refund':
        return this.#refund(operation)
      case 'reverse':
        return this.#reverse(operation)
      case 'expire': {
        const account = this.#account(operation.account)
        this.#lapse(account, Math.max(operation.at, account.lastAt))
        return { ok: true }
      }
    }
  }

  balance(account: Account): number {
    return account.lots.reduce((sum, lot) => sum + lot.left, account.debt)
  }

  #account(id: string): Account {
    let account = this.accounts.get(id)
    if (!account) {
      account = { id, lots: [], debt: 0, lastAt: Number.NEGATIVE_INFINITY, posted: [] }
      this.accounts.set(id, account)
    }
    return account
  }

  #post(account: Account, key: string, amount: number, heldChange: number, at: number): void {
    account.lastAt = at
    account.posted.push({ key, amount, heldChange, balanceAfter: this.balance(account), at })
  }

  /** Runs `act` once for a key; the same key and values answer the same, other values conflict. */
  #once(key: string, values: unknown[], act: () => Outcome): Outcome {
    const seen = this.answered.get(key)
    const text = JSON.stringify(values)
    if (seen) return seen.values === text ? seen.outcome : { conflict: true }
    const outcome = act()
    if (outcome.ok) this.answered.set(key, { values: text, outcome })
    return outcome
  }

  #lapse(account: Account, at: number): void {
    for (const lot of account.lots) {
      if (lot.left === 0 || lot.expiresAt > at) continue
      const gone = lot.left
      lot.left = 0
      const when = Math.max(lot.expiresAt, account.lastAt)
      this.#post(account, `expire:${lot.label}`, -gone, 0, when)
    }
  }

  /** Pays debts first with money that arrives for good. */
  #arrive(account: Account, lot: Lot, micros: number): void {
    const owed = lot.expiresAt === never ? Math.min(-account.debt, micros) : 0
    account.debt += owed
    lot.left += micros - owed
  }

  #open(account: Account, key: string, kind: Lot['kind'], granted: number, expiresAt = never): Lot {
    const lot = { label: `${key}/${kind}`, kind, granted, left: 0, expiresAt }
    account.lots.push(lot)
    this.#arrive(account, lot, granted)
    return lot
  }

  #grant(account: Account, now: number): Outcome {
    // A caller whose clock is behind names an earlier month, and gets that month's grant.
    const earlier = this.answered.get(
      `grant:${account.id}:${new Date(now).toISOString().slice(0, 7)}`,
    )
    if (earlier) return earlier.outcome
    const at = Math.max(now, account.lastAt)
    const date = new Date(at)
    const key = `grant:${account.id}:${date.toISOString().slice(0, 7)}`
    return this.#once(key, [], (): Outcome => {
      this.#lapse(account, at)
      const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
      this.#open(account, key, 'free', freeGrant, nextMonth)
      this.#post(account, key, freeGrant, 0, at)
      return { ok: true, creditedMicros: freeGrant, availableMicros: this.balance(account) }
    })
  }

  #buy(o: Extract<Operation, { op: 'purchase' | 'reload' }>): Outcome {
    const account = this.#account(o.account)
    const key = `${o.op}:${o.ref}`
    return this.#once(key, [o.account, o.price + o.bonus], (): Outcome => {
      const at = Math.max(o.at, account.lastAt)
      this.#lapse(account, at)
      const paid = this.#open(account, key, 'paid', o.price)
      const bonusLots = o.bonus > 0 ? [this.#open(account, key, 'bonus', o.bonus)] : []
      this.purchases.set(key, {
        ...{ account, paidLots: [paid], bonusLots, price: o.price, bonus: o.bonus },
        ...{ reversed: 0, revoked: 0, steps: 0 },
      })
      this.#post(account, key, o.price + o.bonus, 0, at)
      const creditedMicros = o.price + o.bonus
      return { ok: true, creditedMicros, availableMicros: this.balance(account) }
    })
  }

  #adjust(o: Extract<Operation, { op: 'adjust' }>): Outcome {
    const account = this.#account(o.account)
    const key = `adjust:${o.ref}`
    return this.#once(key, [o.account, o.amount], (): Outcome => {
      const at = Math.max(o.at, account.lastAt)
      this.#lapse(account, at)
      this.#open(account, key, 'bonus', o.amount)
      this.#post(account, key, o.amount, 0, at)
      return { ok: true, creditedMicros: o.amount, availableMicros: this.balance(account) }
    })
  }

  #hold(o: Extract<Operation, { op: 'hold' }>): Outcome {
    const account = this.#account(o.account)
    const key = `hold:${o.job}`
    return this.#once(key, [o.account, o.amount], (): Outcome => {
      const at = Math.max(o.at, account.lastAt)
      this.#lapse(account, at)
      const availableMicros = this.balance(account)
      if (o.amount > availableMicros) {
        return { ok: false, reason: 'insufficient', requiredMicros: o.amount, availableMicros }
      }
      const parts: Part[] = []
      let missing = o.amount
      for (const lot of inSpendOrder(account.lots)) {
        const micros = Math.min(lot.left, missing)
        if (micros === 0) continue
        lot.left -= micros
        missing -= micros
        parts.push({ lot, micros })
      }
      const job = { account, held: o.amount, parts, charged: [], outcome: null }
      this.jobs.set(o.job, { ...job, state: 'held' })
      this.#post(account, key, 0, o.amount, at)
      return { ok: true, heldMicros: o.amount, availableMicros: this.balance(account) }
    })
  }

  #close(o: Extract<Operation, { op: 'capture' | 'release' }>): Outcome {
    const job = this.jobs.get(o.job)
    if (!job) return { ok: false, reason: 'no_hold' }
    const amount = o.op === 'capture' ? o.amount : 0
    if (job.state !== 'held') {
      const same = job.state === (o.op === 'capture' ? 'captured' : 'released')
      if (!same) return { ok: false, reason: job.state }
      const before = job.outcome ?? {}
      return before.capturedMicros === amount ? before : { conflict: true }
    }
    if (amount > job.held) return { ok: false, reason: 'exceeds_hold', heldMicros: job.held }
    const { account } = job
    const at = Math.max(o.at, account.lastAt)
    this.#lapse(account, at)
    let toCharge = amount
    for (const part of job.parts) {
      const micros = Math.min(toCharge, part.micros)
      if (micros === 0) continue
      toCharge -= micros
      part.micros -= micros
      job.charged.push({ lot: part.lot, micros })
    }
    if (o.op === 'capture') this.#post(account, `capture:${o.job}`, -amount, -amount, at)
    const rest = job.held - amount
    let lapsed = 0
    for (const part of job.parts) {
      if (part.lot.expiresAt <= at) lapsed += part.micros
      else this.#arrive(account, part.lot, part.micros)
      part.micros = 0
    }
    if (rest > 0 || o.op === 'release') {
      this.#post(account, `release:${o.job}`, -lapsed, -rest, at)
    }
    job.state = o.op === 'capture' ? 'captured' : 'released'
    job.outcome = {
      ok: true,
      capturedMicros: amount,
      releasedMicros: rest - lapsed,
      lapsedMicros: lapsed,
      availableMicros: this.balance(account),
    }
    return job.outcome
  }

  #refund(o: Extract<Operation, { op: 'refund' }>): Outcome {
    const job = this.jobs.get(o.job)
    if (job?.state !== 'captured') return { ok: false, reason: 'not_captured' }
    const refundableMicros = job.charged.reduce((sum, part) => sum + part.micros, 0)
    return this.#once(`refund:${o.ref}`, [o.job, o.amount], (): Outcome => {
      const total = o.amount ?? refundableMicros
      if (total > refundableMicros || total === 0) {
        return { ok: false, reason: 'exceeds_charge', refundableMicros }
      }
      const { account } = job
      const at = Math.max(o.at, account.lastAt)
      this.#lapse(account, at)
      let missing = total
      let lapsed = 0
      for (const part of job.charged.toReversed()) {
        const micros = Math.min(missing, part.micros)
        missing -= micros
        part.micros -= micros
        if (part.lot.expiresAt <= at) lapsed += micros
        else this.#arrive(account, part.lot, micros)
      }
      this.#post(account, `refund:${o.ref}`, total - lapsed, 0, at)
      const availableMicros = this.balance(account)
      return { ok: true, refundedMicros: total - lapsed, lapsedMicros: lapsed, availableMicros }
    })
  }

  #reverse(o: Extract<Operation, { op: 'reverse' }>): Outcome {
    const purchase = this.purchases.get(o.purchase)
    if (!purchase) return { ok: false, reason: 'no_purchase' }
    const { account, price } = purchase
    const change = o.reversed - purchase.reversed
    const key = `${o.purchase}:${purchase.steps + 1}`
    const granted = BigInt(purchase.bonus)
    const due = Number((granted * BigInt(Math.min(o.reversed, price))) / BigInt(price))
    const at = Math.max(o.at, account.lastAt)
    if (change !== 0) {
      this.#lapse(account, at)
      purchase.steps += 1
      purchase.reversed = o.reversed
    }
    if (change > 0) {
      const revoked = takeFrom(purchase.bonusLots, due - purchase.revoked)
      purchase.revoked += revoked
      const lasting = inSpendOrder(account.lots).filter((lot) => lot.expiresAt === never)
      const others = lasting.filter((lot) => !purchase.paidLots.includes(lot))
      account.debt -= change - takeFrom([...purchase.paidLots, ...others], change)
      this.#post(account, `chargeback:${key}`, -change - revoked, 0, at)
    } else if (change < 0) {
      const restored = Math.max(0, purchase.revoked - due)
      purchase.revoked -= restored
      purchase.paidLots.push(this.#open(account, `reinstate:${key}`, 'paid', -change))
      if (restored > 0) {
        purchase.bonusLots.push(this.#open(account, `reinstate:${key}`, 'bonus', restored))
      }
      this.#post(account, `reinstate:${key}`, -change + restored, 0, at)
    }
    return {
      ok: true,
      reversedMicros: o.reversed,
      revokedBonusMicros: purchase.revoked,
      availableMicros: this.balance(account),
    }
  }
}

/** Takes up to `wanted` out of lots, in their order, and answers how much it got. */
function takeFrom(lots: readonly Lot[], wanted: number): number {
  let got = 0
  for (const lot of lots) {
    const micros = Math.min(wanted - got, lot.left)
    lot.left -= micros
    got += micros
  }
  return got
}

/** Soonest expiry first, then bonus, then paid, oldest first (lots stand in order of opening). */
function inSpendOrder(lots: readonly Lot[]): Lot[] {
  const rank = { free: 0, bonus: 1, paid: 2 }
  return lots.toSorted((a, b) =>
    a.expiresAt === b.expiresAt ? rank[a.kind] - rank[b.kind] : a.expiresAt - b.expiresAt,
  )
}
