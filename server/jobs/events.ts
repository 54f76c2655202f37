/**
 * Server-sent events: a job's or an account's changes as they happen. Any API process serves any
 * worker's events, because the signal comes through PostgreSQL; what is sent is read from the
 * tables at that moment, so a lost or doubled signal only means a later or repeated state.
 */
import type { ServerResponse } from 'node:http'
import type { Job } from '../../contract/jobs.ts'
import { toUsd } from '../../contract/money.ts'
import type { Credential } from '../actor.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import type { Context } from '../process/context.ts'
import { listen } from '../db/notify.ts'
import type { Listener, Signals } from '../db/notify.ts'
import { credentialOf, liveCredentials } from '../credential.ts'
import type { Exchange, Verb } from '../verb.ts'
import { Refusal } from '../refusal.ts'
import { findJob, readJob, toWire, withExtractors } from './read.ts'

interface Watch {
  accountId: string
  /** What it was opened with; the stream ends with it. */
  credential: Credential
  /** Null: the whole account. */
  jobId: string | null
}

interface Stream extends Watch {
  raw: ServerResponse
}

const heartbeatMs = 15_000
/** How often streams are held against their sessions and keys: revoked and expired ones end. */
const checkMs = 2000
/** A stream ends after this time; clients open a new one. */
const lifeMs = 60 * 60_000
const mostStreamsOfAccount = 30
/** Changes that arrive together are told together. */
const gatherMs = 100
const mostUnreadBytes = 1024 * 1024
const mostActiveJobs = 100

export const watchJob: Verb<'watchJob'> = async (ctx, actor, input, exchange) => {
  const { accountId } = actor
  const of = { id: input.params.id, accountId }
  await readJob(ctx.db, of)
  const hub = await hubOf(ctx)
  const stream = hub.open({ accountId, credential: credentialOf(actor), jobId: of.id }, exchange)
  const job = await findJob(ctx.db, of)
  if (job) sendJob(stream, job)
}

export const watchAccount: Verb<'watchAccount'> = async (ctx, actor, _input, exchange) => {
  const { accountId } = actor
  const hub = await hubOf(ctx)
  const stream = hub.open({ accountId, credential: credentialOf(actor), jobId: null }, exchange)
  await grantFreeCredit(ctx.db, { accountId, now: ctx.now() })
  send(stream, 'balance', await balanceOf(ctx, accountId))
  for (const job of await activeJobs(ctx, accountId)) sendJob(stream, job)
}

/** Ends every stream of this process; the server cannot close while they are open. */
export async function closeEvents(ctx: Context): Promise<void> {
  const hub = hubs.get(ctx.pool)
  hubs.delete(ctx.pool)
  await (await hub)?.close()
}

interface Hub {
  open(watch: Watch, exchange: Exchange): Stream
  close(): Promise<void>
}

const hubs = new WeakMap<object, Promise<Hub>>()

function hubOf(ctx: Context): Promise<Hub> {
  const known = hubs.get(ctx.pool)
  if (known) return known
  const made = startHub(ctx)
  hubs.set(ctx.pool, made)
  made.catch(() => hubs.delete(ctx.pool))
  return made
}

async function startHub(ctx: Context): Promise<Hub> {
  const streams = new Set<Stream>()
  const changed = new Map<string, Signals['account_changed']>()
  let gathering: NodeJS.Timeout | null = null

  const tell = async (): Promise<void> => {
    gathering = null
    const signals = [...changed.values()]
    changed.clear()
    await tellChanges(ctx, streams, signals)
  }
  const onChange = (signal: Signals['account_changed']): void => {
    if (![...streams].some((stream) => stream.accountId === signal.accountId)) return
    const key = `${signal.accountId} ${signal.jobId ?? ''} ${signal.batchId ?? ''}`
    changed.set(key, { ...changed.get(key), ...signal })
    gathering ??= setTimeout(() => {
      tell().catch((error: unknown) => ctx.log.warn({ err: error }, 'events not told'))
    }, gatherMs)
  }
  const repeatAll = (): void => {
    for (const { accountId, jobId } of streams) {
      onChange({ accountId, balance: true, ...(jobId ? { jobId } : {}) })
    }
  }
  const listener: Listener = await listen(
    ctx.config.databaseUrl,
    { account_changed: onChange },
    { log: ctx.log, onReconnect: repeatAll },
  )
  const heartbeat = setInterval(() => {
    for (const { raw } of streams) raw.write(': still here\n\n')
  }, heartbeatMs)
  const check = setInterval(() => {
    endRevoked(ctx, streams).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'streams not checked'),
    )
  }, checkMs)
  return {
    open: (watch, exchange) => openStream(streams, watch, exchange),
    async close() {
      clearInterval(heartbeat)
      clearInterval(check)
      if (gathering) clearTimeout(gathering)
      for (const { raw } of streams) raw.end()
      streams.clear()
      await listener.close()
    },
  }
}

