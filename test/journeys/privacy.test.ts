/** Promises of the privacy policy: how long things are kept, what a person gets, what goes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { before, test } from 'node:test'
import { checkLedger } from '../../server/billing/check.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import type { ExportedAccount } from '../../server/privacy/account-data.ts'
import { giveBelongings } from '../support/fixtures.ts'
import type { Belongings } from '../support/fixtures.ts'
import { providerOf } from '../support/payments.ts'
import { runOperator } from '../support/operator.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { eraseAccount } from '../../server/privacy/erase.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'

const dayMs = 24 * 3_600_000
const server = use(() => startTestServer({ sandbox: true }))
const user = use(() => server.user('edda.lind@example.com'))
let things: Belongings

before(async () => {
  things = await giveBelongings(server, user)
})

const operate = (...words: string[]) => runOperator(server, words)

async function countOf(table: string, column = 'account_id'): Promise<number> {
  const { rows } = await server.ctx.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where ${column} = $1`,
    [user.accountId],
  )
  return rows[0]?.count ?? -1
}

async function objects(): Promise<number> {
  let count = 0
  for await (const _ of server.ctx.storage.list('')) count += 1
  return count
}

test('the operator prints all that is kept about a person, without secrets', async () => {
  const { stdout, code } = await operate('export', 'Edda.Lind@example.com')
  assert.equal(code, 0)
  const kept = JSON.parse(stdout) as ExportedAccount
  assert.equal(kept.account.email, user.email)
  assert.ok(kept.content.some((item) => item.id === things.contentId))
  assert.ok(kept.jobs.find((job) => job.id === things.jobId)?.media, 'with its media')
  assert.ok(kept.projects.some((project) => project.id === things.projectId))
  assert.ok(kept.bins.some((bin) => bin.id === things.binId))
  assert.ok(kept.batches.some((batch) => batch.id === things.batchId))
  assert.deepEqual(kept.corrections[0]?.corrections.speakers.names, { 'face-1': 'Edda' })
  assert.ok(kept.corrections[0]?.job_ids.includes(things.jobId))
  assert.deepEqual(kept.reviews[0]?.review.accepted_cut_frames, [3])
  assert.equal(kept.reviews[0]?.job_id, things.jobId)
  assert.equal(kept.cuts[0]?.id, things.cutId)
  assert.ok(JSON.stringify(kept.syncs).includes(things.syncId))
  assert.equal(kept.shares[0]?.id, things.shareId)
  assert.equal(kept.comments[0]?.id, things.commentId)
  assert.equal(kept.apiKeys[0]?.id, things.keyId)
  assert.equal(kept.paymentMethods[0]?.id, things.cardId)
  assert.ok(kept.transactions.some((item) => item.id === things.receiptId))
  assert.ok(kept.sessions.length > 0)
  for (const secret of [things.key, things.shareToken, user.token, 'sha256', 'ticket=']) {
    assert.ok(!stdout.includes(secret), secret)
  }
})

test('the operator finds the ledger whole, and nobody of an unknown address', slow, async () => {
  const check = await operate('ledger-check')
  assert.equal(check.code, 0)
  assert.equal((JSON.parse(check.stdout) as { ok: boolean }).ok, true)
  for (const verb of isWholeRun ? ['export', 'erase'] : ['erase']) {
    const { stdout, code } = await operate(verb, 'nobody@example.com')
    assert.deepEqual({ stdout, code }, { stdout: '', code: 2 })
  }
  const rows = await server.ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', 'nobody@example.com')
    .execute()
  assert.deepEqual(rows, [])
})

test('logs and content go after 90 days, results after a year, transactions stay', async () => {
  const other = await server.user()
  const second = await giveBelongings(server, other)
  const transactions = async (): Promise<number> => {
    const { rows } = await server.ctx.pool.query('select 1 from ledger_transactions')
    return rows.length
  }
  const before = await transactions()
  const at = async (days: number): Promise<Record<string, number>> => {
    server.clock.offsetMs = days * dayMs
    return keepRetention(server.ctx)
  }
  const has = async (table: string, id: string): Promise<boolean> => {
    const { rows } = await server.ctx.pool.query(`select 1 from ${table} where id = $1`, [id])
    return rows.length > 0
  }
  const redirect = { redirect_uris: ['http://127.0.0.1/callback'] }
  const { client_id: program } = await server.client(null).registerOauthClient({ body: redirect })
  await other.client.testWebhook({ params: { id: second.webhookId } })
  const kept = async (table: string): Promise<number> => {
    const { rows } = await server.ctx.pool.query(`select 1 from ${table} where account_id = $1`, [
      other.accountId,
    ])
    return rows.length
  }
  const entries = await kept('audit_entries')
  assert.ok(entries > 5)
  try {
    await at(29)
    assert.ok(await has('sessions', second.sessionId))
    assert.equal(await kept('webhook_events'), 1)
    await at(31)
    assert.equal(await kept('webhook_events'), 0, 'events go after 30 days')
    assert.ok(await has('webhook_endpoints', second.webhookId))
    await at(89)
    assert.ok(!(await has('sessions', second.sessionId)), 'a session ends after 30 days')
    assert.ok(await has('content', second.contentId))
    const events = await server.ctx.pool.query('select 1 from payment_events')
    assert.ok(events.rows.length > 0)
    const gone = await at(91)
    assert.ok((gone.content ?? 0) >= 1)
    assert.ok(!(await has('content', second.contentId)))
    assert.ok(await has('jobs', second.jobId))
    const left = await server.ctx.pool.query(
      "select 1 from payment_events where received_at < now() + interval '1 day'",
    )
    assert.equal(left.rows.length, 0)
    assert.equal((await at(91)).content, 0, 'a second sweep finds nothing')
    assert.ok((await kept('mails')) === 0, 'letters go after 90 days')
    await at(179)
    assert.ok(await has('oauth_clients', program))
    await at(181)
    assert.ok(!(await has('oauth_clients', program)), 'a program that nobody uses goes after 180')
    await at(364)
    assert.equal(await kept('audit_entries'), entries, 'the audit log is kept for a year')
    assert.ok(await has('jobs', second.jobId))
    assert.ok(((await at(366)).jobs ?? 0) >= 1)
    assert.ok(!(await has('jobs', second.jobId)))
    assert.equal(await kept('audit_entries'), 0, 'and no longer')
    assert.equal(await kept('job_corrections'), 0, 'they go with the last job of their media')
    assert.equal((await at(366)).jobs, 0, 'a second sweep finds nothing')
    await at(7 * 365)
    assert.ok((await transactions()) >= before)
    assert.ok((await checkLedger(server.ctx.db)).ok)
    assert.equal(await objects(), 0, 'no bytes are left of what is gone')
  } finally {
    server.clock.offsetMs = 0
  }
})

/** Tables whose rows stay under an account that names nobody, and why. */
const outliving: Record<string, string> = {
  ledger_wallets: 'the law keeps the books for seven years',
  ledger_transactions: 'the same',
  ledger_lots: 'the same',
  ledger_holds: 'the same',
  ledger_grant_claims: 'a hash, so that a newcomer gets no second free credit in the month',
  purchases: 'the law keeps payments for seven years',
  reloads: 'the same',
  invoices: 'the law keeps invoices; name and e-mail address go',
}

