/**
 * `npm run prove:agents`: agents that call tools at random, several at a time, never spend more
 * than the limit of their key, whatever they repeat, mix up or race for.
 *
 * The owner raises the limit step by step, so that the agents race for its last cents again and
 * again. Two sums are compared with it, during the run and after it, neither of which the limit
 * itself reads: what is missing from the account's balance (charged and held), and the costs of all
 * jobs. Any single sum above the limit ends the proof.
 */
import assert from 'node:assert/strict'
import { startWorking } from '../../server/runs/work.ts'
import { waveFile } from '../../server/syncs/wave-file.ts'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer, TestUser } from '../../test/support/app.ts'
import { uploadFile } from '../../test/support/upload.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const agents = 8
const firstLimitMicros = 10_000
const stepMicros = 10_000
const callsPerStep = 200

if (import.meta.main) {
  ensureSystemPackages(toTest)
  console.log(JSON.stringify(await proveAgents(Number(process.argv[2] ?? 10_000))))
}

export interface AgentsReport {
  calls: number
  /** Jobs that exist at the end, what they were charged, and what those that wait hold. */
  jobs: number
  chargedMicros: number
  heldMicros: number
  limitMicros: number
  refusedByLimit: number
  refusedOtherwise: number
  /** How often the sums were compared, and the smallest remainder of the limit then. */
  checks: number
  minLeftMicros: number
}

export async function proveAgents(calls: number): Promise<AgentsReport> {
  const server = await startTestServer()
  const worker = await startWorking(server.ctx, { slots: 1 })
  try {
    const user = await server.user()
    const spend_limit = { usd: firstLimitMicros / 1e6, period: 'total' as const }
    const { apiKey } = await user.client.createApiKey({ body: { name: 'agent', spend_limit } })
    const watch = createWatch(user, apiKey.id, calls)
    const play = createPlay(server, apiKey.key, await uploadSound(server.url, apiKey.key))
    const agent = async (): Promise<void> => {
      while (play.calls() < calls) {
        await play.step()
        await watch.check(play.calls())
      }
    }
    await Promise.all(Array.from({ length: agents }, agent))
    // A waiting job has its hold, which counts as if it were charged.
    await worker.stop()
    await watch.check(play.calls())
    const jobs = await allJobs(user)
    const micros = (usd: number): number => Math.round(usd * 1e6)
    const chargedMicros = jobs.reduce((sum, job) => sum + micros(job.cost_usd), 0)
    const heldMicros = jobs.reduce((sum, job) => sum + micros(job.held_usd), 0)
    const spentMicros = chargedMicros + heldMicros
    assert.ok(spentMicros <= watch.limitMicros(), `${spentMicros} of ${watch.limitMicros()}`)
    assert.equal(spentMicros, await missingMicros(user), 'the jobs are all that was paid for')
    const { refusedByLimit, refusedOtherwise } = play
    return {
      calls: play.calls(),
      jobs: jobs.length,
      chargedMicros,
      heldMicros,
      limitMicros: watch.limitMicros(),
      refusedByLimit: refusedByLimit(),
      refusedOtherwise: refusedOtherwise(),
      checks: watch.checks(),
      minLeftMicros: watch.minLeftMicros(),
    }
  } finally {
    await worker.stop()
    await server.stop()
  }
}

/** Raises the limit as the calls go on, and compares with it what is gone from the balance. */
function createWatch(user: TestUser, keyId: string, calls: number) {
  let limitMicros = firstLimitMicros
  let checks = 0
  let minLeftMicros = Infinity
  let wantedMicros = firstLimitMicros
  let raising: Promise<unknown> = Promise.resolve()
  const raise = async (micros: number): Promise<void> => {
    limitMicros = micros
    const spend_limit = { usd: limitMicros / 1e6, period: 'total' as const }
    await user.client.updateApiKey({ params: { id: keyId }, body: { spend_limit } })
  }
  return {
    limitMicros: () => limitMicros,
    checks: () => checks,
    minLeftMicros: () => minLeftMicros,
    async check(done: number): Promise<void> {
      const steps = Math.floor(Math.min(done, calls) / callsPerStep)
      const nextMicros = firstLimitMicros + stepMicros * steps
      if (wantedMicros < nextMicros) {
        wantedMicros = nextMicros
        raising = raising.then(() => raise(nextMicros))
      }
      await raising
      const gone = await missingMicros(user)
      // Read afterwards: the limit only grows, so that it is never the stricter one by accident.
      assert.ok(gone <= limitMicros, `${gone} of ${limitMicros} micro-dollars are gone`)
      checks += 1
      minLeftMicros = Math.min(minLeftMicros, limitMicros - gone)
    },
  }
}

