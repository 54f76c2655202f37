import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../contract/api.ts'
import { apiKeyPrefix } from '../../domain/money/catalogue.ts'
import type { Provider } from '../../contract/account/accounts.ts'
import { addressOf, CallError } from '../../contract/endpoint.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newApiKey } from '../../server/api-keys/key.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(() => startTestServer({ sandbox: true }))

interface Browser {
  cookie: string
}

/** Presses the provider's button: returns where the provider's page is. */
async function pressSignIn(browser: Browser, provider: Provider): Promise<URL> {
  const response = await server.fetch(
    `/v1/auth/${provider}?frontend_url=${encodeURIComponent(server.url)}`,
    { headers: browser.cookie ? { cookie: browser.cookie } : {} },
  )
  assert.equal(response.status, 302)
  browser.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? browser.cookie
  return new URL(response.headers.get('location') ?? '')
}

/** Picks a person at the provider: returns the way back to our callback. */
async function choose(page: URL, fields: Record<string, string>): Promise<URL> {
  const response = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  return new URL(response.headers.get('location') ?? '')
}

async function comeBack(browser: Browser, callback: URL): Promise<URL> {
  const response = await fetch(callback, {
    headers: { cookie: browser.cookie },
    redirect: 'manual',
  })
  assert.equal(response.status, 302)
  return new URL(response.headers.get('location') ?? '')
}

async function signInAs(
  provider: Provider,
  fields: Record<string, string>,
): Promise<{ token: string; landing: URL }> {
  const browser: Browser = { cookie: '' }
  const landing = await comeBack(
    browser,
    await choose(await pressSignIn(browser, provider), fields),
  )
  return { landing, token: landing.searchParams.get('token') ?? '' }
}

const status = (expected: number) => (error: unknown) =>
  error instanceof CallError && error.status === expected

test('signing in with GitHub leads back with token, provider and e-mail (§7)', async () => {
  const { landing, token } = await signInAs('github', { person: 'edda.lind@example.com' })
  assert.equal(landing.origin, server.url)
  assert.equal(landing.pathname, '/')
  assert.equal(landing.searchParams.get('provider'), 'github')
  assert.equal(landing.searchParams.get('email'), 'edda.lind@example.com')
  const begun = await server.fetch(`/v1/auth/github?frontend_url=${server.url}`)
  const cookie = begun.headers.get('set-cookie') ?? ''
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/v1/auth']) assert.ok(cookie.includes(part))
  const me = await server.client(token).getMe()
  assert.equal(me.email, 'edda.lind@example.com')
  assert.equal(me.name, 'Edda Lind')
  assert.equal(me.account_balance_usd, 5)
  assert.equal(me.balance.free_usd, 5)
})

test('the same verified e-mail at Google opens the same account (§7)', async () => {
  const github = await signInAs('github', { person: 'edda.lind@example.com' })
  const google = await signInAs('google', { person: 'edda.lind@example.com' })
  const first = await server.client(github.token).getMe()
  const other = await server.client(google.token).getMe()
  assert.equal(other.id, first.id)
  assert.equal(other.account_balance_usd, 5, 'the free credit is granted once')
})

test('an unverified e-mail does not open another account of the same address', async () => {
  const email = 'someone@example.com'
  const verified = await signInAs('google', { email, verified: 'on' })
  const unverified = await signInAs('github', { email })
  const first = await server.client(verified.token).getMe()
  const other = await server.client(unverified.token).getMe()
  assert.notEqual(other.id, first.id)
  assert.equal(other.account_balance_usd, 0, 'no free credit without a verified e-mail')
})

test('signing in twice at the same time makes one account', async () => {
  const fields = { email: 'twice@example.com', verified: 'on' }
  const both = await Promise.all([
    signInAs('github', fields),
    signInAs('google', fields),
    signInAs('github', fields),
  ])
  const ids = await Promise.all(
    both.map(async ({ token }) => (await server.client(token).getMe()).id),
  )
  assert.equal(new Set(ids).size, 1)
})

