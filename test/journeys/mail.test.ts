import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, it } from 'node:test'
import { findOrCreateAccount } from '../../server/sign-in/find-or-create.ts'
import { openRedirectSession } from '../../server/sign-in/session.ts'
import { remindOfFreeCredit } from '../../server/billing/remind.ts'
import { endJob } from '../../server/jobs/end.ts'
import { startWorking } from '../../server/runs/work.ts'
import { deliverDueMail } from '../../server/mail/deliver.ts'
import { balanceLowMail, webhookOffMail } from '../../server/mail/messages.ts'
import { listOpenMail, resendMail } from '../../server/mail/operate.ts'
import { queueMail, sendMailQueue } from '../../server/mail/queue.ts'
import { checkAutoReload } from '../../server/payments/auto-reload.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { deliveredTo, headerOf, mailsOf } from '../support/mail.ts'
import { control, leaveWithUsd } from '../support/payments.ts'
import { until } from '../support/until.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { uploadFile } from '../support/upload.ts'

const minuteMs = 60_000
const server = use(() => startTestServer({ sandbox: true }))
let user: TestUser

beforeEach(async () => {
  user = await server.user(`${crypto.randomUUID()}@example.com`)
  await control(server, 'smtp', { fail_next: 0, hang_up_next: 0 })
})

const webhookOff = {
  kind: 'webhooks',
  content: webhookOffMail({
    url: 'https://example.com/hook',
    failingSince: new Date('2026-05-01T10:00:00Z'),
    lastAnswer: '500',
  }),
} as const

function queue(cause: string, accountId = user.accountId): Promise<void> {
  const { ctx } = server
  return ctx.db
    .transaction()
    .execute((trx) => queueMail(ctx, trx, { accountId, cause, ...webhookOff }))
}

