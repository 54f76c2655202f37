/**
 * Promises 8 to 12, 30 and 40, by killing, freezing and stopping real workers: `npm run
 * prove:jobs`, or `npm run prove:jobs -- 20 11` for promise 11 alone in 20 rounds. The tests run
 * the same proofs with smaller numbers.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { steps } from '../../server/work/steps.ts'
import type { Step } from '../../server/work/steps.ts'
import { until } from '../../test/support/until.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'
import { breachesOf, openHouse, orphansOf, untilEnded } from './jobs-fixture.ts'
import type { House, Proof } from './jobs-fixture.ts'
import { proveTasks } from './tasks.ts'

/** Short, so that a proof with hundreds of deaths ends; the standard one is measured by itself. */
const leaseMs = 2000

/** Promise 8: a job runs at least once and is charged once, wherever its worker dies. */
export async function proveKill(house: House, step: Step, rounds: number): Promise<Proof> {
  const accountId = await house.account()
  const ids: string[] = []
  const place = placeFor(house, step)
  for (let round = 0; round < rounds; round++) ids.push(await place(accountId))
  let deaths = 0
  let isOver = false
  const keepAlive = async (): Promise<void> => {
    while (!isOver) {
      const worker = house.worker({ leaseMs, at: step, act: 'die' })
      const stop = until(() => isOver, true, 600_000).then(() => worker.child.kill('SIGTERM'))
      const { signal } = await worker.ended
      if (signal === 'SIGKILL') deaths += 1
      if (isOver) await stop
      else stop.catch(() => undefined)
    }
  }
  const workers = Array.from({ length: Math.min(2, rounds) }, keepAlive)
  try {
    await untilEnded(house, ids)
    // The steps after the end kill a worker whose job has ended already.
    await until(() => deaths >= rounds, true, 60_000).catch(() => undefined)
  } finally {
    isOver = true
    await Promise.all(workers)
  }
  const breaches = [...(await breachesOf(house, ids)), ...(await orphansOf(house))]
  if (deaths < rounds) breaches.push(`only ${deaths} of ${rounds} workers died`)
  return { promise: `8 kill -9 at ${step}`, figures: `${deaths} deaths`, breaches }
}

/** A job that comes to the step. */
function placeFor(house: House, step: Step): House['film'] {
  if (step.startsWith('frames-analysed')) return house.spokenFilm
  return step.startsWith('part') ? house.film : house.job
}

/**
 * Promise 9: a worker that was frozen and wakes up commits nothing. It wakes while another has the
 * job, which is frozen in turn so that every change of the meantime is the zombie's.
 */
export async function proveZombie(house: House, step: Step, rounds: number): Promise<Proof> {
  const accountId = await house.account()
  const breaches: string[] = []
  for (let round = 0; round < rounds; round++) {
    const id = await house.job(accountId)
    const zombie = house.worker({ leaseMs, at: step, act: 'freeze' })
    await until(() => zombie.steps.some(({ step: name }) => name === step))
    const other = house.worker({ leaseMs: 120_000, at: 'running', act: 'freeze', untilAttempt: 2 })
    await until(() => other.steps.some(({ step }) => step === 'running'))
    const before = await stateOf(house, id)
    zombie.child.kill('SIGCONT')
    await until(() => zombie.steps.some(({ step }) => step === 'cleaned'))
    if ((await stateOf(house, id)) !== before) breaches.push('the zombie has written')
    if (zombie.child.exitCode !== null) breaches.push('the zombie did not survive')
    other.child.kill('SIGCONT')
    await untilEnded(house, [id])
    zombie.child.kill('SIGTERM')
    other.child.kill('SIGTERM')
    await Promise.all([zombie.ended, other.ended])
    breaches.push(...(await breachesOf(house, [id])), ...(await orphansOf(house)))
  }
  return { promise: `9 zombie at ${step}`, figures: `${rounds} zombies`, breaches }
}

async function stateOf(house: House, id: string): Promise<string> {
  const { db } = house.ctx
  const job = await db
    .selectFrom('jobs')
    .innerJoin('work', 'work.id', 'jobs.id')
    .select(['jobs.status', 'work.fence', 'work.attempt', 'jobs.cost_micros'])
    .where('jobs.id', '=', id)
    .executeTakeFirst()
  const extractors = await db
    .selectFrom('job_extractors')
    .select(['extractor', 'status', 'result_id'])
    .where('job_id', '=', id)
    .orderBy('position')
    .execute()
  return JSON.stringify({ job, extractors })
}

