/**
 * One of the workers leads: it runs the schedules and background tasks, and checks every second for
 * work that became due without a signal, because a lease ran out or a pause ended.
 *
 * STATES of a worker        made by
 *   waits -> leads          a check that finds the last leader's lease run out
 *   leads -> waits          a check that finds another holder, or none succeeded within a lease
 *
 * INVARIANTS
 *  1. A leader that dies is replaced before the leases of its jobs run out: lease and wait together
 *     are shorter than a job's lease.
 *  2. Two may lead for a moment, one of which was frozen. Tasks and jobs are claimed in the
 *     database in any case: correctness does not depend on a single leader, idle cost does.
 *  3. A check is one statement. A worker that waits sends no other.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from '../ground/context.ts'
import type { Listener } from '../db/notify.ts'

export interface Leader {
  readonly isLeading: boolean
  stop(): Promise<void>
}

export interface LeaderOptions {
  /** Connection for the checks: a worker that waits has no other. */
  ask: Listener['ask']
  /** Jobs are due. */
  wake: () => void
  /** Starts the background tasks. */
  begin: () => Promise<{ stop(): Promise<void> }>
  leaseMs?: number
  waitMs?: number
}

/** Checks of a leader within its lease. */
const checksPerLease = 6
const standardLeaseMs = 6000
const standardWaitMs = 5000

/** Takes the lease or renews it, and wakes the other workers where a leader finds work due. */
const check = `
  with led as (
    update leader set holder = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
    where holder = $1 or leased_until < clock_timestamp()
    returning 1
  ), state as (
    select exists (select from led) as "isLeader",
      exists (select from work where leased_until < clock_timestamp())
      or exists (
        select from work where state = 'waiting'
          and not_before between clock_timestamp() - interval '10 seconds' and clock_timestamp()
      ) as "isDue"
  )
  select "isLeader", "isDue",
    case when "isLeader" and "isDue" then pg_notify('job_waiting', '{}')::text end
  from state`

export async function startLeading(ctx: Context, options: LeaderOptions): Promise<Leader> {
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
  const checkOnce = async (): Promise<void> => {
    const askedAtMs = performance.now()
    const [row] = await options.ask<{ isLeader: boolean; isDue: boolean }>(check, [holder, leaseMs])
    renewedAtMs = askedAtMs
    if (row?.isDue) options.wake()
    if (row?.isLeader && !tasks) tasks = await options.begin()
    else if (!row?.isLeader) await rest()
  }
  const step = async (): Promise<void> => {
    try {
      await checkOnce()
    } catch (error) {
      ctx.log.warn({ err: error }, 'leader did not check')
      if (performance.now() - renewedAtMs > leaseMs) await rest()
    }
    if (isStopped) return
    // Workers that were started together do not check together.
    const pauseMs = tasks ? leaseMs / checksPerLease : waitMs * (0.8 + 0.2 * Math.random())
    timer = setTimeout(() => {
      checking = step()
    }, pauseMs)
  }
  let checking = step()
  await checking
  return {
    get isLeading() {
      return tasks !== null
    },
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await checking
      await rest()
      const release = `update leader set leased_until = '-infinity' where holder = $1`
      await options.ask(release, [holder]).catch(() => undefined)
    },
  }
}
