/**
 * A place to prove things about jobs in: a database, clips that are all different (so that no
 * result is reused), accounts with credit, workers as processes, and the checks that hold after any
 * fault.
 */
import { execFile, fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { fromUsd } from '../../domain/money/money.ts'
import { probe } from '../../engine/probe.ts'
import { findOrCreateAccount } from '../../server/sign-in/find-or-create.ts'
import { adjust } from '../../server/billing/ledger.ts'
import { readConfig } from '../../server/ground/config.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded.ts'
import { placeJob } from '../../server/jobs/create.ts'
import { roundUp } from '../../server/jobs/price.ts'
import type { Step } from '../../server/work/steps.ts'
import { openContext } from '../../server/process/open-context.ts'
import type { OpenContext } from '../../server/process/open-context.ts'
import { spokenFilm } from '../../test/support/spoken-film.ts'
import { until } from '../../test/support/until.ts'
import type { WorkerOrder } from './jobs-worker.ts'

const run = promisify(execFile)

export interface House {
  ctx: OpenContext
  account(): Promise<string>
  /** Places a job on a clip that no other job has seen. */
  job: (accountId: string, extractors?: ExtractorId[]) => Promise<string>
  /** The same with a film, which is taken apart. */
  film: (accountId: string) => Promise<string>
  /** The same with speech: its pictures are judged while that is heard. */
  spokenFilm: (accountId: string) => Promise<string>
  worker(order?: WorkerOrder): WorkerProcess
  close(): Promise<void>
}

export interface Proof {
  promise: string
  figures: string
  breaches: string[]
}

export interface WorkerProcess {
  child: ChildProcess
  ended: Promise<{ code: number | null; signal: string | null }>
  ready: Promise<void>
  steps: { step: Step; jobId: string; attempt: number; atMs: number }[]
  /** Background tasks that it began. */
  tasks: { name: string; id: string; atMs: number }[]
}

export async function openHouse(options: { databaseUrl?: string } = {}): Promise<House> {
  const dir = await mkdtemp(join(tmpdir(), 'cutindex-prove-'))
  const postgres = options.databaseUrl
    ? null
    : await startEmbeddedPostgres({
        dir: join(dir, 'postgres'),
        durable: false,
        maxConnections: 200,
      })
  const clips = await serveClips(dir)
  const environment = {
    PATH: process.env.PATH,
    // Many workers start here; they need not compile what others have compiled.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
    DATABASE_URL: options.databaseUrl ?? postgres?.url,
    DATABASE_CONNECTIONS: '6',
    DATA_DIR: join(dir, 'data'),
    FETCH_ALLOW_LOOPBACK: '1',
    SEGMENT_SECONDS: '1',
    // Jobs are proven here, not isolation.
    MEDIA_SANDBOX: 'off',
    LOG_LEVEL: 'error',
    STRIPE_SECRET_KEY: 'sk_test_prove',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_prove',
    STRIPE_WEBHOOK_SECRET: 'whsec_prove',
    // Nobody is there.
    STRIPE_API_URL: 'http://127.0.0.1:9',
  }
  const ctx = await openContext(readConfig(environment), 'api')
  await mkdir(ctx.config.dataDir, { recursive: true })
  const workers = new Set<ChildProcess>()
  const place = async (
    accountId: string,
    { url, media }: ReturnType<Clips['next']>,
    extractors: ExtractorId[] = ['ffprobe', 'thumbnail'],
  ): Promise<string> => {
    const name = url.slice(url.lastIndexOf('/') + 1)
    const source = { contentId: null, url, name, sha256: null, media, vocabulary: [] }
    const seconds = roundUp(media.duration)
    const length = { mediaSeconds: seconds, seconds, isSample: false, isTest: false }
    const plan = {
      accountId,
      source,
      extractors,
      versions: new Map(),
      options: {},
      ...length,
    }
    return (await placeJob(ctx, plan)).id
  }
  return {
    ctx,
    account: () => openAccount(ctx),
    job: (accountId, extractors) => place(accountId, clips.next('clip'), extractors),
    film: (accountId) => place(accountId, clips.next('film')),
    spokenFilm: (accountId) =>
      place(accountId, clips.next('spoken-film'), ['thumbnail', 'transcription']),
    worker: (order = {}) => startWorker(environment, order, workers),
    async close() {
      for (const child of workers) child.kill('SIGKILL')
      clips.close()
      await ctx.close()
      await postgres?.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

interface Message {
  ready?: true
  step?: Step
  jobId: string
  attempt: number
  task?: { name: string; id: string }
}

function startWorker(
  environment: NodeJS.ProcessEnv,
  order: WorkerOrder,
  workers: Set<ChildProcess>,
): WorkerProcess {
  const file = join(import.meta.dirname, 'jobs-worker.ts')
  const child = fork(file, [JSON.stringify(order)], { env: environment, execArgv: [] })
  workers.add(child)
  const steps: WorkerProcess['steps'] = []
  const tasks: WorkerProcess['tasks'] = []
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: Message) => {
      if (message.ready) resolve()
      const { step, jobId, attempt, task } = message
      if (step) steps.push({ step, jobId, attempt, atMs: Date.now() })
      if (task) tasks.push({ ...task, atMs: Date.now() })
    })
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      workers.delete(child)
      resolve({ code, signal })
    })
  })
  return { child, ended, ready, steps, tasks }
}