/** Promise 9: a dead worker's job is found, with the standard lease. */
export async function proveRecovery(house: House, rounds: number): Promise<Proof> {
  const accountId = await house.account()
  const breaches: string[] = []
  const waits: number[] = []
  for (let round = 0; round < rounds; round++) {
    const id = await house.job(accountId)
    const victim = house.worker({ at: 'analysis-started', act: 'die' })
    await victim.ended
    const diedMs = Date.now()
    const other = house.worker()
    await until(() => other.steps.some(({ step }) => step === 'claimed'))
    waits.push((other.steps[0]?.atMs ?? Infinity) - diedMs)
    await untilEnded(house, [id])
    other.child.kill('SIGTERM')
    await other.ended
    breaches.push(...(await breachesOf(house, [id])))
  }
  const longest = Math.max(...waits)
  if (longest > 30_000) breaches.push(`a job was found after ${longest} ms`)
  const figures = `found after at most ${(longest / 1000).toFixed(1)} s (limit 30 s)`
  return { promise: '9 recovery', figures, breaches }
}

/**
 * Promise 10: what breaks its analysis fails after three attempts, what kills its workers after ten
 * deaths; both cost $0 and leave nothing to read.
 */
export async function provePoison(house: House, { deathsBefore = 8 } = {}): Promise<Proof> {
  const accountId = await house.account()
  const ids = [await house.job(accountId)]
  const patient = house.worker({
    leaseMs,
    at: 'analysis-started',
    act: 'kill-analysis',
    untilAttempt: 99,
  })
  await untilEnded(house, ids)
  patient.child.kill('SIGTERM')
  await patient.ended
  // Placed only now: that worker would have taken it up as well.
  ids.push(await house.job(accountId))
  await house.ctx.db
    .updateTable('work')
    .set({ attempt: 0, deaths: deathsBefore, not_before: null })
    .where('id', '=', ids[1] ?? '')
    .execute()
  let deaths = deathsBefore
  while (deaths < 20) {
    const open = await house.ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (!open) break
    // It has found everything by then, which must not stay.
    const victim = house.worker({ leaseMs, at: 'end-begun', act: 'die', untilAttempt: 99 })
    const ended = untilEnded(house, ids).then(() => victim.child.kill('SIGTERM'))
    if ((await victim.ended).signal === 'SIGKILL') deaths += 1
    ended.catch(() => undefined)
  }
  const breaches = [...(await breachesOf(house, ids, 'failed')), ...(await orphansOf(house))]
  const rows = await house.ctx.db
    .selectFrom('jobs')
    .innerJoin('work', 'work.id', 'jobs.id')
    .select(['work.attempt', 'work.deaths', 'jobs.error_message'])
    .where('jobs.id', 'in', ids)
    .orderBy('jobs.seq')
    .execute()
  const counts = rows.map((row) => `${row.attempt} attempts and ${row.deaths} deaths`)
  // The claim in which the last worker died still counts as the attempt that it was.
  const wanted = ['3 attempts and 0 deaths', '1 attempts and 10 deaths']
  counts.forEach((count, index) => {
    if (count !== wanted[index]) breaches.push(count)
  })
  for (const row of rows) {
    if (!row.error_message?.includes('Nothing was charged')) breaches.push('no cause is given')
  }
  return { promise: '10 poison', figures: `${counts.join('; ')}; $0`, breaches }
}

/** Promise 30: workers die at random moments of healthy jobs; every job completes, charged once. */
export async function proveDeaths(
  house: House,
  { jobs, kills }: { jobs: number; kills: number },
): Promise<Proof> {
  const accounts = [await house.account(), await house.account()]
  const ids: string[] = []
  for (let count = 0; count < jobs; count++) {
    const place = count % 3 === 2 ? house.film : house.job
    ids.push(await place(accounts[count % 2] ?? ''))
  }
  let deaths = 0
  // Dead workers must have been at work, so each waits for a step that it has not counted on.
  while (deaths < kills) {
    const worker = house.worker({ leaseMs, slots: 2 })
    const hasBegun = (): boolean => worker.steps.some(({ step }) => step.endsWith('claimed'))
    const isOver = async (): Promise<boolean> => (await openJobs(house, ids)) === 0
    await until(async () => hasBegun() || (await isOver()), true, 60_000)
    if (await isOver()) break
    await wait(Math.random() * 1500)
    worker.child.kill('SIGKILL')
    await worker.ended
    deaths += 1
  }
  const last = house.worker({ leaseMs, slots: 2 })
  await untilEnded(house, ids)
  last.child.kill('SIGTERM')
  await last.ended
  const breaches = [...(await breachesOf(house, ids)), ...(await orphansOf(house))]
  if (deaths < kills) breaches.push(`only ${deaths} of ${kills} workers died`)
  const figures = `${deaths} kills over ${jobs} healthy jobs`
  return { promise: '30 machine deaths', figures, breaches }
}

async function openJobs(house: House, ids: string[]): Promise<number> {
  const open = await house.ctx.db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('finished_at', 'is', null)
    .execute()
  return open.length
}

