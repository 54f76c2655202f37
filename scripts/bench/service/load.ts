/**
 * `npm run bench -- load [SECONDS]`: first the CPU time of an authenticated GET as a ratio to that
 * of a bare `node:http` server, each a process of its own, in turns, with nothing else under way;
 * what PostgreSQL spends is printed beside it. Then the 99th percentile of `GET /v1/user/me` and
 * `GET /v1/jobs` at 200 requests a second while a job runs, as a ratio to the promised 100 ms. API
 * and worker are processes of their own; a request's time counts from when it was due, so that a
 * stall is not hidden by fewer requests. A server that does nothing is asked meanwhile, 50 times a
 * second: its time is the machine's share. The command fails when the promise does not hold.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '../../../contract/api.ts'
import type { ApiClient } from '../../../contract/api.ts'
import { createClient } from '../../../client/create-client.ts'
import { startApiProcess, startWorkerProcess } from '../../../test/support/api-process.ts'
import { uploadClip } from '../../../test/support/fixtures.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { TestServer } from '../../../test/support/app.ts'
import { cpuOfProcess } from '../cpu.ts'
import { median, print, quantile } from '../figures.ts'

const limitMs = 100
const perSecond = 200
const barePerSecond = 50
const maxCpuRatio = 8
const cpuRounds = 5
/** Both servers are compiled by then; fewer rounds flatter ours, since the bare one gains more. */
const warmRounds = 8
const cpuRequests = 2000
const connections = 8
const paths = ['/v1/user/me', '/v1/jobs?limit=5']

export async function run(args: string[] = []): Promise<void> {
  const seconds = Math.min(120, Number(args[0] ?? 10))
  await using server = await startTestServer()
  // As in production: the tests' own check of every answer against the contract is off.
  await using house = await startApiProcess(server, { environment: { CHECK_REPLIES: '0' } })
  using bare = await startBareServer()
  const tokens: string[] = []
  for (let person = 0; person < connections; person += 1) {
    tokens.push(await addPerson(server, house.url))
  }
  const token = tokens[0] ?? ''
  const client = createClient(api, { base: house.url, token: () => token })
  await send({ addresses: paths.map((path) => house.url + path), token, seconds: 2, perSecond })
  await compareCpu({ server, house, bare, tokens })
  await using workers = new AsyncDisposableStack()
  workers.use(await startWorkerProcess(server, { environment: { WORKER_JOBS: '1' } }))
  const content = await uploadClip(house.url, token, { seconds: 120, size: '640x360' })
  const jobId = await untilRunning(client, content.id)
  const [times, bareTimes] = await Promise.all([
    send({ addresses: paths.map((path) => house.url + path), token, seconds, perSecond }),
    send({ addresses: [bare.url], token, seconds, perSecond: barePerSecond }),
  ])
  const { job } = await client.getJob({ params: { id: jobId } })
  const p99 = quantile(times, 0.99)
  const bareP99 = quantile(bareTimes, 0.99)
  print(
    `load: p99 at ${perSecond} requests/s while a job runs / ${limitMs} ms`,
    p99 / limitMs,
    { max: 1 },
    `p99 ${p99.toFixed(1)} ms, median ${median(times).toFixed(1)} ms,` +
      ` ${times.length} requests in ${seconds} s;` +
      ` the job ${job.finished_at ? 'ended before the last request' : 'ran all the time'}`,
  )
  console.log(
    `load: p99 / p99 of a server that does nothing = ${(p99 / bareP99).toFixed(1)}` +
      ` (its p99 ${bareP99.toFixed(1)} ms, median ${median(bareTimes).toFixed(1)} ms)`,
  )
}

/** With jobs that nobody works on yet, so that their list has something to show. */
async function addPerson(server: TestServer, base: string): Promise<string> {
  const { token } = await server.user()
  const client = createClient(api, { base, token: () => token })
  const small = await uploadClip(base, token, { seconds: 1, size: '64x36' })
  for (let job = 0; job < 5; job += 1) {
    await client.createJob({ body: { content_id: small.id, workflow: 'ffprobe' } })
  }
  return token
}