describe('a message', () => {
  it('has a plain and an HTML form, and nothing that a person typed becomes markup or a header', async () => {
    const name = '<img src=x onerror=alert(1)>\r\nBcc: thief@example.com'
    await user.client.createApiKey({ body: { name, expiresInDays: 30 } })
    const [mail, ...more] = await deliveredTo(server, user.email)
    assert.ok(mail)
    assert.equal(more.length, 0)
    assert.equal(mail.subject, 'A new API key was created')
    assert.deepEqual(mail.recipients, [user.email])
    assert.match(mail.html, /&lt;img src=x onerror=alert\(1\)&gt; Bcc: thief@example\.com/)
    assert.doesNotMatch(mail.html, /<img/)
    assert.match(mail.html, /prefers-color-scheme: dark/)
    assert.match(mail.text, /^Name: <img src=x onerror=alert\(1\)> Bcc: thief@example\.com$/m)
    assert.match(mail.text, new RegExp(`${server.url}/profile#security`))
    assert.equal(headerOf(mail, 'bcc'), '')
    assert.equal(headerOf(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated')
  })

  it('keeps a subject of any script in one header', async () => {
    const { ctx } = server
    await ctx.db.transaction().execute((trx) =>
      queueMail(ctx, trx, {
        accountId: user.accountId,
        kind: 'webhooks',
        cause: 'subject',
        content: { subject: 'Schnitt – 編集\r\nX-Evil: 1', lines: ['Text'] },
      }),
    )
    const [mail] = await deliveredTo(server, user.email)
    assert.equal(mail?.subject, 'Schnitt – 編集 X-Evil: 1')
    assert.equal(headerOf(mail, 'x-evil'), '')
  })

  it('is written once for a cause and never without it', async () => {
    await Promise.all(Array.from({ length: 10 }, () => queue('same')))
    const { ctx } = server
    const undone = ctx.db.transaction().execute(async (trx) => {
      const content = balanceLowMail({ availableMicros: 1, thresholdMicros: 5 })
      await queueMail(ctx, trx, {
        accountId: user.accountId,
        kind: 'balance_low',
        cause: 'undone',
        content,
      })
      throw new Error('The cause fails.')
    })
    await assert.rejects(undone)
    const rows = await ctx.db
      .selectFrom('mails')
      .select(['id', 'cause'])
      .where('account_id', '=', user.accountId)
      .execute()
    assert.deepEqual(
      rows.map((row) => row.cause),
      ['same'],
    )
    const tasks = await ctx.queue.boss.findJobs(sendMailQueue, { data: { mailId: rows[0]?.id } })
    assert.equal(tasks.length, 1)
    await Promise.all([deliverDueMail(ctx), deliverDueMail(ctx), deliverDueMail(ctx)])
    assert.equal((await mailsOf(server, user.email)).length, 1)
  })

  it('goes to no address that is missing or not verified', async () => {
    const { ctx } = server
    const identity = { provider: 'github', subject: crypto.randomUUID(), name: null } as const
    const rest = { username: 'quiet', picture: null }
    const nobody = await findOrCreateAccount(ctx, {
      ...identity,
      ...rest,
      email: null,
      emailVerified: false,
    })
    const unverified = await findOrCreateAccount(ctx, {
      ...identity,
      ...rest,
      subject: crypto.randomUUID(),
      email: 'stranger@example.com',
      emailVerified: false,
    })
    await queue('x', nobody.id)
    await queue('x', unverified.id)
    const rows = await ctx.db
      .selectFrom('mails')
      .select('id')
      .where('account_id', 'in', [nobody.id, unverified.id])
      .execute()
    assert.equal(rows.length, 0)
  })
})

describe('a mail server that fails', () => {
  it('is asked once while it is away, however many messages wait', async () => {
    for (const cause of ['first', 'second', 'third']) await queue(cause)
    let asked = 0
    const away = createServer((socket) => {
      asked += 1
      socket.destroy()
    })
    await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
    const { port } = away.address() as AddressInfo
    const { ctx } = server
    const mail = { from: 'CutIndex <mail@example.com>', smtpUrl: `smtp://127.0.0.1:${port}` }
    const counts = await deliverDueMail({ ...ctx, config: { ...ctx.config, mail } })
    away.close()
    assert.deepEqual([counts, asked], [{ unreachable: 1 }, 1])
    server.clock.offsetMs += 2 * minuteMs
    assert.equal((await deliveredTo(server, user.email)).length, 3)
  })

  it('is tried again later with the same Message-ID', async () => {
    await control(server, 'smtp', { fail_next: 1, fail_code: 451 })
    await queue('temporary')
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    assert.equal((await deliveredTo(server, user.email)).length, 0, 'not before its pause is over')
    server.clock.offsetMs += 2 * minuteMs
    // The connection breaks after the server took it: the row cannot know, so it is sent again.
    await control(server, 'smtp', { hang_up_next: 1 })
    assert.equal((await deliveredTo(server, user.email)).length, 1)
    server.clock.offsetMs += 6 * minuteMs
    const [first, second, ...more] = await deliveredTo(server, user.email)
    assert.equal(more.length, 0)
    assert.ok(headerOf(first, 'message-id'))
    assert.equal(headerOf(first, 'message-id'), headerOf(second, 'message-id'))
  })

  it('leaves a message that it refuses for good to the operator', async () => {
    await control(server, 'smtp', { fail_next: 1, fail_code: 550 })
    await queue('refused')
    await deliverDueMail(server.ctx)
    const dead = (await listOpenMail(server.ctx)).filter((row) => row.account_id === user.accountId)
    assert.equal(dead[0]?.outcome, 'dead')
    assert.match(String(dead[0]?.last_error), /550/)
    server.clock.offsetMs += 48 * 60 * minuteMs
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    await resendMail(server.ctx, [String(dead[0]?.id)])
    assert.equal((await mailsOf(server, user.email)).length, 1)
  })

  it('gives up after eight tries', async () => {
    await control(server, 'smtp', { fail_next: 8, fail_code: 451 })
    await queue('hopeless')
    for (let tries = 0; tries < 9; tries += 1) {
      await deliverDueMail(server.ctx)
      server.clock.offsetMs += 25 * 60 * minuteMs
    }
    const [row] = (await listOpenMail(server.ctx)).filter(
      (mail) => mail.account_id === user.accountId,
    )
    assert.equal(row?.outcome, 'dead')
    assert.equal(row?.tries, 8)
  })
})

describe('one kind of e-mail', () => {
  const link = async (): Promise<URL> => {
    await queue('link')
    const [mail] = await deliveredTo(server, user.email)
    return new URL(headerOf(mail, 'list-unsubscribe').slice(1, -1))
  }

  it('is stopped by one click of a mail program, without a session', async () => {
    const { pathname, search } = await link()
    const opened = await server.fetch(`${pathname}${search}`)
    assert.equal(opened.status, 302)
    assert.equal(opened.headers.get('location'), `${server.url}/unsubscribe${search}`)
    assert.equal((await user.client.getPreferences()).preferences.mail?.webhooks, true)
    const clicked = await server.fetch(`${pathname}${search}`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    assert.equal(clicked.status, 200)
    const { mail } = (await user.client.getPreferences()).preferences
    assert.equal(mail?.webhooks, false)
    assert.equal(mail?.security, true)
    await queue('after')
    assert.equal((await deliveredTo(server, user.email)).length, 1)
  })

  it('is stopped and resumed from the page, and a changed link is refused', async () => {
    const token = (await link()).searchParams.get('token') ?? ''
    const anyone = server.client(null)
    const before = await anyone.getMailSubscription({ query: { token } })
    assert.deepEqual([before.subscription.kind, before.subscription.wanted], ['webhooks', true])
    const stopped = await anyone.saveMailSubscription({ body: { token, wanted: false } })
    assert.equal(stopped.subscription.wanted, false)
    const resumed = await anyone.saveMailSubscription({ body: { token, wanted: true } })
    assert.equal(resumed.subscription.wanted, true)
    const [payload = '', signature = ''] = token.split('.')
    const other = Buffer.from(`${(await server.user()).accountId}.webhooks`).toString('base64url')
    for (const forged of [`${other}.${signature}`, `${payload}.${'A'.repeat(43)}`, 'x', '.']) {
      const answer = await server.fetch(`/v1/mail/unsubscribe?token=${forged}`, { method: 'POST' })
      assert.equal(answer.status, 404, forged)
    }
  })

  it('is not sent any more when it is switched off before its turn', async () => {
    await queue('switched off')
    await user.client.savePreferences({ body: { mail: { webhooks: false } } })
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    const row = await server.ctx.db
      .selectFrom('mails')
      .select('outcome')
      .where('account_id', '=', user.accountId)
      .executeTakeFirstOrThrow()
    assert.equal(row.outcome, 'unwanted')
  })

  it('is chosen in the preferences, beside what else stands there', async () => {
    await user.client.savePreferences({ body: { media_folder: '/Volumes/A/' } })
    const { preferences } = await user.client.savePreferences({
      body: { mail: { finished: true, receipt: false } },
    })
    assert.equal(preferences.media_folder, '/Volumes/A/')
    assert.equal(preferences.mail?.finished, true)
    assert.equal(preferences.mail?.receipt, false)
    assert.equal(preferences.mail?.balance_low, true)
  })
})

describe('an e-mail is caused by', () => {
  it('a sign-in from a new place, not by the first one', async () => {
    const { ctx } = server
    const signIn = async (agent: string): Promise<void> => {
      const { accountId } = user
      const token = await openRedirectSession(ctx, { accountId, provider: 'github' })
      const answer = await server.fetch('/v1/auth/session', {
        method: 'POST',
        token,
        headers: { 'user-agent': agent },
      })
      assert.equal(answer.status, 201)
    }
    const chrome = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/141.0'
    await signIn(chrome)
    await signIn(chrome.replace('141', '142'))
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    await signIn('Mozilla/5.0 (Windows NT 10.0) Firefox/140.0')
    const [mail, ...more] = await deliveredTo(server, user.email)
    assert.equal(more.length, 0)
    assert.match(mail?.text ?? '', /Browser: Firefox on Windows/)
  })

  it('a balance that runs low, once for each credit', async () => {
    const { ctx } = server
    await leaveWithUsd(server, user, '0.87')
    const check = () =>
      ctx.db.transaction().execute((trx) => checkAutoReload(ctx, user.accountId, trx))
    await check()
    await check()
    const mails = await deliveredTo(server, user.email)
    assert.deepEqual(
      mails.map((mail) => mail.subject),
      ['Your balance is below $1.00'],
    )
    assert.match(mails[0]?.text ?? '', /You have \$0\.87 left/)
  })

  it('a batch that ends, once, for those who asked', slow, async () => {
    const { ctx } = server
    const run = async (texts: string[]): Promise<void> => {
      const items = await Promise.all(
        texts.map((text) => uploadFile(server, user.token, text, `${text}.txt`)),
      )
      const body = { content_ids: items.map(({ id }) => id), workflow: 'ffprobe' }
      const { batch } = await user.client.createBatch({ body })
      const first = await ctx.db
        .selectFrom('jobs')
        .select('id')
        .where('batch_id', '=', batch.id)
        .executeTakeFirst()
      const cause = { code: 'timeout', message: 'It took too long.' } as const
      await ctx.db
        .transaction()
        .execute((trx) => endJob(ctx, trx, { jobId: first?.id ?? '', reason: 'failed', cause }))
      const worker = await startWorking(ctx, { slots: 1 })
      await until(
        () => user.client.getBatch({ params: { id: batch.id } }),
        (answer) => answer.batch.finished_at !== null,
      )
      await worker.stop()
    }
    await run(['one', 'two'])
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    await user.client.savePreferences({ body: { mail: { finished: true } } })
    await run(['three', 'four', 'five'])
    const [mail, ...more] = await deliveredTo(server, user.email)
    assert.equal(more.length, 0)
    assert.equal(mail?.subject, 'Batch finished: 2 of 3 clips')
    assert.match(mail.text, /^Analysed: 2$/m)
    assert.match(mail.text, /^Failed: 1$/m)
    assert.match(mail.text, /cost nothing and can be run again/)
  })

  it('a job of ten minutes and free credit about to lapse, for those who asked', async () => {
    const { ctx } = server
    await user.client.savePreferences({ body: { mail: { finished: true, free_credit: true } } })
    await user.client.getMe()
    const content = await uploadFile(server, user.token, 'Notes.', 'notes <b>.txt')
    const endLater = async (minutes: number): Promise<void> => {
      const body = { content_id: content.id, workflow: 'ffprobe' }
      const { job } = await user.client.createJob({ body })
      server.clock.offsetMs += minutes * minuteMs
      const cause = { code: 'timeout', message: 'It took too long.' } as const
      await ctx.db
        .transaction()
        .execute((trx) => endJob(ctx, trx, { jobId: job.id, reason: 'failed', cause }))
    }
    await endLater(1)
    assert.equal((await deliveredTo(server, user.email)).length, 0)
    await endLater(11)
    const [mail] = await deliveredTo(server, user.email)
    assert.match(mail?.subject ?? '', /^Analysis failed: notes/)
    assert.match(mail?.text ?? '', /costs nothing\. It took too long\./)
    const now = ctx.now()
    const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    const dayMs = 24 * 60 * minuteMs
    server.clock.offsetMs += monthEnd - now.getTime() - 3 * dayMs - 5 * minuteMs
    await remindOfFreeCredit(ctx)
    assert.equal(
      (await deliveredTo(server, user.email)).length,
      1,
      'not more than three days before',
    )
    server.clock.offsetMs += 6 * minuteMs
    await remindOfFreeCredit(ctx)
    await remindOfFreeCredit(ctx)
    const subjects = (await deliveredTo(server, user.email)).map(({ subject }) => subject)
    assert.deepEqual(subjects.slice(1), ['$5.00 of free credit expires soon'])
  })
})
