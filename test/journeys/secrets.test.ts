/** Secrets pass through the product and stay nowhere: not in logs, not in errors, not in tables. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApiProcess, startWorkerProcess } from '../support/api-process.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import { headerOf, mailsOf } from '../support/mail.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const email = 'canary.person@canary-mail.example'
const server = use(() => startTestServer({ sandbox: true }))
let log = ''
const secrets: Record<string, string> = {
  'stripe key': 'sk_test_canary_4f1c9a',
  'webhook secret': 'whsec_canary_77b2e0',
  'github secret': 'canary-github-secret-91d3',
}

const house = use(() => startApiProcess(server, options()))
use(() => startWorkerProcess(server, options()))

function options() {
  const onLog = (text: string): void => {
    log += text
  }
  const environment = {
    LOG_LEVEL: 'debug',
    STRIPE_SECRET_KEY: secrets['stripe key'] ?? '',
    STRIPE_WEBHOOK_SECRET: secrets['webhook secret'] ?? '',
    STRIPE_API_URL: server.sandboxUrl,
    GITHUB_CLIENT_ID: 'github',
    GITHUB_CLIENT_SECRET: secrets['github secret'] ?? '',
    GITHUB_URL: `${server.sandboxUrl}/github`,
    GOOGLE_CLIENT_ID: 'google',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    GOOGLE_ISSUER: `${server.sandboxUrl}/google`,
    SMTP_URL: server.ctx.config.mail?.smtpUrl ?? '',
  }
  return { environment, onLog }
}

interface Ask {
  method?: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

const errors: string[] = []

async function ask<T>(path: string, input: Ask = {}): Promise<T> {
  const answer = await fetch(`${house.url}${path}`, {
    method: input.method ?? 'GET',
    redirect: 'manual',
    headers: {
      ...(input.token ? { authorization: `Bearer ${input.token}` } : {}),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  })
  const text = await answer.text()
  if (answer.status >= 400) errors.push(`${answer.status} ${text}`)
  return (text.startsWith('{') ? JSON.parse(text) : {}) as T
}

test(
  'canary secrets are found in no log, no error and no table',
  { timeout: 180_000 },
  async () => {
    const { accountId } = await server.user(email)
    secrets.redirect = await signIn()
    const session = await ask<{ token: string }>('/v1/auth/session', {
      method: 'POST',
      token: secrets.redirect,
    })
    const token = (secrets.session = session.token)
    const created = await ask<{ apiKey: { key: string } }>('/v1/api-keys', {
      method: 'POST',
      token,
      body: { name: 'Canary' },
      headers: { 'idempotency-key': (secrets['idempotency key'] = 'canary-idempotency-20c5') },
    })
    secrets.key = created.apiKey.key
    await ask('/v1/user/me', { token: secrets.key })
    const tested = await ask<{ apiKey: { key: string } }>('/v1/api-keys', {
      method: 'POST',
      token,
      body: { name: 'Canary test', mode: 'test' },
    })
    secrets['test key'] = tested.apiKey.key
    await ask('/v1/api-keys/current', { token: secrets['test key'] })
    await useLetters(token)
    const content = await uploadClip(house.url, token)
    const hook = await ask<{ webhook: { id: string; secret: string } }>('/v1/webhooks', {
      method: 'POST',
      token,
      body: { url: 'http://127.0.0.1:9/hook', events: ['job.completed'] },
    })
    secrets['signing secret'] = hook.webhook.secret
    const rotated = await ask<{ webhook: { secret: string } }>(
      `/v1/webhooks/${hook.webhook.id}/rotate`,
      { method: 'POST', token },
    )
    secrets['rotated secret'] = rotated.webhook.secret
    await ask('/v1/webhooks', { token })
    await ask(`/v1/webhooks/${hook.webhook.id}/test`, { method: 'POST', token })
    await until(
      () =>
        ask<{ deliveries: { attempts: unknown[] }[] }>(
          `/v1/webhooks/${hook.webhook.id}/deliveries`,
          { token },
        ),
      ({ deliveries }) => (deliveries[0]?.attempts.length ?? 0) > 0,
    )
    secrets.ticket = await useTicket(token, content.id)
    const { job } = await ask<{ job: { id: string } }>('/v1/jobs', {
      method: 'POST',
      token: secrets.key,
      body: { content_id: content.id, workflow: 'ffprobe' },
    })
    await untilEnded(token, job.id)
    await ask('/v1/payment/setup-intent', { method: 'POST', token })
    await misuse(token)
    await breakDatabase(token)
    // The log of another process comes a moment later.
    for (const line of ['"answered"', 'request failed', accountId]) {
      await until(() => log.includes(line))
    }
    assert.ok(errors.length > 10)
    const dump = await dumpTables()
    for (const [name, secret] of Object.entries({ ...secrets, email })) {
      assert.ok(!log.includes(secret), `${name} in the log`)
      assert.deepEqual(
        errors.filter((text) => text.includes(secret)),
        [],
        `${name} in an error`,
      )
      // As it is, as bytes, and as the bytes that its text encodes.
      const forms = [secret, ...hexOf(secret)]
      const holding = dump
        .filter(({ text }) => forms.some((form) => text.includes(form)))
        .map(({ table }) => table)
      const allowed = name === 'email' ? ['public.accounts', 'public.identities'] : []
      assert.deepEqual([...new Set(holding)].sort(), allowed, `${name} in a table`)
    }
  },
)

function hexOf(secret: string): string[] {
  const all = [Buffer.from(secret), Buffer.from(secret, 'base64url')]
  return all.filter((bytes) => bytes.length >= 12).map((bytes) => bytes.toString('hex'))
}

/** Through the provider's page and back; answers with the token of the way back. */
async function signIn(): Promise<string> {
  const manual = { redirect: 'manual' } as const
  const frontend = encodeURIComponent(server.url)
  const begun = await fetch(`${house.url}/v1/auth/google?frontend_url=${frontend}`, manual)
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  secrets['sign-in cookie'] = cookie.split('=')[1] ?? ''
  const underWay = await dumpTables()
  const chosen = await fetch(begun.headers.get('location') ?? '', {
    ...manual,
    method: 'POST',
    body: new URLSearchParams({ email, verified: 'on' }),
  })
  const callback = new URL(chosen.headers.get('location') ?? '')
  secrets.code = callback.searchParams.get('code') ?? ''
  secrets.state = callback.searchParams.get('state') ?? ''
  const signIns = underWay.filter(({ table }) => table === 'public.sign_ins')
  assert.equal(signIns.length, 1, 'a sign-in is under way')
  for (const name of ['sign-in cookie', 'state']) {
    const secret = secrets[name] ?? ''
    for (const form of [secret, ...hexOf(secret)]) {
      const holding = underWay.filter(({ text }) => form !== '' && text.includes(form))
      assert.deepEqual(holding, [], `${name} in a table while the sign-in is under way`)
    }
  }
  const back = await fetch(`${house.url}${callback.pathname}${callback.search}`, {
    ...manual,
    headers: { cookie },
  })
  const token = new URL(back.headers.get('location') ?? '').searchParams.get('token')
  assert.ok(token && secrets.code && secrets.state && secrets['sign-in cookie'])
  return token
}

