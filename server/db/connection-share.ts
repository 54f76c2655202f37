/**
 * Shares the database's connections among accounts. Requests of one account that wait for each
 * other, on a lock of their own rows, would otherwise hold every connection while they wait, and
 * everybody else would wait with them: 50 uploads at once kept another account waiting for 0.4 s.
 *
 * - An account's requests hold a share of the connections at most; more of them wait in memory.
 * - A request that holds a connection gets a second one at once, so that its transaction can end.
 *   Some connections are kept for that: requests that all wait for a second one would wait for each
 *   other.
 * - Until a request has an account, its address counts. Work outside a request has no share.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'
import { Refusal } from '../ground/refusal.ts'
import { awayOf, DatabaseAway } from './away.ts'

interface Request {
  accountId: string
  /** Number of connections that the account holds now. */
  held: number
}

interface Account {
  held: number
  waiting: (() => void)[]
}

const requests = new AsyncLocalStorage<Request>()
const share = 1 / 4
const keptShare = 1 / 5
const maxWaitMs = 30_000

/** Counts the statements of `work` as this account's, or as this address's before login. */
export function inShareOf<T>(accountId: string | null, work: () => Promise<T>): Promise<T> {
  return accountId === null ? work() : requests.run({ accountId, held: 0 }, work)
}

/** Work for several requests, whose share is nobody's alone. */
export function outsideShares<T>(work: () => T): T {
  return requests.exit(work)
}

/** `connect` of the pool, in turn with the other requests of the same account. */
export function createFairConnect(
  pool: Pool,
  options: { maxConnections: number },
): () => Promise<PoolClient> {
  const accounts = new Map<string, Account>()
  const maxOfAccount = Math.max(1, Math.floor(options.maxConnections * share))
  const all: Account = { held: 0, waiting: [] }
  const maxOfAll = Math.max(
    1,
    options.maxConnections - Math.ceil(options.maxConnections * keptShare),
  )

  const connect = (): Promise<PoolClient> =>
    pool.connect().catch((error: unknown) => {
      throw awayOf(error)
    })
  const leave = (accountId: string, account: Account): void => {
    handOn(account)
    if (account.held === 0) accounts.delete(accountId)
  }

  return async () => {
    const request = requests.getStore()
    if (!request || request.held > 0) return connect()
    const { accountId } = request
    const account = accounts.get(accountId) ?? { held: 0, waiting: [] }
    accounts.set(accountId, account)
    await enter(account, maxOfAccount, tooManyOfAccount)
    try {
      await enter(all, maxOfAll, () => new DatabaseAway('All connections are in use.'))
    } catch (error) {
      leave(accountId, account)
      throw error
    }
    request.held += 1
    let isHeld = true
    const giveBack = (): void => {
      if (!isHeld) return
      isHeld = false
      request.held -= 1
      handOn(all)
      leave(accountId, account)
    }
    try {
      const client = await connect()
      // The pool makes a new `release` each time it hands a connection out.
      const release = client.release.bind(client)
      client.release = (destroy) => {
        release(destroy)
        giveBack()
      }
      return client
    } catch (error) {
      giveBack()
      throw error
    }
  }
}

async function enter(account: Account, max: number, late: () => Error): Promise<void> {
  if (account.held >= max) await waitIn(account, late)
  else account.held += 1
}

function tooManyOfAccount(): Refusal {
  const sentence = 'Too many of your requests are under way. Please wait for some of them.'
  return new Refusal('rate_limited', sentence, { retryAfterSeconds: 10 })
}

/** Hands the place to the next request that waits, so that no new one gets ahead. */
function handOn(account: Account): void {
  const next = account.waiting.shift()
  if (next) next()
  else account.held -= 1
}

async function waitIn(account: Account, late: () => Error): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const enter = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      account.waiting.splice(account.waiting.indexOf(enter), 1)
      reject(late())
    }, maxWaitMs)
    account.waiting.push(enter)
  })
}
