/**
 * `npm run prove:mail`: e-mail and archives of data under chaos. Causes keep coming while the mail
 * server refuses, hangs up and falls silent, and while workers are ended with kill -9: anywhere,
 * right after the mail server took a message, and while an archive is written. Every cause must
 * bring one message (one Message-ID, which arrives at least once), every archive that was asked for
 * one link that opens, and no file may be left behind.
 *
 * Leases and pauses (5 minutes and more) are not waited for: the proof ends them, which is what
 * time does.
 */
import { fileURLToPath } from 'node:url'
import { sweepStore } from '../../server/storage/sweep.ts'
import { queueMail, sendMailQueue } from '../../server/mail/queue.ts'
import { startWorkerProcess } from '../../test/support/api-process.ts'
import type { WorkerProcess } from '../../test/support/api-process.ts'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer, TestUser } from '../../test/support/app.ts'
import { headerOf, mailsOf } from '../../test/support/mail.ts'
import { control } from '../../test/support/payments.ts'
import { until } from '../../test/support/until.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

export interface Chaos {
  /** How often a worker is killed with kill -9. */
  kills: number
  /** In the life of each worker: so many causes, and as many archives as half of them. */
  causesOfEach: number
}

export interface MailProof {
  causes: number
  /** Causes of which no message arrived. */
  lost: number
  /** Causes that made a second message, with a Message-ID of its own. */
  doubled: number
  /** Messages that arrived again under their Message-ID. */
  repeated: number
  archives: number
  /** Archives whose link does not open. */
  closed: number
  /** Files of archives that no sweep removed. */
  left: number
  tries: number
}

export async function proveMail(chaos: Chaos): Promise<MailProof> {
  await using server = await startTestServer({ sandbox: true })
  return await run(server, chaos)
}

type Kill = 'anywhere' | 'after the mail server took it' | 'while an archive is written'

async function run(server: TestServer, chaos: Chaos): Promise<MailProof> {
  const user = await server.user('causes@example.com')
  const owners: TestUser[] = []
  const causes: string[] = []
  const kills: Kill[] = ['after the mail server took it', 'while an archive is written', 'anywhere']
  for (let turn = 0; turn < chaos.kills; turn += 1) {
    const kill = kills[turn % kills.length] ?? 'anywhere'
    for (let n = 0; n < chaos.causesOfEach; n += 1) {
      const cause = `cause ${turn}.${n}`
      await queueTwice(server, user, cause)
      causes.push(cause)
      if (n % 2 === 0) owners.push(await askForArchive(server, owners.length))
    }
    await control(server, 'smtp', {
      fail_next: turn % 2,
      hang_up_next: turn % 3 === 0 ? 0 : 1,
      silent_next: kill === 'after the mail server took it' ? 1 : 0,
    })
    await endWorker(server, kill)
  }
  await control(server, 'smtp', { fail_next: 0, hang_up_next: 0, silent_next: 0 })
  const worker = await start(server)
  await until(async () => {
    await passTime(server)
    return (await countOpen(server)) === 0
  })
  await worker.stop()
  return judge(server, { user, owners, causes })
}

/** A cause that is processed twice, as after a crash of whoever processes it. */
async function queueTwice(server: TestServer, user: TestUser, cause: string): Promise<void> {
  const { ctx } = server
  for (let time = 0; time < 2; time += 1) {
    await ctx.db.transaction().execute((trx) =>
      queueMail(ctx, trx, {
        accountId: user.accountId,
        kind: 'security',
        cause,
        content: { subject: cause, lines: ['Something happened.'] },
      }),
    )
  }
}

async function askForArchive(server: TestServer, index: number): Promise<TestUser> {
  const owner = await server.user(`owner${index}@example.com`)
  await owner.client.requestDataExport()
  return owner
}

async function endWorker(server: TestServer, kill: Kill): Promise<void> {
  const before = await countEvents(server)
  const worker = await start(server)
  await until(async () => {
    await passTime(server)
    const now = await countEvents(server)
    if (kill === 'after the mail server took it') return now.silent === 0
    // The archive's file is listed before its first byte.
    if (kill === 'while an archive is written') return now.files > before.files
    return now.ended > before.ended
  })
  await worker.stop('SIGKILL')
  // Minutes later the queue gives up on the tasks of the dead worker.
  await server.ctx.pool.query(
    `update pgboss.job set state = (case name when 'data-export' then 'retry' else 'failed' end)::pgboss.job_state
     where state = 'active'`,
  )
}

