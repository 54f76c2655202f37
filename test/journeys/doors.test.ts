/**
 * Bad requests at every door: each is refused in words, and none is ever the server's fault. The
 * short run takes one in seventeen, from a random one on; the whole run takes all.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { openOperatorSession } from '../../server/sign-in/session.ts'
import { startWorking } from '../../server/runs/work.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import { badRequests } from '../support/bad-requests.ts'
import type { BadRequest, Ground } from '../support/bad-requests.ts'
import { breachesOf, knock } from '../support/raw-request.ts'
import type { Answer, Sent } from '../support/raw-request.ts'
import { isWholeRun } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { goodRequests, missing } from '../support/good-requests.ts'
import { use } from '../support/use.ts'

const server = use(() => startTestServer({ sandbox: true }))
const user = use(() => server.user())
let content: ContentItem
/** An ended job with findings and files. */
let jobId: string

before(async () => {
  content = await uploadClip(server.url, user.token)
  jobId = await runJob('ffprobe,thumbnail,shots')
})

async function runJob(workflow: string): Promise<string> {
  const worker = await startWorking(server.ctx, { slots: 1 })
  const { job } = await user.client.createJob({ body: { content_id: content.id, workflow } })
  const read = async (): Promise<string | null> =>
    (await user.client.getJob({ params: { id: job.id } })).job.finished_at
  await until(read, (finishedAt) => finishedAt !== null)
  await worker.stop()
  return job.id
}

const send = (item: Sent): Promise<Answer> => knock(server.url, item)

const ground = (id?: string): Ground => goodRequests({ url: server.url, contentId: content.id, id })

const step = isWholeRun ? 1 : 29
const firstCase = Math.floor(Math.random() * step)

/** 29 divides the length of no list of hostile values, so every value reaches every endpoint. */
function sample(cases: BadRequest[]): BadRequest[] {
  return cases.filter((_, index) => index % step === firstCase)
}

async function tokenFor(bad: BadRequest): Promise<string> {
  // These end the session that calls, so each call gets its own.
  const ends = bad.path.startsWith('/v1/auth/') || bad.path.startsWith('/v1/user/sessions')
  return ends ? openOperatorSession(server.ctx, user.accountId) : user.token
}

async function collect(
  cases: BadRequest[],
  token?: string,
): Promise<{ breaches: string[]; refused: number }> {
  const breaches: string[] = []
  let refused = 0
  for (const bad of cases) {
    const own = token ?? (await tokenFor(bad))
    const headers = { authorization: `Bearer ${own}`, ...bad.headers }
    const answer = await send({ ...bad, headers }).catch((error: unknown) => {
      breaches.push(`${bad.name}: no answer (${String(error)})`)
      return null
    })
    if (!answer) continue
    if (answer.status >= 400) refused += 1
    breaches.push(...breachesOf(bad.name, answer, bad.isRefused))
  }
  return { breaches, refused }
}

test('every endpoint refuses what the contract does not take', { timeout: 300_000 }, async (t) => {
  const cases = sample(badRequests(ground()))
  const { breaches, refused } = await collect(cases)
  t.diagnostic(`${cases.length} requests, ${refused} refused`)
  assert.deepEqual(breaches, [])
  assert.ok(refused >= 1000 / step, `only ${refused} of ${cases.length} were refused`)
})

test('a test key meets the same refusals', { timeout: 300_000 }, async () => {
  const body = { name: 'CI', mode: 'test' } as const
  const { key } = (await user.client.createApiKey({ body })).apiKey
  const tested = await uploadClip(server.url, key)
  const job = { content_id: tested.id, workflow: 'ffprobe', in: 0, out: 1 }
  const bodies = { ...ground().bodies, createJob: job, quoteJob: job }
  const { webhook } = await server.client(key).createWebhook({
    body: { url: 'http://127.0.0.1:1/', events: ['job.failed'] },
  })
  const names = Object.entries<Endpoint>(api)
    .filter(([, { tag }]) => tag === 'Webhooks')
    .map(([name]) => name as EndpointName)
  const cases = [
    ...badRequests({ ...ground(webhook.id), bodies }, names),
    ...badRequests({ ...ground(tested.id), bodies }, [
      'createJob',
      'quoteJob',
      'createBatch',
      'updateContent',
      'getCurrentApiKey',
      'downloadUsage',
      'listInvoices',
    ]),
    ...badRequests(ground(), ['createApiKey', 'listAudit', 'requestDataExport', 'saveSpendLimit']),
  ]
  const { breaches, refused } = await collect(sample(cases), key)
  assert.deepEqual(breaches, [])
  assert.ok(refused >= 500 / step, String(refused))
})

