/** The real `openid-client` signs people in at both providers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as client from 'openid-client'
import type { Sandbox } from './sandbox.ts'
import { redirectUri, startTestSandbox } from './start-for-test.ts'

let sandbox: Sandbox
before(async () => {
  sandbox = await startTestSandbox()
})
after(() => sandbox.stop())

const providers = {
  google: {
    scope: 'openid email profile',
    config: () =>
      client.discovery(new URL(`${sandbox.url}/google`), 'goo-client', 'goo-secret', undefined, {
        execute: [client.allowInsecureRequests],
      }),
  },
  github: {
    scope: 'read:user user:email',
    config: () => {
      const config = new client.Configuration(
        {
          issuer: `${sandbox.url}/github/login/oauth`,
          authorization_endpoint: `${sandbox.url}/github/login/oauth/authorize`,
          token_endpoint: `${sandbox.url}/github/login/oauth/access_token`,
        },
        'gh-client',
        'gh-secret',
      )
      client.allowInsecureRequests(config)
      return Promise.resolve(config)
    },
  },
}

for (const [name, provider] of Object.entries(providers)) {
  describe(name, () => {
    it('signs a person in', async () => {
      const attempt = await begin(provider)
      const callback = await choose(attempt.url, { person: 'edda.lind@example.com' })
      const tokens = await client.authorizationCodeGrant(attempt.config, callback, attempt.checks)
      assert.equal(typeof tokens.access_token, 'string')
    })

    it('refuses a wrong verifier', async () => {
      const attempt = await begin(provider)
      const callback = await choose(attempt.url, { person: 'edda.lind@example.com' })
      const checks = { ...attempt.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
      await assert.rejects(client.authorizationCodeGrant(attempt.config, callback, checks))
      // The failed try has used the code up.
      await assert.rejects(client.authorizationCodeGrant(attempt.config, callback, attempt.checks))
    })

    it('accepts a code once', async () => {
      const attempt = await begin(provider)
      const callback = await choose(attempt.url, { person: 'edda.lind@example.com' })
      await client.authorizationCodeGrant(attempt.config, callback, attempt.checks)
      await assert.rejects(client.authorizationCodeGrant(attempt.config, callback, attempt.checks))
    })

    it('refuses an address that is not registered, without going there', async () => {
      const { url } = await begin(provider)
      url.searchParams.set('redirect_uri', `${redirectUri}/evil`)
      const response = await fetch(url, { redirect: 'manual' })
      assert.equal(response.status, 400)
      assert.match(await response.text(), /redirect_uri_mismatch/)
    })

    it('refuses a request without PKCE', async () => {
      const { url } = await begin(provider)
      url.searchParams.delete('code_challenge')
      const response = await fetch(url, { redirect: 'manual' })
      const back = new URL(response.headers.get('location') ?? '')
      assert.equal(back.searchParams.get('error'), 'invalid_request')
    })

    it('lets a person refuse', async () => {
      const attempt = await begin(provider)
      const callback = await choose(attempt.url, { answer: 'refuse' })
      assert.equal(callback.searchParams.get('state'), attempt.checks.expectedState)
      await assert.rejects(
        client.authorizationCodeGrant(attempt.config, callback, attempt.checks),
        { error: 'access_denied' },
      )
    })

    it('wants the right client secret', async () => {
      const attempt = await begin(provider)
      const callback = await choose(attempt.url, { person: 'edda.lind@example.com' })
      const wrong = new client.Configuration(
        attempt.config.serverMetadata(),
        attempt.config.clientMetadata().client_id,
        'wrong',
      )
      client.allowInsecureRequests(wrong)
      await assert.rejects(client.authorizationCodeGrant(wrong, callback, attempt.checks))
    })
  })
}

it('google tells who it is, with the same subject each time', async () => {
  const seen = new Set<string>()
  for (const email of ['New.Person@example.net', 'new.person@example.net']) {
    const attempt = await begin(providers.google)
    const callback = await choose(attempt.url, { email, name: 'New Person' })
    const tokens = await client.authorizationCodeGrant(attempt.config, callback, attempt.checks)
    const claims = tokens.claims()
    assert.ok(claims)
    assert.equal(claims['email'], 'new.person@example.net')
    assert.equal(claims['email_verified'], false)
    const info = await client.fetchUserInfo(attempt.config, tokens.access_token, claims.sub)
    assert.equal(info.name, 'New Person')
    const picture = await fetch(info.picture ?? '')
    assert.equal(picture.status, 200)
    seen.add(claims.sub)
  }
  assert.equal(seen.size, 1)
})

it('google refuses a nonce that was not asked for', async () => {
  const attempt = await begin(providers.google)
  const callback = await choose(attempt.url, { person: 'edda.lind@example.com' })
  const checks = { ...attempt.checks, expectedNonce: 'another' }
  await assert.rejects(client.authorizationCodeGrant(attempt.config, callback, checks))
})

it('github tells who it is and hides what the person hides', async () => {
  const attempt = await begin(providers.github)
  const callback = await choose(attempt.url, { person: 'marco.reyes@example.com' })
  const tokens = await client.authorizationCodeGrant(attempt.config, callback, attempt.checks)
  const user = (await askGithub('user', tokens.access_token)) as Record<string, unknown>
  assert.equal(typeof user['id'], 'number')
  assert.equal(user['login'], 'marco-reyes')
  assert.equal(user['email'], null)
  const emails = (await askGithub('user/emails', tokens.access_token)) as object[]
  assert.deepEqual(emails[0], {
    email: 'marco.reyes@example.com',
    primary: true,
    verified: true,
    visibility: 'private',
  })
  const answer = await fetch(`${sandbox.url}/github/api/user`)
  assert.equal(answer.status, 401)
})

it('github answers form-encoded, with status 200 even for an error', async () => {
  const response = await fetch(`${sandbox.url}/github/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'gh-client', client_secret: 'gh-secret', code: 'x' }),
  })
  assert.equal(response.status, 200)
  const fields = new URLSearchParams(await response.text())
  assert.equal(fields.get('error'), 'bad_verification_code')
})

it('a code dies of age', async () => {
  const short = await startTestSandbox({ codeLifeMs: -1 })
  const url = new URL(`${short.url}/github/login/oauth/authorize`)
  const verifier = client.randomPKCECodeVerifier()
  url.search = new URLSearchParams({
    client_id: 'gh-client',
    redirect_uri: redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const callback = await choose(url, { person: 'edda.lind@example.com' })
  const response = await fetch(`${short.url}/github/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      client_id: 'gh-client',
      client_secret: 'gh-secret',
      redirect_uri: redirectUri,
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
    }),
  })
  assert.equal(((await response.json()) as { error: string }).error, 'bad_verification_code')
  await short.stop()
})

type Provider = { scope: string; config(): Promise<client.Configuration> }

async function begin(provider: Provider) {
  const config = await provider.config()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const isGoogle = provider.scope.includes('openid')
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: provider.scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...(isGoogle ? { nonce: expectedNonce } : {}),
  })
  const checks = {
    pkceCodeVerifier,
    expectedState,
    ...(isGoogle ? { expectedNonce, idTokenExpected: true } : {}),
  }
  return { config, url, checks }
}

async function choose(url: URL, fields: Record<string, string>): Promise<URL> {
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Sandbox:/)
  const body = new URLSearchParams(fields)
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  assert.equal(response.status, 303)
  return new URL(response.headers.get('location') ?? '')
}

async function askGithub(path: string, token: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/github/api/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
  })
  assert.equal(response.status, 200)
  return response.json()
}
