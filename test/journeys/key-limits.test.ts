/** Limits of a key: actions, money, addresses; and of an account's spending in a month. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { ApiKey } from '../../contract/account/api-keys.ts'
import { addressOf, mayUse, scopes } from '../../contract/endpoint.ts'
import type { CallError, Endpoint, Scope } from '../../contract/endpoint.ts'
import { placeHold } from '../../server/billing/hold.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

type Options = Partial<Pick<ApiKey, 'scopes' | 'allowed_addresses'>> & {
  spend_limit?: { usd: number; period: 'month' | 'total' }
}

async function makeKey(user: TestUser, options: Options): Promise<ApiKey & { key: string }> {
  const { apiKey } = await user.client.createApiKey({ body: { name: 'Script', ...options } })
  return apiKey
}

/** Five seconds at a cent: five cents a job. */
const workflow = 'thumbnail,shots,cutpoints'
const clip = (size = '64x36') => ({ seconds: 5, size })
const jobMicros = 50_000

async function placeMany(token: string, contentId: string, count: number) {
  const client = server.client(token)
  const placed = await Promise.allSettled(
    Array.from({ length: count }, () =>
      client.createJob({ body: { content_id: contentId, workflow } }),
    ),
  )
  const jobs = placed.flatMap((item) => (item.status === 'fulfilled' ? [item.value.job] : []))
  const refused = placed.flatMap((item) =>
    item.status === 'rejected' ? [item.reason as CallError] : [],
  )
  return { jobs, refused }
}

async function heldMicros(accountId: string): Promise<number> {
  const { rows } = await server.ctx.pool.query<{ held: number }>(
    'select held_micros as held from ledger_wallets where account_id = $1',
    [accountId],
  )
  return rows[0]?.held ?? 0
}