/** Promise 11: SIGTERM at random moments of a busy worker loses nothing and takes ≤ 10 s. */
export async function proveStop(house: House, rounds: number): Promise<Proof> {
  const accounts = [await house.account(), await house.account()]
  const ids: string[] = []
  const breaches: string[] = []
  let longestMs = 0
  let stops = 0
  // A stop between two jobs proves nothing, so such a round is repeated.
  for (let round = 0; stops < rounds && round < rounds * 3; round++) {
    const place = stops % 2 === 0 ? house.job : house.film
    for (const accountId of accounts) ids.push(await place(accountId))
    const worker = house.worker({ slots: 2 })
    const hasBegun = (): boolean => worker.steps.some(({ step }) => step.endsWith('claimed'))
    await until(hasBegun, true, 60_000)
    await wait(Math.random() * 500)
    if ((await runningNow(house)) > 0) stops += 1
    const askedMs = Date.now()
    worker.child.kill('SIGTERM')
    const { code } = await worker.ended
    longestMs = Math.max(longestMs, Date.now() - askedMs)
    if (code !== 0) breaches.push(`a worker ended with ${code}`)
    breaches.push(...(await leftRunning(house)))
  }
  const last = house.worker({ slots: 2 })
  await untilEnded(house, ids)
  last.child.kill('SIGTERM')
  await last.ended
  if (stops < rounds) breaches.push(`only ${stops} of ${rounds} stops met a running job`)
  if (longestMs > 10_000) breaches.push(`a stop took ${longestMs} ms`)
  breaches.push(...(await breachesOf(house, ids)), ...(await orphansOf(house)))
  const figures = `${stops} stops, the longest ${(longestMs / 1000).toFixed(1)} s (limit 10 s)`
  return { promise: '11 SIGTERM', figures: `${figures}, ${ids.length} jobs`, breaches }
}

/** Number of rows of work that a worker has claimed. */
async function runningNow(house: House): Promise<number> {
  const { db } = house.ctx
  return (await db.selectFrom('work').select('id').where('state', '=', 'leased').execute()).length
}

async function leftRunning(house: House): Promise<string[]> {
  const rows = await house.ctx.db
    .selectFrom('work')
    .select(['id', 'attempt'])
    .where('state', '<>', 'done')
    .where((row) => row.or([row('state', '=', 'leased'), row('attempt', '>', 0)]))
    .execute()
  return rows.map((row) => `${row.id} was not handed back (attempt ${row.attempt})`)
}

/** Promise 12: a single job of B does not wait for the many of A, and A's keep their order. */
export async function proveFairness(house: House, many: number): Promise<Proof> {
  const [a, b] = [await house.account(), await house.account()]
  const ofA: string[] = []
  for (let count = 0; count < many; count++) ofA.push(await house.job(a, ['ffprobe']))
  const worker = house.worker({ slots: 1 })
  const started = (): string[] =>
    worker.steps.filter(({ step }) => step === 'claimed').map(({ jobId }) => jobId)
  await until(() => started().length >= 2)
  const single = await house.job(b, ['ffprobe'])
  const startedBefore = started().length
  await until(() => started().includes(single))
  const jobsBetween = started().indexOf(single) - startedBefore
  worker.child.kill('SIGTERM')
  await worker.ended
  const breaches: string[] = []
  if (jobsBetween > 1) breaches.push(`${jobsBetween} jobs of A went before B's`)
  const order = started().filter((id) => id !== single)
  if (order.some((id, index) => ofA[index] !== id)) breaches.push('A’s jobs changed their order')
  const figures = `B's job started after ${jobsBetween + 1} job lengths at most (limit 2)`
  return { promise: `12 fairness, ${many} jobs of A`, figures, breaches }
}

const zombieSteps: Step[] = [
  'fetched',
  'running',
  'result-arrived',
  'files-stored',
  'result-written',
  'end-begun',
  'end-written',
]

/** Every promise, or the one whose number is given. */
async function proveAll(rounds: number, only: string | undefined): Promise<boolean> {
  const house = await openHouse()
  let isProven = true
  const prove = async (promise: string, proof: () => Promise<Proof>): Promise<void> => {
    if (only !== undefined && only !== promise) return
    const startedMs = Date.now()
    const { promise: name, figures, breaches } = await proof()
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(0)
    const verdict = breaches.length === 0 ? 'holds' : `BROKEN: ${breaches.slice(0, 5).join('; ')}`
    isProven &&= breaches.length === 0
    console.log(`promise ${name}: ${figures}: ${verdict} (${seconds} s)`)
  }
  const fewer = Math.ceil(rounds / 5)
  try {
    for (const step of steps) await prove('8', () => proveKill(house, step, rounds))
    for (const step of zombieSteps) await prove('9', () => proveZombie(house, step, fewer))
    await prove('9', () => proveRecovery(house, fewer))
    await prove('10', () => provePoison(house, { deathsBefore: 0 }))
    await prove('11', () => proveStop(house, rounds))
    await prove('30', () => proveDeaths(house, { jobs: 16, kills: 20 }))
    await prove('12', () => proveFairness(house, rounds * 25))
    await prove('40', () => proveTasks(house))
  } finally {
    await house.close()
  }
  return isProven
}

if (import.meta.main) {
  ensureSystemPackages(toTest)
  const [rounds = '20', only] = process.argv.slice(2)
  process.exitCode = (await proveAll(Number(rounds), only)) ? 0 : 1
}