/** The month's free credit that the account no longer has: charged, or held for jobs under way. */
async function missingMicros(user: TestUser): Promise<number> {
  const { account_balance_usd } = await user.client.getMe()
  return 5_000_000 - Math.round(account_balance_usd * 1e6)
}

async function allJobs(user: TestUser) {
  const jobs = []
  let cursor: string | undefined
  do {
    const page = await user.client.listJobs({ query: { limit: 100, cursor } })
    jobs.push(...page.jobs)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return jobs
}

interface Answer {
  quote_id?: string
  job_id?: string
  error?: { code: string }
}

/** Calls of the agents: mostly quotes and analyses, right, repeated, mixed up and made up. */
function createPlay(server: TestServer, key: string, contentId: string) {
  const quotes: { quote_id: string; asked: object }[] = []
  const jobs: string[] = []
  let calls = 0
  let refusedByLimit = 0
  let refusedOtherwise = 0
  const call = (name: string, args: object): Promise<Answer> => {
    calls += 1
    return callTool(server, key, name, args)
  }
  const quote = async (): Promise<void> => {
    const asked = randomOrder(contentId)
    const { quote_id } = await call('quote', asked)
    if (quote_id) quotes.push({ quote_id, asked })
  }
  const analyse = async (): Promise<void> => {
    const { quote_id, asked } = pick(quotes)
    // Sometimes for what was not quoted, sometimes twice at once.
    const order = { quote_id, ...(random(10) === 0 ? randomOrder(contentId) : asked) }
    const times = random(5) === 0 ? 2 : 1
    const answers = await Promise.all(Array.from({ length: times }, () => call('analyse', order)))
    for (const { job_id, error } of answers) {
      if (job_id) jobs.push(job_id)
      else if (error?.code === 'spend_limit') refusedByLimit += 1
      else refusedOtherwise += 1
    }
  }
  /** The key also opens the plain calls, which need no quote. */
  const orderPlainly = async (): Promise<void> => {
    calls += 1
    const workflow = pick(['ffprobe', 'talking', 'transcription'])
    const start = random(90) / 10
    const order = { content_id: contentId, workflow, in: start, out: start + 0.5 }
    const isBatch = random(2) === 0
    const body = isBatch ? { ...order, content_id: undefined, content_ids: [contentId] } : order
    const answer = await send(server, key, isBatch ? '/v1/jobs/batch' : '/v1/jobs', body)
    const { code } = (await answer.json()) as { code?: string }
    if (code === 'spend_limit') refusedByLimit += 1
    else if (!answer.ok) refusedOtherwise += 1
  }
  return {
    calls: () => calls,
    refusedByLimit: () => refusedByLimit,
    refusedOtherwise: () => refusedOtherwise,
    async step(): Promise<void> {
      const choice = random(100)
      const job_id = jobs.length > 0 ? pick(jobs) : contentId
      if (choice < 30 || quotes.length === 0) await quote()
      else if (choice < 75) await analyse()
      else if (choice < 80) await orderPlainly()
      else if (choice < 85) await call('job_status', { job_id, wait_seconds: 0 })
      else if (choice < 90)
        await call(pick(['transcript', 'findings']), { job_id, extractor: 'talking' })
      else if (choice < 95) await call(pick(['list_content', 'list_cuts']), { limit: 5 })
      else await call(pick(['search', 'export', 'create_cut', 'nothing']), { query: 'a', job_id })
    },
  }
}

function randomOrder(contentId: string): object {
  const start = random(90) / 10
  return {
    content_id: contentId,
    extractors: pick([['ffprobe'], ['ffprobe'], ['ffprobe', 'talking'], ['transcription']]),
    in_seconds: start,
    out_seconds: start + 0.1 + random(20) / 10,
  }
}

async function callTool(
  server: TestServer,
  key: string,
  name: string,
  args: object,
): Promise<Answer> {
  const params = { name, arguments: args }
  const answer = await send(server, key, '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  })
  assert.ok(answer.status < 500, `${name} answered ${answer.status}`)
  const { result } = (await answer.json()) as { result?: { content: { text: string }[] } }
  const text = result?.content[0]?.text ?? '{}'
  return (text.startsWith('{') ? JSON.parse(text) : {}) as Answer
}

function send(server: TestServer, key: string, path: string, body: object): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return server.fetch(path, { method: 'POST', token: key, headers, body: JSON.stringify(body) })
}

/** Ten seconds of silence: every range of it is an analysis of its own. */
async function uploadSound(url: string, key: string): Promise<string> {
  const wave = waveFile(new Uint8Array(160_000), 8000)
  return (await uploadFile({ url }, key, wave, 'silence.wav')).id
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

function pick<Item>(items: readonly Item[]): Item {
  return items[random(items.length)] as Item
}