test('a person who refuses at the provider comes back without a token', async () => {
  const { landing, token } = await signInAs('github', { answer: 'refuse' })
  assert.equal(landing.pathname + landing.search, '/?login=cancelled')
  assert.equal(token, '')
})

test('the exchanged token is dead and the session works until logout', async () => {
  const { token } = await signInAs('google', { person: 'marco.reyes@example.com' })
  const session = await server.client(token).exchangeToken()
  await assert.rejects(server.client(token).getMe(), status(401))
  await assert.rejects(server.client(token).exchangeToken(), status(401))
  const client = server.client(session.token)
  const { sessions } = await client.listSessions()
  assert.equal(sessions.filter((item) => item.current).length, 1)
  assert.equal(sessions.find((item) => item.current)?.provider, 'google')
  await assert.rejects(client.exchangeToken(), status(409))
  await client.logout()
  await assert.rejects(client.getMe(), status(401))
})

test("the redirect's token reads the user and is exchanged, and does nothing else", async () => {
  const { token } = await signInAs('google', { person: 'marco.reyes@example.com' })
  const params = { id: crypto.randomUUID(), name: 'sprite.jpg', provider: 'github' }
  const allowed: string[] = []
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    if (endpoint.auth === 'anyone' || name === 'exchangeToken') continue
    const address = addressOf('', endpoint, { params })
    const response = await server.fetch(address, { method: endpoint.method, token })
    if (response.status !== 403) allowed.push(`${name} ${response.status}`)
  }
  assert.deepEqual(allowed, ['getMe 200'])
  const { token: session } = await server.client(token).exchangeToken()
  const { sessions } = await server.client(session).listSessions()
  assert.ok(sessions.some((item) => item.current))
})

test('the exchange shows whether this browser began the sign-in', async () => {
  const person = { person: 'marco.reyes@example.com' }
  const exchange = async (token: string, cookie: string): Promise<boolean> => {
    const headers: Record<string, string> = cookie ? { cookie } : {}
    const response = await server.fetch('/v1/auth/session', { method: 'POST', token, headers })
    assert.equal(response.status, 201)
    return ((await response.json()) as { begun_here: boolean }).begun_here
  }
  const signIn = async (browser: Browser): Promise<string> => {
    const page = await pressSignIn(browser, 'github')
    const landing = await comeBack(browser, await choose(page, person))
    return landing.searchParams.get('token') ?? ''
  }
  const own: Browser = { cookie: '' }
  assert.equal(await exchange(await signIn(own), own.cookie), true)
  // An attacker's link in the browser of somebody who is signing in, too.
  const victim: Browser = { cookie: '' }
  await pressSignIn(victim, 'github')
  const attacker: Browser = { cookie: '' }
  assert.equal(await exchange(await signIn(attacker), victim.cookie), false)
  assert.equal(await exchange(await signIn(attacker), ''), false)
})

test('a sign-in cookie that somebody else set is not taken over', async () => {
  const attacker: Browser = { cookie: '' }
  await pressSignIn(attacker, 'github')
  for (const planted of [attacker.cookie, `ci_sign_in=${'a'.repeat(43)}`]) {
    const victim: Browser = { cookie: planted }
    await pressSignIn(victim, 'github')
    const [name, value] = victim.cookie.split('=')
    assert.notEqual(value, planted.split('=')[1])
    assert.notEqual(name, planted.split('=')[0])
    assert.match(value ?? '', /^[\w-]{43}$/)
  }
})

test('two tabs of one browser can sign in at the same time', async () => {
  const first: Browser = { cookie: '' }
  const firstBack = await choose(await pressSignIn(first, 'github'), {
    person: 'edda.lind@example.com',
  })
  const second: Browser = { cookie: first.cookie }
  const secondBack = await choose(await pressSignIn(second, 'google'), {
    person: 'marco.reyes@example.com',
  })
  const both: Browser = { cookie: `${first.cookie}; ${second.cookie}` }
  assert.ok((await comeBack(both, firstBack)).searchParams.get('token'))
  assert.ok((await comeBack(both, secondBack)).searchParams.get('token'))
})

