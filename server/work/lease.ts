/** What claims of jobs and of their parts have in common: leases, limits and the fence. */
import { sql } from 'kysely'
import type { Cause } from '../jobs/cause.ts'

export const limits = {
  attempts: 3,
  deaths: 10,
  faultDelaySeconds: 2,
  /** With the lease it stays below the 30 s within which a dead worker's job is taken up again. */
  deathDelaySeconds: 10,
}

export interface Lease {
  leaseMs: number
}

export const deadCause: Cause = {
  code: 'internal',
  message:
    'The machines that analysed this stopped ten times. Nothing was charged. ' +
    'If it happens again with this file, please tell us.',
}

export const lostCause: Cause = {
  code: 'internal',
  message:
    'The analysis failed three times. Nothing was charged. ' +
    'If this file fails again, please contact support.',
}

/** At once at first, then after pauses. */
export function delayAfterDeath(deaths: number): number {
  return deaths === 1 ? 0 : Math.min(limits.deathDelaySeconds, 2 ** (deaths - 2))
}

export interface Requeue {
  /** Attempts that do not count. */
  attemptsBack: number
  delaySeconds: number
  fault: string | null
}

/** The columns of a job or part that goes back into the queue, besides its status. */
export function requeued({ attemptsBack, delaySeconds, fault }: Requeue) {
  return {
    leased_until: null,
    fence: sql<number>`fence + 1`,
    attempt: sql<number>`attempt - ${attemptsBack}`,
    not_before: sql<Date>`clock_timestamp() + ${delaySeconds} * interval '1 second'`,
    ...(fault === null ? {} : { last_fault: fault.slice(0, 2000) }),
  }
}

export function leaseEnd({ leaseMs }: Lease) {
  return sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`
}

/** Thrown where a worker would write to a job that is no longer its own. */
export class Fenced extends Error {}
