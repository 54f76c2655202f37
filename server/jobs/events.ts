/**
 * Server-sent events: a job's or an account's changes as they happen. Any API process serves any
 * worker's events, because the signal comes through PostgreSQL; what is sent is read from the
 * tables at that moment, so a lost or doubled signal only means a later or repeated state.
 */
import type { FastifyReply } from 'fastify'
import type { Job } from '../../contract/footage/jobs.ts'
import { toUsd } from '../../domain/money/money.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { mayDo } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import { openOnce } from '../ground/open-once.ts'
import { listen } from '../db/notify.ts'
import type { Listener, Signals } from '../db/notify.ts'
import { credentialOf, liveCredentials } from '../ground/credential.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import type { EventStream, EventStreams, Watch } from '../ground/event-streams.ts'
import { findJob, readJob, toWire, withExtractors } from './read.ts'

type EventsContext = Pick<Context, 'config' | 'db' | 'log' | 'now'>

const heartbeatMs = 15_000
/** How often streams are held against their sessions and keys: revoked and expired ones end. */
const checkMs = 2000
/** A stream ends after this time; clients open a new one. */
const lifeMs = 60 * 60_000
const maxStreamsOfAccount = 30
/** Changes that arrive together are sent together. */
const gatherMs = 100
const flushMs = 5000
const maxUnreadBytes = 1024 * 1024
const maxActiveJobs = 100

export const watchJob: Verb<'watchJob'> = async (ctx, actor, input, { reply }) => {
  const { accountId } = actor
  const target = { id: input.params.id, accountId }
  await readJob(ctx.db, target)
  const watch = { accountId, credential: credentialOf(actor), jobId: target.id, hasBalance: false }
  const stream = await ctx.events.open(watch, reply)
  const job = await findJob(ctx.db, target)
  if (job) sendJob(stream, job)
}

export const watchAccount: Verb<'watchAccount'> = async (ctx, actor, _input, { reply }) => {
  const { accountId } = actor
  const hasBalance = mayDo(actor, 'billing:read')
  const watch = { accountId, credential: credentialOf(actor), jobId: null, hasBalance }
  const stream = await ctx.events.open(watch, reply)
  await grantFreeCredit(ctx.db, { accountId, now: ctx.now() })
  if (hasBalance) send(stream, 'balance', await balanceOf(ctx, accountId))
  for (const job of await activeJobs(ctx, accountId)) sendJob(stream, job)
}

interface Hub {
  open(watch: Watch, reply: FastifyReply): Promise<EventStream>
  close(): Promise<void>
}

/** Listens to the database from the first stream on. */
export function openEvents(ctx: EventsContext): EventStreams {
  let isStarted = false
  const hub = openOnce(() => {
    isStarted = true
    return startHub(ctx)
  })
  return {
    open: async (watch, reply) => await (await hub()).open(watch, reply),
    close: async () => {
      if (isStarted) await (await hub()).close()
    },
  }
}

async function startHub(ctx: EventsContext): Promise<Hub> {
  const streams = new Set<EventStream>()
  const changed = new Map<string, Signals['account_changed']>()
  const following = new Map<string, Promise<void>>()
  let gathering: NodeJS.Timeout | null = null

  const notify = async (): Promise<void> => {
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
      notify().catch((error: unknown) => ctx.log.warn({ err: error }, 'events not sent'))
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
    for (const { raw } of streams) {
      if (!raw.writableEnded && !raw.destroyed) raw.write(': still here\n\n')
    }
  }, heartbeatMs)
  const check = setInterval(() => {
    endRevoked(ctx, streams).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'streams not checked'),
    )
  }, checkMs)
  return {
    async open(watch, reply) {
      const { accountId } = watch
      const isWatched = (): boolean => [...streams].some((stream) => stream.accountId === accountId)
      const isFirst = !isWatched()
      const stream = openStream(streams, watch, reply)
      // Skip a client that is gone: its `close` came before anybody listened.
      if (stream.raw.destroyed) return stream
      stream.raw.on('close', () => {
        if (isWatched()) return
        following.delete(accountId)
        void listener.unfollow(accountId)
      })
      if (isFirst) following.set(accountId, listener.follow(accountId))
      // The rows read next are current: any later change is signalled.
      await following.get(accountId)
      return stream
    },
    async close() {
      clearInterval(heartbeat)
      clearInterval(check)
      if (gathering) clearTimeout(gathering)
      for (const { raw } of streams) endStream(raw)
      streams.clear()
      await listener.close()
    },
  }
}

function openStream(streams: Set<EventStream>, watch: Watch, reply: FastifyReply): EventStream {
  const own = [...streams].filter((stream) => stream.accountId === watch.accountId)
  if (own.length >= maxStreamsOfAccount) {
    throw new Refusal('rate_limited', 'Too many open event streams. Please close some first.', {
      retryAfterSeconds: 30,
    })
  }
  reply.hijack()
  const { raw } = reply
  const stream = { ...watch, raw }
  if (raw.destroyed) return stream
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.write('retry: 2000\n\n')
  streams.add(stream)
  const life = setTimeout(() => endStream(raw), lifeMs)
  raw.on('close', () => {
    clearTimeout(life)
    streams.delete(stream)
  })
  return stream
}

/** A reader that does not take what is left would hold the connection for good. */
export function endStream(raw: EventStream['raw'], limitMs = flushMs): void {
  if (raw.writableEnded || raw.destroyed) return
  raw.end()
  const late = setTimeout(() => raw.destroy(), limitMs)
  raw.once('close', () => clearTimeout(late))
}

async function endRevoked(ctx: EventsContext, streams: ReadonlySet<EventStream>): Promise<void> {
  if (streams.size === 0) return
  const open = [...streams]
  const live = await liveCredentials(
    ctx,
    open.map((stream) => stream.credential),
  )
  for (const { credential, raw } of open) if (!live.has(credential.id)) endStream(raw)
}

async function tellChanges(
  ctx: EventsContext,
  streams: Set<EventStream>,
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
    const withBalance = accountWide.filter((stream) => stream.hasBalance)
    if (!signal.balance || withBalance.length === 0) continue
    const balance = await balanceOf(ctx, accountId)
    for (const stream of withBalance) send(stream, 'balance', balance)
  }
}

async function readJobs(ctx: EventsContext, ids: string[]): Promise<Map<string, Job>> {
  const rows = await withExtractors(ctx.db.selectFrom('jobs')).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toWire(row)]))
}

async function activeJobs(ctx: EventsContext, accountId: string): Promise<Job[]> {
  const rows = await withExtractors(ctx.db.selectFrom('jobs'))
    .where('account_id', '=', accountId)
    .where('finished_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(maxActiveJobs)
    .execute()
  return rows.map(toWire)
}

async function balanceOf(ctx: EventsContext, accountId: string): Promise<object> {
  const balance = await readBalance(ctx.db, { accountId, now: ctx.now() })
  return {
    account_balance_usd: toUsd(balance.availableMicros),
    held_usd: toUsd(balance.heldMicros),
  }
}

/** The stream of one job ends with it, so that a plain `curl` returns. */
function sendJob(stream: EventStream, job: Job): void {
  send(stream, 'job', job)
  if (stream.jobId !== null && job.finished_at !== null) endStream(stream.raw)
}

function send(
  stream: EventStream,
  event: 'job' | 'batch' | 'balance' | 'deleted',
  data: object,
): void {
  const { raw } = stream
  if (raw.writableEnded || raw.destroyed) return
  // A reader that has stopped reading is let go; it will ask again.
  if (raw.writableLength > maxUnreadBytes) raw.destroy()
  else raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}
