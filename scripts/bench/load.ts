/**
 * The 99th percentile of `GET /v1/user/me` and `GET /v1/jobs` at 200 requests a second while a job
 * runs, as a ratio to the promised 100 ms. API and worker are processes of their own; a request's
 * time counts from when it was due, so that a stall is not hidden by fewer requests.
 */
import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '../../contract/api.ts'
import type { ApiClient } from '../../contract/api.ts'
import { createClient } from '../../contract/endpoint.ts'
import { startApiProcess, startWorkerProcess } from '../../test/api-process.ts'
import { uploadClip } from '../../test/belongings.ts'
import { startTestServer } from '../../test/server.ts'

const limitMs = 100
const perSecond = 200
const paths = ['/v1/user/me', '/v1/jobs?limit=5']

export async function run(args: string[] = []): Promise<void> {
  const seconds = Math.min(120, Number(args[0] ?? 10))
  const server = await startTestServer()
  const house = await startApiProcess(server)
  const worker = await startWorkerProcess(server, { environment: { WORKER_JOBS: '1' } })
  try {
    const { token } = await server.user()
    const client = createClient(api, { base: house.url, token: () => token })
    await send(house.url, token, { seconds: 2 })
    const content = await uploadClip(house.url, token, { seconds: 120, size: '640x360' })
    const jobId = await untilRunning(client, content.id)
    const times = await send(house.url, token, { seconds })
    const { job } = await client.getJob({ params: { id: jobId } })
    const p99 = quantile(times, 0.99)
    const ratio = p99 / limitMs
    console.log(
      `load: p99 at ${perSecond} requests/s while a job runs / ${limitMs} ms = ${ratio.toFixed(2)}` +
        ` (target ≤ 1: ${ratio <= 1 ? 'met' : 'MISSED'}; p99 ${p99.toFixed(1)} ms,` +
        ` median ${quantile(times, 0.5).toFixed(1)} ms, ${times.length} requests in ${seconds} s;` +
        ` the job ${job.finished_at ? 'ended before the last request' : 'ran all the time'})`,
    )
  } finally {
    await Promise.all([house.stop(), worker.stop()])
    await server.stop()
  }
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

async function send(url: string, token: string, options: { seconds: number }): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const count = options.seconds * perSecond
  const startMs = performance.now()
  const calls: Promise<number>[] = []
  for (let index = 0; index < count; index += 1) {
    const dueMs = startMs + (index * 1000) / perSecond
    const early = dueMs - performance.now()
    if (early > 0) await wait(early)
    calls.push(ask(`${url}${paths[index % paths.length]}`, token, agent).then((ms) => ms - dueMs))
  }
  const times = await Promise.all(calls)
  agent.destroy()
  return times
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

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