test('of ten concurrent exchanges of one token one wins', async () => {
  const { token } = await signInAs('google', { person: 'marco.reyes@example.com' })
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => server.client(token).exchangeToken()),
  )
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1)
})

test('a redirect token dies after 5 minutes, a session after 30 days', async () => {
  const { token } = await signInAs('google', { person: 'marco.reyes@example.com' })
  const other = await signInAs('google', { person: 'marco.reyes@example.com' })
  const session = await server.client(other.token).exchangeToken()
  try {
    server.clock.offsetMs = 5 * 60_000 + 1000
    await assert.rejects(server.client(token).getMe(), status(401))
    await server.client(session.token).getMe()
    server.clock.offsetMs = 30 * 24 * 3_600_000 + 1000
    await assert.rejects(server.client(session.token).getMe(), status(401))
  } finally {
    server.clock.offsetMs = 0
  }
})

test('a session can be ended from another, but not from another account', async () => {
  const owner = await server.user()
  const stranger = await server.user()
  const { sessions } = await owner.client.listSessions()
  const id = sessions[0]?.id ?? ''
  await assert.rejects(stranger.client.endSession({ params: { id } }), status(404))
  await owner.client.endSession({ params: { id } })
  await assert.rejects(owner.client.getMe(), status(401))
})

test('hostile addresses to come back to are refused', async () => {
  const own = new URL(server.url)
  const hostile = [
    'https://evil.example',
    'http://localhost',
    `http://localhost:${Number(own.port) + 1}`,
    `https://localhost:${own.port}`,
    `${server.url}.evil.example`,
    `${server.url}@evil.example`,
    `http://evil.example#${server.url}`,
    `http://evil.example?${server.url}`,
    `http://evil.example/${server.url}`,
    `${server.url}/path`,
    `${server.url}/?x=1`,
    `${server.url}/#x`,
    `${server.url}//`,
    `${server.url}\\@evil.example`,
    `${server.url}%40evil.example`,
    `${server.url}\r\nSet-Cookie: a=b`,
    `//localhost:${own.port}`,
    `localhost:${own.port}`,
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '',
    ' ',
    'null',
    'http://[::1]',
    'http://127.0.0.1',
    `HTTP://LOCALHOST:${own.port}/../x`,
    `http://user:pass@localhost:${own.port}`,
    `http://localhost:${own.port}\u0000`,
    `http://localhost\u3002evil.example:${own.port}`,
    `http:\\\\localhost:${own.port}`,
    'x'.repeat(3000),
  ]
  assert.ok(hostile.length >= 30)
  for (const url of hostile) {
    const response = await server.fetch(`/v1/auth/github?frontend_url=${encodeURIComponent(url)}`)
    assert.equal(response.status, 422, url)
    assert.equal(response.headers.get('location'), null, url)
  }
})

test('a missing, made-up, replayed, swapped or late state gives no token', async () => {
  const browser: Browser = { cookie: '' }
  const person = { person: 'edda.lind@example.com' }
  const expectRefused = async (from: Browser, callback: URL): Promise<void> => {
    const landing = await comeBack(from, callback)
    assert.equal(landing.pathname, '/oauth/callback')
    assert.equal(landing.searchParams.get('token'), null)
  }
  const first = await choose(await pressSignIn(browser, 'github'), person)
  const missing = new URL(first)
  missing.searchParams.delete('state')
  await expectRefused(browser, missing)
  const madeUp = new URL(first)
  madeUp.searchParams.set('state', 'x'.repeat(43))
  await expectRefused(browser, madeUp)
  // Another browser holds another cookie: the attacker's state is of no use to it.
  await expectRefused({ cookie: 'ci_sign_in=' + 'a'.repeat(43) }, first)
  assert.ok((await comeBack(browser, first)).searchParams.get('token'))
  await expectRefused(browser, first)
  // Swapped: the code of one sign-in with the state (and so the verifier) of another.
  const a = await choose(await pressSignIn(browser, 'github'), person)
  const b = await choose(await pressSignIn(browser, 'github'), person)
  const swapped = new URL(b)
  swapped.searchParams.set('code', a.searchParams.get('code') ?? '')
  await expectRefused(browser, swapped)
  const late = await choose(await pressSignIn(browser, 'github'), person)
  server.clock.offsetMs = 10 * 60_000 + 1000
  await expectRefused(browser, late)
  server.clock.offsetMs = 0
})

