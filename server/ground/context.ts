/** First parameter of every verb: the outside world and the clock, opened by open-context.ts. */
import type { Configuration } from 'openid-client'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Stripe } from 'stripe'
import type { Provider } from '../../contract/account/accounts.ts'
import type { Config } from './config.ts'
import type { Db, Queue } from './database.ts'
import type { EventStreams } from './event-streams.ts'
import type { Isolation } from './isolation.ts'
import type { SigningKeys } from './signing-key.ts'
import type { Storage } from './storage.ts'

export interface Context {
  config: Config
  db: Db
  pool: Pool
  queue: Queue
  storage: Storage
  /** Isolation of the media tools that this process starts. */
  isolation: Isolation
  payments: () => Promise<Stripe>
  signIn: Record<Provider, () => Promise<Configuration>>
  signingKeys: SigningKeys
  events: EventStreams
  log: Logger
  now: () => Date
  /** Runs when the context closes, before the database does. */
  onClose: (close: () => void) => void
}

/** Keeps one value per context, from its first use until the context closes. */
export function keepForContext<T extends object>(
  make: () => T,
  close?: (value: T) => void,
): (ctx: Context) => T {
  const values = new WeakMap<Context, T>()
  return (ctx) => {
    const known = values.get(ctx)
    if (known) return known
    const value = make()
    values.set(ctx, value)
    if (close) ctx.onClose(() => close(value))
    return value
  }
}