function start(server: TestServer): Promise<WorkerProcess> {
  return startWorkerProcess(server, {
    environment: {
      SMTP_URL: server.ctx.config.mail?.smtpUrl ?? '',
      STRIPE_API_URL: server.sandboxUrl,
    },
  })
}

async function countEvents(server: TestServer) {
  const { pool } = server.ctx
  const { silentNext } = await control<{ silentNext: number }>(server, 'smtp', {})
  const { rows } = await pool.query<{ files: number; ended: number }>(
    `select (select count(*)::int from unowned_objects where storage_key like 'exports/%') as files,
       (select count(*)::int from mails where outcome is not null) as ended`,
  )
  return { silent: silentNext, files: rows[0]?.files ?? 0, ended: rows[0]?.ended ?? 0 }
}

/** Ends leases and pauses and calls the next sweep. A live sender keeps its message. */
async function passTime(server: TestServer): Promise<void> {
  const { pool, queue } = server.ctx
  await pool.query(
    `update pgboss.job set start_after = now(), retry_count = 0
     where name = 'data-export' and state = 'retry'`,
  )
  const senders = await pool.query(
    `select 1 from pgboss.job where name = 'send-mail'
     and state in ('created', 'retry', 'active')`,
  )
  if (senders.rows.length > 0) return
  const { rowCount } = await pool.query(
    'update mails set next_try_at = now(), tries = least(tries, 3) where outcome is null',
  )
  if (rowCount) await queue.send(sendMailQueue, { mailId: '' })
}

async function countOpen(server: TestServer): Promise<number> {
  const { rows } = await server.ctx.pool.query<{ open: number }>(
    `select (select count(*)::int from mails where outcome is null)
       + (select count(*)::int from data_exports where status = 'queued') as open`,
  )
  return rows[0]?.open ?? 0
}

async function judge(
  server: TestServer,
  { user, owners, causes }: { user: TestUser; owners: TestUser[]; causes: string[] },
): Promise<MailProof> {
  const letters = await mailsOf(server, user.email)
  const idsOf = (cause: string): Set<string> =>
    new Set(
      letters
        .filter(({ subject }) => subject === cause)
        .map((letter) => headerOf(letter, 'message-id')),
    )
  const seen = causes.map(idsOf)
  let archiveLetters = 0
  let closed = 0
  let doubled = seen.filter((ids) => ids.size > 1).length
  for (const owner of owners) {
    const mails = await mailsOf(server, owner.email)
    archiveLetters += mails.length
    if (new Set(mails.map((mail) => headerOf(mail, 'message-id'))).size > 1) doubled += 1
    const link = /http\S+data-exports\S+/.exec(mails[0]?.text ?? '')?.[0]
    const answer = link ? await fetch(link) : null
    const bytes = answer?.status === 200 ? Buffer.from(await answer.arrayBuffer()) : null
    // The end of a zip says that it is whole.
    if (!bytes?.includes('PK\u0005\u0006')) closed += 1
  }
  const { rows } = await server.ctx.pool.query<{ tries: number }>(
    'select sum(tries)::int as tries from mails',
  )
  return {
    causes: causes.length,
    lost: seen.filter((ids) => ids.size === 0).length,
    doubled,
    repeated:
      letters.length +
      archiveLetters -
      seen.filter((ids) => ids.size > 0).length -
      owners.length +
      closed,
    archives: owners.length,
    closed,
    left: await countLeft(server),
    tries: rows[0]?.tries ?? 0,
  }
}

/** Two days later the archives are over, those that a dead worker left too. */
async function countLeft(server: TestServer): Promise<number> {
  server.clock.offsetMs += 2 * 24 * 3_600_000
  await sweepStore(server.ctx)
  let left = 0
  for await (const _ of server.ctx.storage.list('exports/')) left += 1
  return left
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureSystemPackages(toTest)
  const started = performance.now()
  const proof = await proveMail({ kills: 12, causesOfEach: 6 })
  console.log(proof)
  console.log(`${Math.round((performance.now() - started) / 1000)} s`)
  const isWrong = proof.lost + proof.doubled + proof.closed + proof.left > 0
  if (isWrong) console.error('FAILED: a message or an archive was lost, made twice or left behind.')
  process.exit(isWrong ? 1 : 0)
}