test('an answer that names another provider gives no token, one that names none does', async () => {
  const browser: Browser = { cookie: '' }
  for (const provider of ['github', 'google'] as const) {
    const comeBackFrom = async (issuer: string | null): Promise<string | null> => {
      const signIn = await pressSignIn(browser, provider)
      const callback = await choose(signIn, { person: 'edda.lind@example.com' })
      assert.ok(callback.searchParams.get('iss')?.startsWith(new URL(signIn).origin))
      if (issuer === null) callback.searchParams.delete('iss')
      else callback.searchParams.set('iss', issuer)
      return (await comeBack(browser, callback)).searchParams.get('token')
    }
    assert.equal(await comeBackFrom('https://login.example'), null)
    assert.ok(await comeBackFrom(null))
  }
})

test('a key does what a person does with content and balance, and nothing else', async () => {
  const { client } = await server.user()
  const { apiKey } = await client.createApiKey({ body: { name: 'Ingest', expiresInDays: 30 } })
  assert.match(apiKey.key, /^ci_live_[0-9A-Za-z]{36}$/)
  const keyed = server.client(apiKey.key)
  assert.equal((await keyed.getMe()).account_balance_usd, 5)
  await assert.rejects(keyed.listApiKeys(), status(403))
  await assert.rejects(keyed.createApiKey({ body: { name: 'More' } }), status(403))
  await assert.rejects(keyed.deleteApiKey({ query: { keyId: apiKey.id } }), status(403))
  await assert.rejects(keyed.listSessions(), status(403))
  await assert.rejects(keyed.logout(), status(403))
  const { apiKeys } = await client.listApiKeys()
  assert.equal(apiKeys[0]?.status, 'active')
  assert.notEqual(apiKeys[0]?.last_used_at, null)
  assert.ok(!('key' in (apiKeys[0] ?? {})))
})

test('the signed-in user is one round trip to the database, by session and by key', async () => {
  const { client } = await server.user('once@example.com')
  const { apiKey } = await client.createApiKey({ body: { name: 'Once', expiresInDays: 30 } })
  for (const caller of [client, server.client(apiKey.key)]) {
    // The first of a month grants the free credit, the first of a minute notes the use.
    const before = await caller.getMe()
    let trips = 0
    const count = (): void => void (trips += 1)
    server.ctx.pool.on('acquire', count)
    const me = await caller.getMe()
    server.ctx.pool.off('acquire', count)
    assert.equal(trips, 1)
    assert.deepEqual(me, before)
    assert.equal(me.account_balance_usd, 5)
  }
})

test('an expired key is refused and shown as expired', async () => {
  const { client } = await server.user()
  const { apiKey } = await client.createApiKey({ body: { name: 'Short', expiresInDays: 30 } })
  try {
    server.clock.offsetMs = 29 * 24 * 3_600_000
    await server.client(apiKey.key).getMe()
    server.clock.offsetMs = 30 * 24 * 3_600_000 - 60_000
    server.clock.offsetMs += 61_000
    await assert.rejects(server.client(apiKey.key).getMe(), status(401))
  } finally {
    server.clock.offsetMs = 0
  }
})