/** Compares consecutive turns, so that the machine's mood weighs on both. */
async function compareCpu(at: {
  server: TestServer
  house: { url: string; pid: number }
  bare: { url: string; pid: number }
  tokens: readonly string[]
}): Promise<void> {
  for (const path of paths) {
    const rounds: { ours: number; bare: number; database: number }[] = []
    for (let round = 1 - warmRounds; round <= cpuRounds; round += 1) {
      const pids = await databasePids(at.server)
      const databaseBefore = await cpuOfAll(pids)
      const ours = await cpuOfRequests(at.house.pid, at.house.url + path, at.tokens)
      const database = ((await cpuOfAll(pids)) - databaseBefore) / cpuRequests
      const bare = await cpuOfRequests(at.bare.pid, at.bare.url, at.tokens)
      if (round > 0) rounds.push({ ours, bare, database })
    }
    const ratio = median(rounds.map(({ ours, bare }) => ours / bare))
    const micros = (key: 'ours' | 'bare' | 'database'): string =>
      (median(rounds.map((round) => round[key])) * 1e6).toFixed(0)
    print(
      `load: CPU of GET ${path} / bare node:http`,
      ratio,
      { max: maxCpuRatio },
      `${micros('ours')} µs a request, bare ${micros('bare')} µs;` +
        ` PostgreSQL ${micros('database')} µs beside it`,
    )
  }
}

/** As many connections as people, each of another account. */
async function cpuOfRequests(
  pid: number,
  address: string,
  tokens: readonly string[],
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: tokens.length })
  const before = await cpuOfProcess(pid)
  let left = cpuRequests
  const sendInTurn = async (token: string): Promise<void> => {
    while (left-- > 0) await ask(address, token, agent)
  }
  await Promise.all(tokens.map(sendInTurn))
  const seconds = (await cpuOfProcess(pid)) - before
  agent.destroy()
  return seconds / cpuRequests
}

async function databasePids(server: TestServer): Promise<number[]> {
  const { rows } = await server.ctx.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  return rows.map(({ pid }) => pid)
}

async function cpuOfAll(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map((pid) => cpuOfProcess(pid).catch(() => 0)))
  return times.reduce((sum, seconds) => sum + seconds, 0)
}

async function untilRunning(client: ApiClient, contentId: string): Promise<string> {
  const body = { content_id: contentId, workflow: 'ffprobe,thumbnail,shots' }
  const { id } = (await client.createJob({ body })).job
  for (let tries = 0; tries < 300; tries += 1) {
    const { job } = await client.getJob({ params: { id } })
    if (job.status === 'running') return id
    await wait(50)
  }
  throw new Error('The job did not start.')
}

export async function send(options: {
  addresses: readonly string[]
  token: string
  seconds: number
  perSecond: number
}): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const count = options.seconds * options.perSecond
  const startMs = performance.now()
  const calls: Promise<number>[] = []
  for (let index = 0; index < count; index += 1) {
    const dueMs = startMs + (index * 1000) / options.perSecond
    const early = dueMs - performance.now()
    if (early > 0) await wait(early)
    const address = options.addresses[index % options.addresses.length] ?? ''
    calls.push(ask(address, options.token, agent).then((ms) => ms - dueMs))
  }
  const times = await Promise.all(calls)
  agent.destroy()
  return times
}

/** A process of its own, like the API. */
async function startBareServer(): Promise<Disposable & { url: string; pid: number }> {
  const source = `require('node:http').createServer((request, response) => response.end('{}'))
    .listen(0, 'localhost', function () { process.send(this.address().port) })`
  const child = spawn(process.execPath, ['-e', source], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [port] = (await once(child, 'message')) as [number]
  const stop = (): void => void child.kill()
  return { url: `http://localhost:${port}/`, pid: child.pid ?? 0, [Symbol.dispose]: stop }
}

/** Answers with the time at which the answer was whole. */
function ask(address: string, token: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(address, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now())
        else reject(new Error(`${address} answered ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}
