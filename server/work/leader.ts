/**
 * One of the workers keeps house for all: it runs the schedules and background tasks, and looks
 * every second for jobs that became due without a signal, because a lease ran out or a pause ended.
 *
 * STATES of a worker        made by
 *   waits -> keeps          a look that finds the last keeper's lease run out
 *   keeps -> waits          a look that finds another holder, or none that succeeded within a lease
 *
 * INVARIANTS
 *  1. A keeper that dies is replaced before the leases of its jobs run out: lease and wait together
 *     are shorter than a job's lease.
 *  2. Two may keep for a moment, one of which was frozen. Tasks and jobs are claimed in the database
 *     in any case; one keeper is what idle workers cost less by, not what keeps them right.
 *  3. A look is one statement. A worker that waits sends no other.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from '../ground/context.ts'
import type { Listener } from '../db/notify.ts'

export interface Keeper {
  readonly isKeeping: boolean
  stop(): Promise<void>
}

export interface KeeperOptions {
  /** Where the looks are sent: a worker that waits has no other connection than this one. */
  ask: Listener['ask']
  /** Jobs are due. */
  wake: () => void
  /** Starts the background tasks. */
  begin: () => Promise<{ stop(): Promise<void> }>
  leaseMs?: number
  waitMs?: number
}

/** A keeper looks so often within its lease. */
const looksPerLease = 6
const standardLeaseMs = 6000
const standardWaitMs = 5000

/** Takes the lease or renews it, and wakes the other workers where a keeper finds jobs due. */
const look = `
  with kept as (
    update keeper set holder = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
    where holder = $1 or leased_until < clock_timestamp()
    returning 1
  ), found as (
    select exists (select from kept) as "isKeeper",
      exists (select from jobs where leased_until < clock_timestamp())
      or exists (select from job_parts where leased_until < clock_timestamp())
      or exists (
        select from jobs where status = 'queued'
          and not_before between clock_timestamp() - interval '10 seconds' and clock_timestamp()
      ) or exists (
        select from job_parts where status = 'waiting'
          and not_before between clock_timestamp() - interval '10 seconds' and clock_timestamp()
      ) as "isDue"
  )
  select "isKeeper", "isDue",
    case when "isKeeper" and "isDue" then pg_notify('job_waiting', '{}')::text end
  from found`

export async function startKeeping(ctx: Context, options: KeeperOptions): Promise<Keeper> {
  const holder = randomUUID()
  const leaseMs = options.leaseMs ?? standardLeaseMs
  const waitMs = options.waitMs ?? standardWaitMs
  let tasks: { stop(): Promise<void> } | null = null
  let renewedAtMs = performance.now()
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const rest = async (): Promise<void> => {
    const running = tasks
    tasks = null
    await running?.stop()
  }
  const lookOnce = async (): Promise<void> => {
    const askedAtMs = performance.now()
    const [row] = await options.ask<{ isKeeper: boolean; isDue: boolean }>(look, [holder, leaseMs])
    renewedAtMs = askedAtMs
    if (row?.isDue) options.wake()
    if (row?.isKeeper && !tasks) tasks = await options.begin()
    else if (!row?.isKeeper) await rest()
  }
  const step = async (): Promise<void> => {
    try {
      await lookOnce()
    } catch (error) {
      ctx.log.warn({ err: error }, 'keeper did not look')
      if (performance.now() - renewedAtMs > leaseMs) await rest()
    }
    if (isStopped) return
    // Workers that were started together do not look together.
    const pauseMs = tasks ? leaseMs / looksPerLease : waitMs * (0.8 + 0.2 * Math.random())
    timer = setTimeout(() => {
      looking = step()
    }, pauseMs)
  }
  let looking = step()
  await looking
  return {
    get isKeeping() {
      return tasks !== null
    },
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await looking
      await rest()
      const release = `update keeper set leased_until = '-infinity' where holder = $1`
      await options.ask(release, [holder]).catch(() => undefined)
    },
  }
}
