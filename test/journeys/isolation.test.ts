/** The service where media tools are locked in, less so, or not at all. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { startApiProcess, startWorkerProcess } from '../support/api-process.ts'
import type { ApiProcess } from '../support/api-process.ts'
import { openWorks, jobEnd } from '../support/job-app.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { openPlainContainer, unlockedWrap } from '../support/weak-isolation.ts'
import { use } from '../support/use.ts'
import { postFile } from '../support/upload.ts'

const works = use(openWorks)
let unlocked: string[] | null
before(async () => {
  unlocked = await unlockedWrap()
})

const trial = {
  MEDIA_SANDBOX: 'auto',
  STRIPE_API_URL: 'http://localhost:9',
}

interface Health {
  status: string
  checks: Record<string, string>
}

test('unlocked: a local trial goes on with a loud warning', slow, async (t) => {
  if (!unlocked) return t.skip('this machine makes no namespaces')
  const { api, log } = await startApi(trial, unlocked)
  const user = await works.server.user()
  try {
    const health = await readHealth(api)
    assert.deepEqual([health.status, health.checks.media_sandbox], ['degraded', 'unlocked'])
    assert.equal((await upload(api, user, works.clip)).status, 201)
    assert.match(log(), /"level":40.*MEDIA TOOLS ARE NOT ISOLATED/)
  } finally {
    await api.stop()
  }
})

test('unlocked: real keys refuse every look at a file and every job', async (t) => {
  if (!unlocked) return t.skip('this machine makes no namespaces')
  const user = await works.server.user()
  const { id } = await works.upload(user.token, works.silentClip)
  const real = { ...trial, STRIPE_API_URL: 'https://api.stripe.com' }
  const { api, log } = await startApi(real, unlocked)
  try {
    const health = await readHealth(api)
    assert.deepEqual([health.status, health.checks.media_sandbox], ['degraded', 'unlocked'])
    const refused = await upload(api, user, works.clip)
    assert.equal(refused.status, 503)
    assert.match(((await refused.json()) as ErrorAnswer).message, /cannot check or analyse/)
    const job = await post(api, user, '/v1/jobs', { content_id: id, workflow: 'ffprobe' })
    assert.equal(job.status, 503)
    assert.equal((await works.balanceOf(user)).held, 0)
    assert.match(log(), /"level":50.*nothing is analysed/)
  } finally {
    await api.stop()
  }
})

test('reduced: root in a plain container checks uploads and runs jobs', slow, async (t) => {
  const container = await openPlainContainer()
  if (!container) return t.skip('only root can make a container')
  t.after(() => container.stop())
  const server = await startTestServer()
  t.after(() => server.stop())
  const user = await server.user()
  const { wrap } = container
  const { api, log } = await startApi({ ...trial, HOST: '0.0.0.0' }, wrap, server)
  const worker = await startWorkerProcess(server, { environment: { MEDIA_SANDBOX: 'auto' }, wrap })
  try {
    const health = await readHealth(api)
    assert.deepEqual([health.status, health.checks.media_sandbox], ['ok', 'reduced'])
    assert.match(log(), /"level":40.*"media_sandbox":"reduced"/)
    assert.equal((await upload(api, user, works.clip)).status, 201)
    const [item] = (await user.client.listContent({ query: {} })).content
    assert.equal(item?.check.state, 'ready')
    assert.ok(item.thumbnail_url)
    const body = { content_id: item.id, workflow: 'ffprobe,thumbnail,shots' }
    const { job } = await user.client.createJob({ body })
    const ended = await jobEnd(user, job.id)
    assert.deepEqual([ended.status, ended.partial], ['completed', false])
  } finally {
    await worker.stop()
    await api.stop()
  }
})

test('an analysis process has none of the settings of its service', async () => {
  const user = await works.server.user()
  const item = await works.upload(user.token, works.clip)
  let environment = ''
  works.onStep = async (step, { pid }) => {
    if (step !== 'analysis-started') return
    // It is empty for a moment while the process becomes another program.
    environment = await until(
      () => readFile(`/proc/${pid}/environ`, 'latin1'),
      (text) => text !== '',
    )
  }
  process.env.CANARY_STRIPE_KEY = 'sk_live_canary'
  try {
    const job = await works.runJob(user, item.id, 'ffprobe')
    assert.equal(job.status, 'completed')
  } finally {
    delete process.env.CANARY_STRIPE_KEY
    works.onStep = () => undefined
  }
  const names = environment.split('\0').map((line) => line.split('=')[0] ?? '')
  const own = names.filter((name) => name !== '' && !name.startsWith('NODE_CHANNEL_'))
  assert.deepEqual(
    own.toSorted((a, b) => a.localeCompare(b)),
    ['HOME', 'NODE_COMPILE_CACHE', 'PATH', 'TMPDIR'],
  )
})

async function startApi(
  environment: Record<string, string>,
  wrap: string[],
  server = works.server,
): Promise<{ api: ApiProcess; log: () => string }> {
  let text = ''
  const onLog = (more: string): void => void (text += more)
  const api = await startApiProcess(server, { environment, wrap, onLog })
  return { api, log: () => text }
}

async function readHealth(api: ApiProcess): Promise<Health> {
  return (await (await fetch(`${api.url}/v1/health`)).json()) as Health
}

function upload(api: ApiProcess, { token }: TestUser, bytes: Buffer): Promise<Response> {
  return postFile(api, { token, bytes, name: 'clip.mp4' })
}

function post(api: ApiProcess, user: TestUser, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' }
  return fetch(`${api.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
}
