import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { ApiClient } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { adjust } from '../../server/billing/ledger.ts'
import { runOnce } from '../../server/http/idempotency.ts'
import { Refusal } from '../../server/ground/refusal.ts'
import { startTestServer } from '../support/app.ts'
import { uploadClip } from '../support/fixtures.ts'
import { isWholeRun } from '../support/slow.ts'
import { soundStatus } from '../support/weak-isolation.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

test('health answers ok', async () => {
  const health = await server.client(null).getHealth()
  assert.equal(health.status, await soundStatus())
  assert.equal(health.checks.database, 'ok')
})

test('health answers in time where the store hangs', async (t) => {
  t.mock.method(server.ctx.storage, 'check', () => new Promise(() => undefined))
  const response = await server.fetch('/v1/health')
  const { status, checks } = (await response.json()) as Awaited<ReturnType<ApiClient['getHealth']>>
  assert.deepEqual([response.status, status, checks.storage], [200, 'degraded', 'unreachable'])
})

test('an unknown call answers in the shape of every error', async () => {
  const response = await server.fetch('/v1/nothing')
  const body = (await response.json()) as ErrorAnswer
  assert.equal(response.status, 404)
  assert.equal(body.code, 'not_found')
  assert.equal(body.message, body.error)
  assert.equal(response.headers.get('x-request-id'), body.request_id)
})

test('broken JSON, a wrong type, an unknown field and NUL are refused without a 5xx', async () => {
  const { token } = await server.user()
  const send = async (body: string, type = 'application/json'): Promise<[number, ErrorAnswer]> => {
    const response = await server.fetch('/v1/api-keys', {
      method: 'POST',
      token,
      body,
      headers: { 'content-type': type },
    })
    return [response.status, (await response.json()) as ErrorAnswer]
  }
  assert.equal((await send('{"name":'))[0], 400)
  assert.equal((await send('{"name":1}'))[0], 422)
  assert.equal((await send('{"name":"a","more":1}'))[0], 422)
  assert.equal((await send('{"name":"a\\u0000b"}'))[0], 422)
  assert.equal((await send('name=a', 'application/x-www-form-urlencoded'))[0], 415)
  assert.equal((await send(`{"name":"${'a'.repeat(2 * 1024 * 1024)}"}`))[0], 413)
  const [status, body] = await send('{"name":"  "}')
  assert.equal(status, 422)
  assert.equal(body.message, 'Please enter a key name')
})

test('every call of the contract that needs a person refuses an anonymous one (§6)', async () => {
  const closed = Object.values<Endpoint>(api).filter((endpoint) => endpoint.auth !== 'anyone')
  for (const endpoint of closed) {
    const path = endpoint.path.replace(/\{\w+\}/g, '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34')
    const response = await server.fetch(`/v1${path}`, { method: endpoint.method })
    assert.equal(response.status, 401, `${endpoint.method} ${endpoint.path}`)
  }
})

test('the same Idempotency-Key gives one effect and one answer', async () => {
  const { token, client } = await server.user()
  const send = async (body: object, key: string): Promise<{ status: number; text: string }> => {
    const response = await server.fetch('/v1/api-keys', {
      method: 'POST',
      token,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
    return { status: response.status, text: await response.text() }
  }
  const first = await send({ name: 'Ingest' }, 'a-key')
  assert.equal(first.status, 201)
  assert.deepEqual(await send({ name: 'Ingest' }, 'a-key'), first)
  assert.equal((await send({ name: 'Other' }, 'a-key')).status, 422)
  const parallel = await Promise.all(
    Array.from({ length: 20 }, () => send({ name: 'Parallel' }, 'b-key')),
  )
  assert.ok(parallel.every(({ status }) => status === 201 || status === 409))
  const { apiKeys } = await client.listApiKeys()
  assert.deepEqual(apiKeys.map((key) => key.name).sort(), ['Ingest', 'Parallel'])
})

const keys = isWholeRun ? 500 : 4
test(`${keys} Idempotency-Keys, each sent five times at once, place a job and a hold each`, async () => {
  const user = await server.user()
  const { ctx } = server
  const { id } = await uploadClip(server.url, user.token, { seconds: 1, size: '32x18' })
  const credit = { amountMicros: 100_000_000, reason: 'test', reference: 'keys' }
  await adjust(ctx.db, { accountId: user.accountId, now: ctx.now(), ...credit })
  const body = JSON.stringify({ content_id: id, workflow: 'ffprobe' })
  const send = async (key: string): Promise<string> => {
    for (;;) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key }
      const answer = await server.fetch('/v1/jobs', {
        method: 'POST',
        token: user.token,
        body,
        headers,
      })
      const text = await answer.text()
      if (answer.status === 201) return text
      // The first one is under way: a client asks again.
      assert.equal(answer.status, 409, text)
      assert.equal((JSON.parse(text) as ErrorAnswer).code, 'in_flight')
    }
  }
  const ids = new Set<string>()
  const waiting = Array.from({ length: keys }, (_, count) => `key-${count}`)
  const carry = async (): Promise<void> => {
    for (let key = waiting.pop(); key; key = waiting.pop()) {
      const name = key
      const answers = new Set(await Promise.all(Array.from({ length: 5 }, () => send(name))))
      assert.equal(answers.size, 1, `${name} has one answer`)
      for (const text of answers) ids.add((JSON.parse(text) as { job: { id: string } }).job.id)
    }
  }
  await Promise.all(Array.from({ length: 4 }, carry))
  assert.equal(ids.size, keys, 'each key has a job of its own')
  const { rows } = await ctx.pool.query<{ jobs: number; holds: number; held: boolean }>(
    `select (select count(*)::int from jobs where account_id = $1) as jobs,
       (select count(*)::int from ledger_transactions where account_id = $1 and kind = 'hold')
         as holds,
       (select held_micros from ledger_wallets where account_id = $1)
         = (select sum(held_micros) from jobs where account_id = $1) as held`,
    [user.accountId],
  )
  assert.deepEqual(rows, [{ jobs: keys, holds: keys, held: true }])
})