test('an account has at most 100 keys, even when many are made at once', async () => {
  const { client } = await server.user()
  const created = await Promise.allSettled(
    Array.from({ length: 130 }, () => client.createApiKey({ body: { name: 'One of many' } })),
  )
  assert.equal(created.filter((item) => item.status === 'fulfilled').length, 100)
  assert.equal((await client.listApiKeys()).apiKeys.length, 100)
})

test('a deleted key is refused; another account cannot delete it', async () => {
  const owner = await server.user()
  const stranger = await server.user()
  const { apiKey } = await owner.client.createApiKey({ body: { name: 'Mine' } })
  await assert.rejects(stranger.client.deleteApiKey({ query: { keyId: apiKey.id } }), status(404))
  await assert.rejects(stranger.client.deleteApiKeyById({ params: { id: apiKey.id } }), status(404))
  await owner.client.deleteApiKey({ query: { keyId: apiKey.id } })
  await assert.rejects(server.client(apiKey.key).getMe(), status(401))
})

test('a key with a wrong checksum is refused without asking the database', async () => {
  const { pool } = server.ctx
  let connects = 0
  const onAcquire = (): void => {
    connects += 1
  }
  pool.on('acquire', onAcquire)
  try {
    const good = newApiKey('live')
    const last = good.at(-1) === 'a' ? 'b' : 'a'
    const response = await server.fetch('/v1/user/me', { token: good.slice(0, -1) + last })
    assert.equal(response.status, 401)
    assert.equal(connects, 0)
    assert.equal((await server.fetch('/v1/user/me', { token: good })).status, 401)
    assert.ok(connects > 0, 'a well-formed key is looked up')
    assert.equal((await server.fetch('/v1/user/me', { token: `${apiKeyPrefix}short` })).status, 401)
  } finally {
    pool.off('acquire', onAcquire)
  }
})

test('no token, key or e-mail is stored in clear where a sign-in or a credential is kept', async () => {
  const email = 'marco.reyes@example.com'
  const browser: Browser = { cookie: '' }
  const page = await pressSignIn(browser, 'google')
  const state = page.searchParams.get('state') ?? ''
  const [, cookie = ''] = browser.cookie.split('=')
  const begun = await dumpCredentials()
  assert.ok(
    begun.some(({ table }) => table === 'sign_ins'),
    'a sign-in is under way',
  )
  const callback = await choose(page, { person: email })
  const token = (await comeBack(browser, callback)).searchParams.get('token') ?? ''
  const redirected = await dumpCredentials()
  const session = await server.client(token).exchangeToken()
  const { apiKey } = await server.client(session.token).createApiKey({ body: { name: 'Canary' } })
  const kept = [...begun, ...redirected, ...(await dumpCredentials())]
  const code = callback.searchParams.get('code') ?? ''
  const secrets = { cookie, code, token, session: session.token, key: apiKey.key, email }
  for (const [name, secret] of Object.entries({ ...secrets, state })) {
    assert.ok(secret.length >= 16, name)
    const holding = kept.filter(({ text }) => textsOf(secret).some((form) => text.includes(form)))
    assert.deepEqual(
      holding.map(({ table }) => table),
      [],
      `${name} in a table`,
    )
  }
})

/** How a secret may stand in a row: as it is, as bytes, and as the bytes that its text encodes. */
function textsOf(secret: string): string[] {
  const decoded = Buffer.from(secret, 'base64url')
  const forms = [secret, Buffer.from(secret).toString('hex')]
  return decoded.length >= 12 ? [...forms, decoded.toString('hex')] : forms
}

async function dumpCredentials(): Promise<{ table: string; text: string }[]> {
  const rows: { table: string; text: string }[] = []
  for (const table of ['sessions', 'api_keys', 'sign_ins', 'sign_in_places', 'oauth_codes']) {
    const dumped = await server.ctx.pool.query<{ text: string }>(
      `select t::text as text from ${table} t`,
    )
    rows.push(...dumped.rows.map(({ text }) => ({ table, text })))
  }
  return rows
}