async function tablesOfAccounts(): Promise<string[]> {
  const { rows } = await server.ctx.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'account_id' and table_type = 'BASE TABLE'`,
  )
  const names = rows.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(outliving).filter((name) => !names.includes(name)),
    [],
  )
  return names
}

async function withRows(tables: string[]): Promise<string[]> {
  const counts = await Promise.all(tables.map((table) => countOf(table)))
  return tables.filter((_, index) => counts[index] !== 0)
}

/** Rows that exist only while a film is analysed, an upload arrives, a reload waits and so on. */
async function plantRows(jobId: string, contentId: string): Promise<void> {
  const { pool } = server.ctx
  const { accountId } = user
  await pool.query(
    `insert into work (job_id, account_id, kind, seconds, turn, not_before)
     values ($1, $2, 'sound', 2, 0, now() + interval '1 day')`,
    [jobId, accountId],
  )
  await pool.query(
    `insert into job_reads (job_id, extractor, account_id, share, read_at)
     values ($1, 'shots', $2, 1, now())`,
    [jobId, accountId],
  )
  await pool.query(
    `insert into content_reservations (id, account_id, bytes, expires_at)
     values (gen_random_uuid(), $1, 10, now() + interval '1 hour')`,
    [accountId],
  )
  await pool.query(
    'insert into quick_proxies (content_id, account_id, used_at) values ($1, $2, now())',
    [contentId, accountId],
  )
  await pool.query('insert into quick_proxy_days values ($1, now(), 60)', [accountId])
  await pool.query('insert into auto_reload_states (account_id) values ($1)', [accountId])
}

test('an erased person is gone but for nameless transactions', async () => {
  const again = await server.user(user.email)
  const fresh = await giveBelongings(server, again)
  const running = await again.client.createJob({
    body: { content_id: fresh.contentId, workflow: 'shots' },
  })
  assert.equal(running.job.status, 'queued')
  await plantRows(running.job.id, fresh.contentId)
  const emptied = (await tablesOfAccounts()).filter((table) => !(table in outliving))
  assert.deepEqual(await withRows(emptied), emptied, 'there is something to erase in each')
  const transactions = await countOf('ledger_transactions')
  const customer = await server.ctx.db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  const { code } = await operate('erase', user.email)
  assert.equal(code, 0)
  assert.deepEqual(await withRows(emptied), [])
  assert.equal(await objects(), 0)
  const account = await server.ctx.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(account).includes('edda'))
  const invoices = await server.ctx.db
    .selectFrom('invoices')
    .select(['number', 'buyer'])
    .where('account_id', '=', user.accountId)
    .execute()
  assert.ok(invoices.length > 0, 'invoices outlive their buyer')
  assert.ok(!JSON.stringify(invoices).includes('edda'))
  assert.ok((await countOf('ledger_transactions')) >= transactions)
  assert.ok((await checkLedger(server.ctx.db)).ok)
  const held = await server.ctx.pool.query<{ held_micros: number }>(
    'select held_micros from ledger_wallets where account_id = $1',
    [user.accountId],
  )
  assert.equal(held.rows[0]?.held_micros, 0)
  const atProvider = await providerOf(server).customers.retrieve(customer.customer_id)
  assert.equal(atProvider.deleted, true)
  for (const token of [again.token, user.token, fresh.key]) {
    assert.equal((await server.fetch('/v1/user/me', { token })).status, 401)
  }
  const newcomer = await server.user(user.email)
  assert.notEqual(newcomer.accountId, user.accountId)
  assert.equal((await newcomer.client.getMe()).account_balance_usd, 0, 'no second free credit')
})

test('an upload that is under way while its account is erased leaves nothing', async () => {
  const leaving = await server.user()
  const { accountId, token } = leaving
  const head =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="Edda.txt"\r\n\r\nHello, '
  const upload = request(`${server.url}/v1/content/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
  })
  upload.write(head)
  const rows = (table: 'content' | 'content_reservations') =>
    server.ctx.db.selectFrom(table).select('id').where('account_id', '=', accountId).execute()
  await until(async () => (await rows('content_reservations')).length > 0)
  await eraseAccount(server.ctx, accountId)
  upload.end('world.\r\n--x--\r\n')
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 410)
  assert.deepEqual(await rows('content'), [])
})
