/** OAuth with the SDK's own client: it finds, registers, asks a person in Chromium, and works. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { startTestServer } from '../support/app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from '../support/browser.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)
const browser = use(launchBrowser, closeBrowser)
const user = use(() => server.user())

const callback = 'http://localhost:1/callback'

/** Keeps what the SDK gives it in memory. */
function createProvider() {
  const kept: {
    information?: OAuthClientInformationMixed
    tokens?: OAuthTokens
    verifier: string
    address?: URL
  } = { verifier: '' }
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Cutting agent', redirect_uris: [callback] },
    state: () => 'a-state',
    clientInformation: () => kept.information,
    saveClientInformation: (information) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (address) => void (kept.address = address),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  }
  return { kept, provider }
}

test('a client without a key is allowed by a person, with scopes and a limit', async () => {
  const { kept, provider } = createProvider()
  const address = new URL(`${server.url}/mcp`)
  const first = new StreamableHTTPClientTransport(address, { authProvider: provider })
  const agent = new Client({ name: 'test', version: '1' })
  await assert.rejects(() => agent.connect(first), UnauthorizedError)
  assert.ok(kept.address)

  const { page, problems, close } = await visit(browser, server.url, { storage: signedIn(user) })
  await page.goto(kept.address.href)
  await page.getByRole('heading', { name: 'Allow “Cutting agent” to use your account?' }).waitFor()
  assert.ok(await page.getByText('localhost:1', { exact: true }).isVisible())
  await page.getByLabel('Search your library').uncheck()
  await page.getByLabel('Spend limit per month, in US dollars').fill('2.50')
  const returned = page.waitForRequest((request) => request.url().startsWith(callback))
  await page.getByRole('button', { name: 'Allow' }).click()
  const back = new URL((await returned).url())
  assert.equal(back.searchParams.get('state'), 'a-state')
  assert.deepEqual(problems, [])
  await close()

  const code = back.searchParams.get('code') ?? ''
  await first.finishAuth(code)
  const token = kept.tokens?.access_token ?? ''
  assert.match(token, /^ci_live_/)
  const allowed = new Client({ name: 'test', version: '1' })
  await allowed.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }))
  const listed = await allowed.callTool({ name: 'list_content', arguments: {} })
  assert.ok(!listed.isError)
  const search = await allowed.callTool({ name: 'search', arguments: { query: 'a' } })
  assert.match(JSON.stringify(search.content), /forbidden/, 'searching was not allowed')
  await allowed.close()
  const { apiKeys } = await user.client.listApiKeys()
  assert.equal(apiKeys[0]?.name, 'Cutting agent')
  assert.deepEqual(apiKeys[0]?.spend_limit, { usd: 2.5, period: 'month' })

  // Whoever repeats a code has intercepted it, so its key is no longer safe.
  await assert.rejects(() => first.finishAuth(code), 'a code works once')
  const gone = await server.fetch('/v1/content', { token })
  assert.equal(gone.status, 401)
})

test('a person who refuses sends the program back with nothing', slow, async () => {
  const client = await register([callback])
  const { page, close } = await visit(browser, server.url, { storage: signedIn(user) })
  await page.goto(`${server.url}/oauth/authorize?${new URLSearchParams(requestOf(client))}`)
  const returned = page.waitForRequest((request) => request.url().startsWith(callback))
  await page.getByRole('button', { name: 'Refuse' }).click()
  assert.equal(new URL((await returned).url()).searchParams.get('error'), 'access_denied')
  await close()
})

test('codes are bound to the client, the address and the proof; addresses to the client', async () => {
  const client = await register([callback])
  const strange = { ...requestOf(client), redirect_uri: 'https://evil.example/callback' }
  await assert.rejects(() => user.client.readOauthRequest({ query: strange }), { status: 422 })
  for (const address of [
    'javascript:alert(1)',
    'http://evil.example/',
    'data:text/html,a',
    'http://localhost@evil.example/',
    'http://localhost:1@evil.example/',
    'https://a:b@evil.example/',
    'http://localhost.evil.example/',
    'https://evil.example/#fragment',
    'intent://evil.example/#Intent;end',
    'not an address',
    'ms-msdt:/id',
    'search-ms:query=a',
    'smb://evil.example/share',
    'shell:startup',
    'tel:112',
    'steam://run/1',
    'cursor-helper://callback',
    'x-apple.systempreferences:com.apple.preference.security',
  ]) {
    await assert.rejects(() => register([address]), { status: 422 }, address)
  }
  await register([
    'https://agent.example/callback',
    'http://[::1]:8090/callback',
    'com.example.agent:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode-insiders://example.agent/callback',
  ])
  for (const redirect_uri of [
    'http://localhost:1/callback/../other',
    'http://localhost:1/callback?next=https://evil.example',
    'http://127.0.0.1:1/callback',
    'http://localhost:1@evil.example/callback',
    'http://localhost:1\\@evil.example/callback',
    'https://localhost:1/callback',
    'HTTP://LOCALHOST.evil.example:1/callback',
    `${callback} `,
    '',
  ]) {
    const query = { ...requestOf(client), redirect_uri }
    await assert.rejects(
      () => user.client.readOauthRequest({ query }),
      { status: 422 },
      redirect_uri,
    )
  }
  for (const wrong of [
    { code_challenge: undefined },
    { code_challenge: '' },
    { code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { response_type: 'token' },
  ]) {
    const body = { ...requestOf(client), scopes: ['search'], monthly_limit_usd: 1, ...wrong }
    const answer = await server.fetch('/v1/oauth/allow', {
      method: 'POST',
      token: user.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 422, JSON.stringify(wrong))
  }
  const otherPort = { ...requestOf(client), redirect_uri: 'http://localhost:4711/callback' }
  assert.equal(
    (await user.client.readOauthRequest({ query: otherPort })).returns_to,
    'localhost:4711',
  )
  const right = { client_id: client, redirect_uri: callback, code_verifier: verifier }
  const tricks: Record<string, string>[] = [
    { ...right, code_verifier: 'x'.repeat(43) },
    { ...right, client_id: crypto.randomUUID() },
    { ...right, redirect_uri: 'http://localhost:4711/callback' },
    { ...right, code_verifier: '' },
    { client_id: client, redirect_uri: callback },
    { ...right, client_id: await register([callback]) },
  ]
  for (const wrong of tricks) {
    const answer = await exchange({ ...wrong, code: await newCode(client) })
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { error: string }).error, 'invalid_grant')
  }
  const late = await newCode(client)
  server.clock.offsetMs = 61_000
  assert.equal((await exchange({ ...right, code: late })).status, 400)
  server.clock.offsetMs = 0
  assert.equal((await exchange({ ...right, code: await newCode(client) })).status, 200)
})

const verifier = 'v'.repeat(43)
const challenge = Buffer.from(
  await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
).toString('base64url')

async function register(redirectUris: string[]): Promise<string> {
  const body = { client_name: 'A', redirect_uris: redirectUris }
  return (await server.client(null).registerOauthClient({ body })).client_id
}

function requestOf(client: string) {
  return {
    client_id: client,
    redirect_uri: callback,
    response_type: 'code' as const,
    code_challenge: challenge,
    code_challenge_method: 'S256' as const,
  }
}

async function newCode(client: string): Promise<string> {
  const body = { ...requestOf(client), scopes: ['search' as const], monthly_limit_usd: 1 }
  const { redirect_to } = await user.client.allowOauthRequest({ body })
  return new URL(redirect_to).searchParams.get('code') ?? ''
}

function exchange(form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', ...form })
  return server.fetch('/v1/oauth/token', { method: 'POST', body })
}