test('a key with one scope is let in where the contract says so, and told what it lacks elsewhere', async () => {
  const user = await server.user()
  const keys = new Map<Scope, string>()
  for (const scope of scopes) keys.set(scope, (await makeKey(user, { scopes: [scope] })).key)
  const wrong: string[] = []
  let refusals = 0
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    if (endpoint.auth !== 'key' && endpoint.auth !== 'ticket') continue
    const needed = endpoint.scope ?? 'any'
    for (const [scope, token] of keys) {
      const params = { id: randomUUID(), name: 'poster.jpg' }
      const stop = new AbortController()
      const answer = await server.fetch(addressOf('', endpoint, { params }), {
        method: endpoint.method,
        token,
        signal: stop.signal,
      })
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream || endpoint.method === 'HEAD' ? '' : await answer.text()
      if (isStream) stop.abort()
      const isOpen = answer.status !== 403
      if (isOpen !== mayUse([scope], needed)) wrong.push(`${scope} ${name}: ${answer.status}`)
      if (isOpen) continue
      refusals += 1
      if (body === '') continue
      const { message, missing_scope: missing } = JSON.parse(body) as Record<string, string>
      if (missing !== needed || !message?.includes(needed)) wrong.push(`${name}: ${body}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(refusals > 200, String(refusals))
})

test('no call hands out findings or the balance to a key without the scope for them', async () => {
  const user = await server.user()
  const writer = server.client((await makeKey(user, { scopes: ['content:write'] })).key)
  const { project } = await writer.createProject({ body: { name: 'Harbour' } })
  const { cut } = await writer.createCut({ body: { name: 'Opening', project_id: project.id } })
  const params = { id: cut.id }
  const lacking = (scope: Scope) => (error: CallError) =>
    error.status === 403 && error.body.missing_scope === scope
  const share = writer.createShare({ body: { cut_id: cut.id } })
  await assert.rejects(share, lacking('jobs:read'))
  await assert.rejects(writer.getCutTranscript({ params, query: {} }), lacking('jobs:read'))
  await assert.rejects(writer.createCutTicket({ params }), lacking('jobs:read'))
  const firstEvents = async (options: Options): Promise<string> => {
    const stop = new AbortController()
    const { key } = await makeKey(user, options)
    const { signal } = stop
    const answer = await server.fetch('/v1/events', { token: key, signal })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    // A job of the account is reported to both; the balance comes before it.
    const content = await uploadClip(server.url, user.token, clip())
    await user.client.createJob({ body: { content_id: content.id, workflow: 'ffprobe' } })
    await user.client.deleteContent({ params: { id: content.id } })
    let text = ''
    while (!text.includes('event: job')) text += (await reader?.read())?.value ?? ''
    stop.abort()
    return text
  }
  assert.match(await firstEvents({ scopes: ['jobs:read', 'billing:read'] }), /event: balance/)
  assert.doesNotMatch(await firstEvents({ scopes: ['jobs:read'] }), /balance/)
})

test('a key tells what it may do; a key without scopes may do all that keys may', async () => {
  const user = await server.user()
  const limit = { usd: 12.34, period: 'total' as const }
  const limited = await makeKey(user, { scopes: ['search'], spend_limit: limit })
  const { apiKey } = await server.client(limited.key).getCurrentApiKey()
  assert.deepEqual(apiKey.scopes, ['search'])
  assert.deepEqual(apiKey.spend_limit, limit)
  assert.ok(!('key' in apiKey))
  const free = server.client((await makeKey(user, {})).key)
  assert.equal((await free.getCurrentApiKey()).apiKey.scopes, null)
  assert.equal((await free.getMe()).email, user.email)
  await assert.rejects(user.client.getCurrentApiKey(), { status: 404 })
  const params = { id: limited.id }
  await user.client.updateApiKey({ params, body: { scopes: null, spend_limit: null } })
  const { apiKey: changed } = await server.client(limited.key).getCurrentApiKey()
  assert.deepEqual([changed.scopes, changed.spend_limit, changed.name], [null, null, 'Script'])
  assert.equal(changed.expires_at, limited.expires_at)
  await user.client.updateApiKey({ params, body: { expiresInDays: 30 } })
  const { apiKey: shorter } = await server.client(limited.key).getCurrentApiKey()
  const days = (Date.parse(shorter.expires_at) - Date.now()) / (24 * 3_600_000)
  assert.equal(Math.round(days), 30)
})

test('holds that are placed at once never pass a limit, also where nothing else takes turns', async () => {
  const user = await server.user()
  const key = await makeKey(user, { spend_limit: { usd: 0.2, period: 'total' } })
  // The month's free credit pays.
  await user.client.getMe()
  const { db } = server.ctx
  const placed = await Promise.all(
    Array.from({ length: 40 }, () =>
      db.transaction().execute((trx) =>
        placeHold(trx, {
          accountId: user.accountId,
          jobId: randomUUID(),
          amountMicros: jobMicros,
          keyId: key.id,
          now: new Date(),
        }),
      ),
    ),
  )
  assert.equal(placed.filter(({ ok }) => ok).length, 4)
  assert.equal(await heldMicros(user.accountId), 200_000)
})

test('100 parallel jobs spend what a key has left and not a cent more', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token, clip())
  const key = await makeKey(user, { spend_limit: { usd: 1, period: 'month' } })
  const { jobs, refused } = await placeMany(key.key, content.id, 100)
  assert.equal(jobs.length, 20)
  assert.equal(await heldMicros(user.accountId), 1_000_000)
  for (const error of refused) {
    assert.equal(error.status, 402)
    assert.equal(error.code, 'spend_limit')
    assert.equal(error.body.available_usd, 0)
    assert.equal(error.body.required_usd, 0.05)
  }
  const { apiKeys } = await user.client.listApiKeys()
  assert.equal(apiKeys[0]?.spent_usd, 1)
  // Money that a job gives back may be spent again, once.
  const client = server.client(key.key)
  const [first, second] = jobs
  assert.ok(first && second)
  await client.cancelJob({ params: { id: first.id } })
  await client.cancelJob({ params: { id: second.id } })
  const again = await placeMany(key.key, content.id, 10)
  assert.equal(again.jobs.length, 2)
  // A deleted job frees nothing.
  await client.deleteJob({ params: { id: first.id } })
  assert.equal((await placeMany(key.key, content.id, 3)).jobs.length, 0)
  assert.equal(await heldMicros(user.accountId), 1_000_000)
  // The owner is not bound by the key's limit, and another key has its own.
  assert.equal((await placeMany(user.token, content.id, 1)).jobs.length, 1)
  const other = await makeKey(user, { spend_limit: { usd: 0.07, period: 'total' } })
  const last = await placeMany(other.key, content.id, 5)
  assert.equal(last.jobs.length, 1)
  assert.equal(last.refused[0]?.body.available_usd, 0.02)
})

test('a batch above the limit is refused whole, and a retry spends from the limit too', async () => {
  const user = await server.user()
  const contents = [
    await uploadClip(server.url, user.token, clip()),
    await uploadClip(server.url, user.token, clip('96x54')),
    await uploadClip(server.url, user.token, clip('128x72')),
  ]
  const ids = contents.map(({ id }) => id)
  const key = await makeKey(user, { spend_limit: { usd: 0.12, period: 'total' } })
  const client = server.client(key.key)
  await assert.rejects(
    client.createBatch({ body: { content_ids: ids, workflow } }),
    (error: CallError) =>
      error.code === 'spend_limit' &&
      error.body.required_usd === 0.15 &&
      error.body.available_usd === 0.12,
  )
  assert.equal(await heldMicros(user.accountId), 0)
  const { batch } = await client.createBatch({ body: { content_ids: ids.slice(0, 2), workflow } })
  assert.equal(await heldMicros(user.accountId), 2 * jobMicros)
  const params = { id: batch.jobs[0]?.id ?? '' }
  await client.cancelBatch({ params: { id: batch.id } })
  const retried = await Promise.allSettled(
    Array.from({ length: 5 }, () => client.retryJob({ params })),
  )
  assert.equal(retried.filter(({ status }) => status === 'fulfilled').length, 2)
  assert.equal(await heldMicros(user.accountId), 2 * jobMicros)
})

test('an account’s monthly limit holds for people and keys together and starts again with the month', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token, clip())
  const total = await makeKey(user, { spend_limit: { usd: 0.1, period: 'total' } })
  const open = await makeKey(user, {})
  await user.client.saveSpendLimit({ body: { monthly_usd: 0.3 } })
  const placed = await Promise.all([
    placeMany(user.token, content.id, 20),
    placeMany(open.key, content.id, 20),
    placeMany(total.key, content.id, 20),
  ])
  const count = placed.reduce((sum, { jobs }) => sum + jobs.length, 0)
  assert.equal(count, 6)
  assert.equal(await heldMicros(user.accountId), 300_000)
  assert.deepEqual(await user.client.getSpendLimit(), { monthly_usd: 0.3, spent_usd: 0.3 })
  await placeMany(total.key, content.id, 2)
  server.clock.offsetMs = untilNextMonthMs()
  const { token } = await server.user(user.email)
  assert.equal((await server.client(token).getSpendLimit()).spent_usd, 0)
  const later = await placeMany(total.key, content.id, 3)
  const ofTotal = placed[2].jobs.length + later.jobs.length
  assert.equal(ofTotal, 2, 'what was spent in all does not start again')
  await server.client(token).saveSpendLimit({ body: { monthly_usd: null } })
  assert.equal((await placeMany(open.key, content.id, 8)).jobs.length, 8)
  server.clock.offsetMs = 0
})

function untilNextMonthMs(): number {
  const now = new Date()
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)
  return next - now.getTime()
}

test('a key works from its addresses only, and shows where it was last used from', async () => {
  const user = await server.user()
  const away = await makeKey(user, { allowed_addresses: ['10.0.0.0/8', '2001:db8::/32'] })
  await assert.rejects(
    server.client(away.key).getMe(),
    (error: CallError) => error.status === 403 && /may not be used from/.test(error.message),
  )
  const home = await makeKey(user, { allowed_addresses: ['127.0.0.1', '::1/128'] })
  assert.equal((await server.client(home.key).getMe()).email, user.email)
  const { apiKeys } = await user.client.listApiKeys()
  const shown = apiKeys.find(({ id }) => id === home.id)
  assert.match(shown?.last_used_address ?? '', /^(127\.0\.0\.1|::1)$/)
  assert.ok(shown?.last_used_at)
  assert.equal(apiKeys.find(({ id }) => id === away.id)?.last_used_at, null)
})

test('impossible scopes, limits and addresses are refused with a sentence', async () => {
  const user = await server.user()
  const wrong = [
    { scopes: ['everything'] },
    { scopes: [] },
    { spend_limit: { usd: -1, period: 'month' } },
    { spend_limit: { usd: 0.001, period: 'month' } },
    { spend_limit: { usd: 5, period: 'week' } },
    { allowed_addresses: ['example.com'] },
    { allowed_addresses: ['10.0.0.0/33'] },
    { allowed_addresses: [] },
    { mode: 'demo' },
  ]
  for (const options of wrong) {
    const answer = await server.fetch('/v1/api-keys', {
      method: 'POST',
      token: user.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Script', ...options }),
    })
    assert.equal(answer.status, 422, JSON.stringify(options))
  }
  assert.equal((await user.client.listApiKeys()).apiKeys.length, 0)
})