function openStream(streams: Set<Stream>, watch: Watch, { reply }: Exchange): Stream {
  const own = [...streams].filter((stream) => stream.accountId === watch.accountId)
  if (own.length >= mostStreamsOfAccount) {
    throw new Refusal('rate_limited', 'Too many open event streams. Please close some first.', {
      retryAfterSeconds: 30,
    })
  }
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.write('retry: 2000\n\n')
  const stream = { ...watch, raw }
  streams.add(stream)
  const life = setTimeout(() => raw.end(), lifeMs)
  raw.on('close', () => {
    clearTimeout(life)
    streams.delete(stream)
  })
  return stream
}

async function endRevoked(ctx: Context, streams: ReadonlySet<Stream>): Promise<void> {
  if (streams.size === 0) return
  const open = [...streams]
  const live = await liveCredentials(
    ctx,
    open.map((stream) => stream.credential),
  )
  for (const { credential, raw } of open) if (!live.has(credential.id)) raw.end()
}

async function tellChanges(
  ctx: Context,
  streams: Set<Stream>,
  signals: Signals['account_changed'][],
): Promise<void> {
  const ids = signals.flatMap(({ jobId, deleted }) => (jobId && !deleted ? [jobId] : []))
  const jobs = ids.length > 0 ? await readJobs(ctx, ids) : new Map<string, Job>()
  for (const signal of signals) {
    const { accountId, jobId } = signal
    const watching = [...streams].filter((stream) => stream.accountId === accountId)
    const job = jobId ? jobs.get(jobId) : undefined
    for (const stream of watching) {
      if (stream.jobId !== null && stream.jobId !== jobId) continue
      if (job) sendJob(stream, job)
      else if (jobId && signal.deleted) send(stream, 'deleted', { id: jobId })
    }
    const accountWide = watching.filter((stream) => stream.jobId === null)
    if (signal.batchId)
      for (const stream of accountWide) send(stream, 'batch', { id: signal.batchId })
    if (!signal.balance || accountWide.length === 0) continue
    const balance = await balanceOf(ctx, accountId)
    for (const stream of accountWide) send(stream, 'balance', balance)
  }
}

async function readJobs(ctx: Context, ids: string[]): Promise<Map<string, Job>> {
  const rows = await withExtractors(ctx.db.selectFrom('jobs')).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toWire(row)]))
}

async function activeJobs(ctx: Context, accountId: string): Promise<Job[]> {
  const rows = await withExtractors(ctx.db.selectFrom('jobs'))
    .where('account_id', '=', accountId)
    .where('finished_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(mostActiveJobs)
    .execute()
  return rows.map(toWire)
}

async function balanceOf(ctx: Context, accountId: string): Promise<object> {
  const balance = await readBalance(ctx.db, { accountId, now: ctx.now() })
  return {
    account_balance_usd: toUsd(balance.availableMicros),
    held_usd: toUsd(balance.heldMicros),
  }
}

/** The stream of one job ends with it, so that a plain `curl` returns. */
function sendJob(stream: Stream, job: Job): void {
  send(stream, 'job', job)
  if (stream.jobId !== null && job.finished_at !== null) stream.raw.end()
}

function send(stream: Stream, event: 'job' | 'batch' | 'balance' | 'deleted', data: object): void {
  const { raw } = stream
  if (raw.writableEnded || raw.destroyed) return
  // A reader that has stopped reading is let go; it will ask again.
  if (raw.writableLength > mostUnreadBytes) raw.destroy()
  else raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}