async function openAccount(ctx: OpenContext): Promise<string> {
  const name = randomUUID()
  const { id } = await findOrCreateAccount(ctx, {
    provider: 'github',
    subject: name,
    email: `${name}@example.com`,
    emailVerified: true,
    username: name,
    name: null,
    picture: null,
  })
  const now = ctx.now()
  const credit = { amountMicros: fromUsd('1000'), reason: 'proof', reference: name }
  await adjust(ctx.db, { accountId: id, now, ...credit })
  return id
}

type Kind = 'clip' | 'film' | 'spoken-film'

interface Served {
  bytes: Buffer
  media: Media
}

interface Clips {
  next(kind: Kind): { url: string; media: Media }
  close(): void
}

/**
 * A clip is one second of picture and sound, a film three with a key picture in each; of a spoken
 * film two parts hear the speech. Every address adds an empty atom of its own, so bytes differ.
 */
async function serveClips(dir: string): Promise<Clips> {
  const served = {
    clip: await makeServed(join(dir, 'clip.mp4'), 1),
    film: await makeServed(join(dir, 'film.mp4'), 3),
    'spoken-film': await serve(await spokenFilm.make(dir)),
  }
  const server = createServer((request, response) => {
    const name = Buffer.from(request.url ?? '')
    const kinds: Kind[] = ['film', 'spoken-film']
    const { bytes } = served[kinds.find((kind) => request.url?.startsWith(`/${kind}`)) ?? 'clip']
    const atom = Buffer.alloc(8)
    atom.writeUInt32BE(8 + name.length)
    atom.write('free', 4)
    response.end(Buffer.concat([bytes, atom, name]))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    next: (kind) => ({
      url: `http://127.0.0.1:${port}/${kind}-${randomUUID()}.mp4`,
      media: served[kind].media,
    }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function makeServed(file: string, seconds: number): Promise<Served> {
  const words = `-v error -nostdin -y -f lavfi -i testsrc2=size=64x36:rate=12:duration=${seconds}
    -f lavfi -i sine=440:duration=${seconds} -c:v libx264 -preset ultrafast -g 12 -c:a aac -shortest`
  await run('ffmpeg', [...words.split(/\s+/), file])
  return await serve(file)
}

async function serve(file: string): Promise<Served> {
  const outcome = await probe(file)
  if (outcome.status === 'refused') throw new Error(outcome.message)
  return { bytes: await readFile(file), media: outcome.media }
}

export async function untilEnded(house: House, ids: string[]): Promise<void> {
  const isSo = async (): Promise<boolean> => {
    const open = await house.ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('id', 'in', ids)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    return open === undefined
  }
  await until(isSo, true, 60_000 + ids.length * 30_000)
}

/** One charge of the right sum, one result for each extractor, nothing held; lists breaches. */
export async function breachesOf(
  house: House,
  ids: string[],
  expected: 'completed' | 'failed' = 'completed',
): Promise<string[]> {
  const { rows } = await sql<{
    id: string
    status: string
    error_message: string | null
    workflow: string
    held_micros: number
    cost_micros: number
    captures: number
    captured: number
    still_held: number
    results: number
  }>`
    select j.id, j.status, j.error_message, j.workflow, j.held_micros, j.cost_micros,
      (select count(*)::int from ledger_transactions t where t.job_id = j.id and kind = 'capture')
        as captures,
      (select coalesce(-sum(amount_micros), 0)::bigint from ledger_transactions t
        where t.job_id = j.id and kind = 'capture') as captured,
      (select coalesce(sum(held_change_micros), 0)::bigint from ledger_transactions t
        where t.job_id = j.id) as still_held,
      (select count(*)::int from job_results r where r.content_sha256 = j.content_sha256
        and r.account_id = j.account_id) as results
    from jobs j where j.id in (${sql.join(ids)})`.execute(house.ctx.db)
  const breaches: string[] = []
  const mustBe = (holds: boolean, text: string): void => {
    if (!holds) breaches.push(text)
  }
  mustBe(rows.length === ids.length, `${ids.length - rows.length} jobs are gone`)
  for (const row of rows) {
    const isDone = expected === 'completed'
    const why = row.error_message === null ? '' : ` (${row.error_message})`
    mustBe(row.status === expected, `${row.id} is ${row.status}${why}, not ${expected}`)
    mustBe(row.captures === (isDone ? 1 : 0), `${row.id} was charged ${row.captures} times`)
    const price = isDone ? row.held_micros : 0
    mustBe(row.captured === price, `${row.id} was charged ${row.captured}, not ${price}`)
    mustBe(row.cost_micros === price, `${row.id} says that it cost ${row.cost_micros}`)
    mustBe(row.still_held === 0, `${row.id} still holds ${row.still_held}`)
    const results = row.workflow.split(',').length
    const wanted = isDone ? results : 0
    mustBe(row.results === wanted, `${row.id} has ${row.results} results, not ${wanted}`)
  }
  return breaches
}

/** After a sweep: every stored object belongs to a result, and no folder or process is left. */
export async function orphansOf(house: House): Promise<string[]> {
  const { ctx } = house
  await sweepStore(ctx)
  const owned = await ctx.db.selectFrom('job_result_files').select('storage_key').execute()
  const keys = new Set(owned.map((row) => row.storage_key))
  const orphans: string[] = []
  for await (const { key } of ctx.storage.list('results/')) {
    if (!keys.delete(key)) orphans.push(`object ${key}`)
  }
  for (const key of keys) orphans.push(`missing object ${key}`)
  for await (const { key } of ctx.storage.list('parts/')) orphans.push(`object ${key}`)
  const work = join(ctx.config.dataDir, 'work')
  for (const folder of await readdir(work).catch(() => [])) {
    const names = await readdir(join(work, folder))
    orphans.push(...names.map((name) => `folder work/${folder}/${name}`))
  }
  const ids = (await ctx.db.selectFrom('jobs').select('id').execute()).map(({ id }) => id)
  orphans.push(...(await processesNaming(new Set(ids))))
  return orphans
}

/** Analysis processes carry their job's id, media tools the path of its folder. */
async function processesNaming(ids: Set<string>): Promise<string[]> {
  const processes: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const names = line.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
    if (names.some((name) => ids.has(name))) processes.push(`process ${pid}`)
  }
  return processes
}