/** Links that come by e-mail: each is a right for whoever has it. */
async function useLetters(token: string): Promise<void> {
  await ask('/v1/user/data-export', { method: 'POST', token })
  const { data_export: archive } = await until(
    () => ask<{ data_export: { url: string | null } }>('/v1/user/data-export', { token }),
    ({ data_export: made }) => made.url !== null,
  )
  const link = new URL(archive.url ?? '')
  secrets['archive link'] = link.searchParams.get('token') ?? ''
  const mails = await until(
    () => mailsOf(server, email),
    (letters) => letters.some((letter) => letter.text.includes(link.href)),
  )
  const stop = mails.map((letter) => headerOf(letter, 'list-unsubscribe')).find(Boolean) ?? ''
  const { pathname, search } = new URL(stop.slice(1, -1))
  const right = new URLSearchParams(search).get('token') ?? ''
  secrets['unsubscribe link'] = right.split('.')[1] ?? ''
  assert.ok(secrets['archive link'] && secrets['unsubscribe link'])
  await ask(`${link.pathname}${link.search}`)
  await ask(`${link.pathname}${link.search}x`)
  await ask(`${pathname}${search}`)
  await ask(`/v1/mail/subscription?token=${right}`)
  await ask(`/v1/mail/subscription?token=${right}x`)
  await ask(`${pathname}${search}`, { method: 'POST' })
}

async function useTicket(token: string, contentId: string): Promise<string> {
  const path = `/v1/content/${contentId}`
  const { url } = await ask<{ url: string }>(`${path}/download-ticket`, { method: 'POST', token })
  const ticket = new URL(url).searchParams.get('ticket') ?? ''
  await ask(`${path}/download?ticket=${ticket}`)
  await ask(`${path}/thumbnail?ticket=${ticket}`)
  return ticket
}

async function untilEnded(token: string, id: string): Promise<void> {
  await until(
    () => ask<{ job: { finished_at: string | null } }>(`/v1/jobs/${id}`, { token }),
    ({ job }) => job.finished_at !== null,
  )
}

/** Every way in which a secret gets into a request that is refused. */
async function misuse(token: string): Promise<void> {
  await ask('/v1/user/me', { token: `${token}x` })
  await ask('/v1/user/me', { token: secrets.redirect ?? '' })
  await ask('/v1/auth/session', { method: 'POST', token })
  await ask(`/v1/user/me?token=${token}&email=${email}`, { token: 'x' })
  await ask(`/v1/auth/github?frontend_url=${token}`)
  await ask(`/v1/auth/github/callback?code=${token}&state=${token}`, {
    headers: { cookie: `ci_sign_in=${'c'.repeat(43)}` },
  })
  await ask(`/v1/${token}`)
  await ask(`/v1/jobs/${token}`, { token })
  await ask('/v1/jobs', { method: 'POST', token, body: { token, email } })
  await ask('/v1/content/reference', { method: 'POST', token, body: { url: `ftp://${email}/` } })
  await ask('/v1/api-keys', { method: 'POST', token: secrets.key ?? '', body: { name: 'x' } })
  await ask('/v1/payment/webhook', {
    method: 'POST',
    body: { email },
    headers: { 'stripe-signature': `t=1,v1=${token}` },
  })
}

/** An internal fault: the database names the failing row, which must not reach anybody. */
async function breakDatabase(token: string): Promise<void> {
  const { pool } = server.ctx
  await pool.query('alter table api_keys add constraint broken check (false) not valid')
  await ask('/v1/api-keys', { method: 'POST', token, body: { name: email } })
  await pool.query('alter table api_keys drop constraint broken')
  await pool.query('alter table content rename column file_name to lost')
  await ask('/v1/content', { token })
  await pool.query('alter table content rename column lost to file_name')
}

async function dumpTables(): Promise<{ table: string; text: string }[]> {
  const { pool } = server.ctx
  const tables = await pool.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.rows.length > 20)
  const found: { table: string; text: string }[] = []
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`)
    found.push(...rows.map(({ text }) => ({ table: name, text })))
  }
  return found
}