test('a request that another one took over does not take its answer away', async () => {
  const { accountId } = await server.user()
  const { clock, ctx } = server
  const request = { accountId, key: 'slow', endpoint: 'createJob', body: { a: 1 } }
  const late = Promise.withResolvers<never>()
  const begun = Promise.withResolvers<void>()
  const first = runOnce(ctx, request, () => {
    begun.resolve()
    return late.promise
  })
  await begun.promise
  clock.offsetMs += 61_000
  const other = { ...request, body: { a: 2 } }
  await assert.rejects(
    runOnce(ctx, other, () => Promise.reject(new Error('ran'))),
    { code: 'idempotency_mismatch' },
  )
  const answer = { status: 201, body: { id: 'b' } }
  assert.deepEqual(await runOnce(ctx, request, async () => answer), answer)
  late.reject(new Refusal('conflict', 'Too late.'))
  await assert.rejects(first, /Too late/)
  const third = await runOnce(ctx, request, () => Promise.reject(new Error('ran again')))
  assert.deepEqual(third, answer)
  clock.offsetMs = 0
})

test('the stored answer of an idempotent request does not hold the API key', async () => {
  const { token } = await server.user()
  const response = await server.fetch('/v1/api-keys', {
    method: 'POST',
    token,
    body: '{"name":"Secret"}',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'c-key' },
  })
  const { apiKey } = (await response.json()) as { apiKey: { key: string } }
  const { rows } = await server.ctx.pool.query<{ answer: Buffer }>(
    'select answer from idempotent_requests where answer is not null',
  )
  assert.ok(rows.length > 0)
  for (const row of rows) assert.ok(!row.answer.toString('latin1').includes(apiKey.key))
})

test('too many requests are answered with 429 and when to come back', async () => {
  await using strict = await startTestServer({
    environment: { RATE_PER_SECOND: '1', RATE_BURST: '5' },
  })
  const answers = await Promise.all(Array.from({ length: 60 }, () => strict.fetch('/v1/health')))
  const refused = answers.filter((answer) => answer.status === 429)
  // Five at once, then one for each second that the rest takes.
  assert.ok(refused.length >= 20, `${refused.length} refused`)
  assert.ok(Number(refused[0]?.headers.get('retry-after')) >= 1)
})

test('the limit goes by the address that the proxy saw, not by one made up, and by the account', async () => {
  await using strict = await startTestServer({
    environment: { RATE_PER_SECOND: '1', RATE_BURST: '5', TRUST_PROXY: '1' },
  })
  const ask = (addresses: string): Promise<Response> =>
    strict.fetch('/v1/health', { headers: { 'x-forwarded-for': addresses } })
  const pretending = await Promise.all(
    Array.from({ length: 60 }, (_, at) => ask(`198.51.100.${at}, 203.0.113.7`)),
  )
  assert.ok(pretending.filter((answer) => answer.status === 429).length >= 20)
  const others = await Promise.all(
    Array.from({ length: 60 }, (_, at) => ask(`203.0.113.${at + 10}`)),
  )
  assert.ok(others.every((answer) => answer.status === 200))
  const { token } = await strict.user()
  const oneAccount = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      strict.fetch('/v1/user/me', {
        token,
        headers: { 'x-forwarded-for': `203.0.113.${at + 80}` },
      }),
    ),
  )
  assert.ok(oneAccount.filter((answer) => answer.status === 429).length >= 20)
})

test('answers carry the security headers, and CORS only for allowed origins', async () => {
  const own = await server.fetch('/v1/health', { headers: { origin: server.url } })
  assert.equal(own.headers.get('access-control-allow-origin'), server.url)
  assert.match(own.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  assert.equal(own.headers.get('x-content-type-options'), 'nosniff')
  const other = await server.fetch('/v1/health', { headers: { origin: 'https://evil.example' } })
  assert.equal(other.headers.get('access-control-allow-origin'), null)
})

test('the server has exactly the routes of the contract (§7)', async () => {
  const promised = Object.values<Endpoint>(api)
    .map((endpoint) => `${endpoint.method} /v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`)
    .sort()
  assert.deepEqual([...server.routes].filter((route) => route.includes(' /v1')).sort(), promised)
})