test(
  'an existing object answers to bad options and decisions too',
  { timeout: 300_000 },
  async () => {
    const names = ['saveReview', 'getReview', 'exportJob', 'getJobResults', 'getJobFile'] as const
    const { breaches, refused } = await collect(sample(badRequests(ground(jobId), names)))
    assert.deepEqual(breaches, [])
    assert.ok(refused >= 300 / step, String(refused))
  },
)

test('decisions that hold odd text and numbers are refused or kept', async () => {
  const select = (name: string, start: string, end: string): string =>
    `{"id":"${missing}","name":${name},"start_frame":${start},"end_frame":${end}}`
  const lists = [
    select('"\\u0000"', '0', '1'),
    select('"\\ud800"', '0', '1'),
    select('"\\udc00\\ud800"', '0', '1'),
    select('"a"', '-1', '1'),
    select('"a"', '9007199254740991', '9007199254740992'),
    select('"a"', '1e999', '1'),
    select('"a"', '0.5', '1'),
    select('null', '0', '1'),
    '1',
    'null',
    '[]',
  ]
  const breaches: string[] = []
  for (const item of lists) {
    const body = `{"selects":[${item}],"accepted_cut_frames":[],"rejected_cut_frames":[],"shot_threshold":0.5}`
    const answer = await send(call('PUT', `/v1/jobs/${jobId}/review`, {}, body))
    breaches.push(...breachesOf(item, answer, true))
  }
  assert.deepEqual(breaches, [])
})

function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Uint8Array,
): Parameters<typeof send>[0] {
  const own: Record<string, string> = { authorization: `Bearer ${user.token}` }
  if (typeof body === 'string') own['content-type'] = 'application/json'
  return { method, path, headers: { ...own, ...headers }, body }
}

