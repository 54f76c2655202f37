/**
 * An endless stream of operations from a seed: the same seed, the same stream. Lanes own separate
 * accounts, so lanes may run side by side and still end in one state.
 */
import { createHash } from 'node:crypto'
import { seeded } from '../../../test/support/random.ts'

interface At {
  /** The clock that the operation is given, in milliseconds. */
  at: number
}

export type Operation =
  | ({ op: 'grant' | 'expire'; account: string } & At)
  | ({ op: 'purchase' | 'reload'; account: string; ref: string; price: number; bonus: number } & At)
  | ({ op: 'adjust'; account: string; ref: string; amount: number } & At)
  | ({ op: 'hold'; account: string; job: string; amount: number } & At)
  | ({ op: 'capture'; job: string; amount: number } & At)
  | ({ op: 'release'; job: string } & At)
  | ({ op: 'refund'; job: string; ref: string; amount: number | null } & At)
  | ({ op: 'reverse'; purchase: string; reversed: number } & At)

export interface Lane {
  seed: string
  lane: number
  accounts: number
}

const packages = [
  [10_000_000, 0],
  [50_000_000, 2_500_000],
  [100_000_000, 15_000_000],
  [1_234_567, 98_765],
] as const
const hourMs = 3_600_000
const startMs = Date.UTC(2026, 0, 5)
/** How far back a lane looks for a job or a purchase to act on: mostly near, sometimes far. */
const memory = 60
const near = 10

export function accountsOf({ seed, lane, accounts }: Lane): string[] {
  return Array.from({ length: accounts }, (_, n) => idOf(`${seed}/${lane}/account/${n}`))
}

export function* operationsOf(lane: Lane): Generator<Operation, never> {
  const random = randomOf(`${lane.seed}/${lane.lane}`)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const upTo = (max: number): number => 1 + Math.floor(random() * max)
  const accounts = accountsOf(lane)
  const jobs: { job: string; amount: number }[] = []
  const purchases: { key: string; price: number }[] = []
  const history: Operation[] = []
  let clock = startMs
  for (let n = 0; ; n++) {
    clock += random() * 6 * hourMs
    // Now and then a machine whose clock is behind.
    const at = Math.floor(random() < 0.05 ? clock - random() * 6 * hourMs : clock)
    const ref = `${lane.seed}-${lane.lane}-${n}`
    const next = (): Operation => {
      const dice = random()
      const account = pick(accounts)
      const recent = pick(jobs.slice(random() < 0.7 ? -near : -memory))
      if (dice < 0.08) return { op: 'grant', account, at }
      if (dice < 0.12) {
        const [price, bonus] = pick(packages)
        const op = random() < 0.7 ? 'purchase' : 'reload'
        purchases.push({ key: `${op}:${ref}`, price })
        return { op, account, ref, price, bonus, at }
      }
      if (dice < 0.14) return { op: 'adjust', account, ref, amount: upTo(3_000_000), at }
      if (dice < 0.17) return { op: 'expire', account, at }
      if (dice < 0.22 && history.length > 0) return { ...repeated(pick(history), random), at }
      if (dice < 0.53 || !recent) {
        const amount = random() < 0.02 ? 0 : upTo(random() < 0.9 ? 4_000_000 : 60_000_000)
        const job = idOf(`${ref}/job`)
        jobs.push({ job, amount })
        return { op: 'hold', account, job, amount, at }
      }
      const { job, amount } = recent
      if (dice < 0.8) {
        const part = random() < 0.2 ? amount : Math.floor(random() * 1.05 * amount)
        return { op: 'capture', job, amount: part, at }
      }
      if (dice < 0.91) return { op: 'release', job, at }
      const some = random() < 0.5 ? null : upTo(4_000_000)
      if (dice < 0.95) return { op: 'refund', job, ref, amount: some, at }
      const purchase = pick(purchases.slice(-near))
      if (!purchase) return { op: 'grant', account, at }
      const share = pick([0, 0.4 * random(), random(), 1, 1.3])
      return {
        ...{ op: 'reverse', purchase: purchase.key, at },
        reversed: Math.floor(purchase.price * share),
      }
    }
    const operation = next()
    history.push(operation)
    if (history.length > memory) history.shift()
    yield operation
  }
}

/** The same operation again; one in ten with another amount, which its key must refuse. */
function repeated(operation: Operation, random: () => number): Operation {
  if (random() > 0.1 || !('amount' in operation) || operation.amount === null) return operation
  return { ...operation, amount: operation.amount + 1 }
}

/** A UUID (v4 in form) that follows from a text. */
export function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

export function randomOf(seed: string): () => number {
  return seeded(createHash('sha256').update(seed).digest().readUInt32LE(0))
}