test('a header that cannot be right is refused in words', async () => {
  const path = '/v1/user/me'
  const tokens = ['', 'Bearer', 'Bearer ', 'Basic eA==', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`]
  const more = [
    'Bearer \u00ff',
    'Bearer ci_live_',
    `Bearer ci_live_${'0'.repeat(36)}`,
    'bearer x;y',
  ]
  const keys = ['', ' ', 'a b', 'x'.repeat(256), '\u00e9', '\t']
  const anonymous = { authorization: '' }
  const keyBody = JSON.stringify({ name: 'Door', expiresInDays: 30 })
  const calls = [
    ...[...tokens, ...more].map((authorization) => call('GET', path, { authorization })),
    ...keys.map((key) => call('POST', '/v1/api-keys', { 'idempotency-key': key }, keyBody)),
    call('POST', '/v1/api-keys', { 'content-encoding': 'gzip' }, new Uint8Array([1, 2, 3])),
    call('GET', `/v1/content/${content.id}/download?ticket=x`, anonymous),
    call('GET', `/v1/content/${content.id}/download?ticket=${'.'.repeat(400)}`, anonymous),
    call('GET', `/v1/content/${content.id}/download?ticket=a&ticket=b`, anonymous),
    call('GET', `/v1/content/${content.id}/thumbnail?ticket=%00`, anonymous),
    call('GET', `/v1/jobs/${jobId}/files/sprite.jpg?ticket=%ED%A0%80`, anonymous),
  ]
  const breaches: string[] = []
  for (const call of calls) {
    const answer = await send(call)
    breaches.push(...breachesOf(JSON.stringify(call).slice(0, 120), answer, true))
  }
  assert.deepEqual(breaches, [])
})

test('a range is served, refused or, where it makes no sense, passed over', async () => {
  const path = `/v1/content/${content.id}/download`
  const size = content.file_size ?? 0
  const expected: [string, number][] = [
    [`bytes=${size}-`, 416],
    ['bytes=999999999999-', 416],
    ['bytes=-0', 416],
    ['bytes=99999999999999999999999-', 200],
    ['bytes=5-1', 200],
    ['bytes=-', 200],
    ['bytes=a-b', 200],
    ['bytes=0-0,2-3', 200],
    ['lines=1-2', 200],
    ['bytes=-1-5', 200],
    ['bytes=0x0-0x5', 200],
    ['bytes', 200],
    ['=', 200],
    [`bytes=-${size * 2}`, 206],
    [`bytes=0-${'9'.repeat(15)}`, 206],
  ]
  for (const [range, status] of expected) {
    const answer = await send(call('GET', path, { range }))
    assert.equal(answer.status, status, range)
    if (status === 416) assert.deepEqual(breachesOf(range, answer, true), [])
  }
})

test('a form that is no form, or holds no file, is refused', async () => {
  const part = (head: string, body = 'x'): string => `--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`
  const file = 'Content-Disposition: form-data; name="file"; filename="a.bin"'
  const forms: [string, string][] = [
    ['multipart/form-data', part(file)],
    ['multipart/form-data; boundary=', part(file)],
    ['multipart/form-data; boundary=other', part(file)],
    [`multipart/form-data; boundary=${'b'.repeat(500)}`, part(file)],
    ['multipart/mixed; boundary=b', part(file)],
    ['application/json', '{"file":"x"}'],
    ['text/plain', 'x'],
    ['', part(file)],
    ['multipart/form-data; boundary=b', ''],
    ['multipart/form-data; boundary=b', '--b--\r\n'],
    ['multipart/form-data; boundary=b', '--b\r\n'],
    ['multipart/form-data; boundary=b', `--b\r\n${file}\r\n\r\ncut off`],
    ['multipart/form-data; boundary=b', part('Content-Disposition: form-data; name="other"')],
    ['multipart/form-data; boundary=b', part('Content-Disposition: form-data')],
    ['multipart/form-data; boundary=b', part('Content-Disposition: attachment; name="file"')],
    ['multipart/form-data; boundary=b', part('X: y')],
    ['multipart/form-data; boundary=b', part(`${file}\r\nX: ${'y'.repeat(200_000)}`)],
    ['multipart/form-data; boundary=b', part(file.replace('"file"', '"file\u0000"'))],
  ]
  const breaches: string[] = []
  for (const [type, body] of forms) {
    const answer = await send(call('POST', '/v1/content/upload', { 'content-type': type }, body))
    breaches.push(...breachesOf(`${type} ${body.slice(0, 80)}`, answer, true))
  }
  // Strange names are the sender's own business: they are kept in a form that can be stored.
  for (const name of ['\u0000', '../../x', '%00', '\ud800', 'x'.repeat(5000), '"', '']) {
    const form = part(file.replace('a.bin', name), `bytes of ${name}`)
    const type = 'multipart/form-data; boundary=b'
    const answer = await send(call('POST', '/v1/content/upload', { 'content-type': type }, form))
    breaches.push(...breachesOf(`name ${name.slice(0, 20)}`, answer, false))
  }
  assert.deepEqual(breaches, [])
})

test('a resumable upload with headers that make no sense is refused', async () => {
  const path = '/v1/content/resumable'
  const tus = { 'tus-resumable': '1.0.0' }
  const begun = await send(call('POST', path, { ...tus, 'upload-length': '10' }))
  assert.equal(begun.status, 201)
  const own = new URL(String(begun.headers.location)).pathname
  const starts: Record<string, string>[] = [
    {},
    tus,
    { 'tus-resumable': '9.9.9', 'upload-length': '10' },
    ...['-1', 'abc', '', '1e3', '0x10', '1.5', '9'.repeat(30), '0'].map((length) => ({
      ...tus,
      'upload-length': length,
    })),
    { ...tus, 'upload-defer-length': '2' },
    { ...tus, 'upload-defer-length': '1' },
    { ...tus, 'upload-length': '10', 'upload-metadata': '%%%' },
    { ...tus, 'upload-length': '10', 'upload-metadata': 'filename not*base64' },
    { ...tus, 'upload-length': '10', 'upload-concat': 'partial' },
    { ...tus, 'upload-length': '10', 'upload-concat': 'final;/x /y' },
  ]
  const type = 'application/offset+octet-stream'
  const goods = { ...tus, 'content-type': type, 'upload-offset': '0' }
  const patches: Record<string, string>[] = [
    { ...goods, 'tus-resumable': '0.0.1' },
    { ...goods, 'content-type': 'text/plain' },
    ...['-1', 'abc', '', '5', '1e1', '9'.repeat(30)].map((offset) => ({
      ...goods,
      'upload-offset': offset,
    })),
    { ...tus, 'content-type': type },
  ]
  const breaches: string[] = []
  const check = async (request: Parameters<typeof send>[0], isRefused: boolean): Promise<void> => {
    const name = `${request.method} ${JSON.stringify(request.headers).slice(120, 300)}`
    breaches.push(...breachesOf(name, await send(request), isRefused))
  }
  for (const headers of starts) await check(call('POST', path, headers), false)
  for (const headers of patches) await check(call('PATCH', own, headers, new Uint8Array(3)), true)
  await check(call('PATCH', own, goods, new Uint8Array(30)), true)
  await check(call('PATCH', own, { ...goods, 'x-http-method-override': 'DELETE' }), false)
  await check(call('PATCH', `${path}/${missing}`, goods, new Uint8Array(3)), true)
  assert.deepEqual(breaches, [])
  const still = await send(call('HEAD', own, tus))
  assert.ok([200, 404, 410].includes(still.status), String(still.status))
})

test('an event of the payment provider that it did not sign is refused', async () => {
  const path = '/v1/payment/webhook'
  const event = '{"id":"evt_1","type":"checkout.session.completed"}'
  const now = Math.floor(Date.now() / 1000)
  const signatures = [
    '',
    'x',
    't=1,v1=ab',
    `t=${now},v1=`,
    `t=${now},v1=${'0'.repeat(64)}`,
    't=NaN',
  ]
  const bodies = [event, '', '{', '\u0000', `"${'x'.repeat(2_000_000)}"`, '[]']
  const breaches: string[] = []
  for (const body of bodies) {
    for (const signature of signatures) {
      const answer = await send(call('POST', path, { 'stripe-signature': signature }, body))
      breaches.push(...breachesOf(`${signature} ${body.slice(0, 30)}`, answer, true))
    }
    breaches.push(...breachesOf('unsigned', await send(call('POST', path, {}, body)), true))
  }
  assert.deepEqual(breaches, [])
})

test('a request that is no HTTP gets an answer of the same shape', async () => {
  const texts = [
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\nX\r\n\r\n',
    'GET /v1/health HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `GET /v1/health HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    `GET /${'y'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'GET /v1/health\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /v1/jobs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ]
  const breaches: string[] = []
  for (const text of texts) {
    const [head = '', body = ''] = (await speak(text)).split('\r\n\r\n')
    const answer = {
      status: Number(head.split(' ')[1]),
      text: body,
      headers: { 'content-length': '' },
    }
    breaches.push(...breachesOf(text.slice(0, 60), answer, true))
  }
  assert.deepEqual(breaches, [])
})

test('a second Host header is refused', async () => {
  const { host } = new URL(server.url)
  for (const other of ['evil.example', host]) {
    const text = `GET /openapi.yaml HTTP/1.1\r\nHost: ${host}\r\nhost: ${other}\r\nConnection: close\r\n\r\n`
    const [head = '', body = ''] = (await speak(text)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 400 /)
    assert.match(body, /more than one Host header/)
  }
})

test('a body is read only when the caller is known', async () => {
  const broken = '{"name": '
  const own = await send(call('POST', '/v1/api-keys', {}, broken))
  assert.equal(own.status, 400, 'the owner hears about the syntax')
  const type = { 'content-type': 'application/json' }
  for (const headers of [type, { ...type, authorization: 'Bearer nobody' }]) {
    const answer = await send({ method: 'POST', path: '/v1/api-keys', headers, body: broken })
    assert.equal(answer.status, 401)
  }
  const strange = { 'content-type': 'text/plain' }
  const path = '/v1/jobs'
  const answer = await send({ method: 'POST', path, headers: strange, body: 'x'.repeat(2_000_000) })
  assert.equal(answer.status, 401)
})

function speak(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })
}
