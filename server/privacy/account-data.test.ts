import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../test/support/app.ts'
import { makeDataExport } from './data-export.ts'
import { partsOfAccount, writeAccount } from './account-data.ts'
import { use } from '../../test/support/use.ts'

const server = use(startTestServer)

/** More than two pages, some of the same microsecond. */
const count = 250

async function addBatches(accountId: string): Promise<void> {
  await server.ctx.pool.query(
    `insert into batches (id, account_id, workflow, open_jobs, created_at, finished_at)
     select gen_random_uuid(), $1, 'ffprobe', 0,
       now() + (n / 40) * interval '1 microsecond', now() from generate_series(1, $2) n`,
    [accountId, count],
  )
}

async function addMails(accountId: string): Promise<void> {
  await server.ctx.pool.query(
    `insert into mails (account_id, kind, cause, content, created_at, next_try_at, outcome, ended_at)
     select $1, 'requested', 'test:' || n, jsonb_build_object('subject', n),
       now() + (n / 40) * interval '1 microsecond', now(), 'sent', now()
     from generate_series(1, $2) n`,
    [accountId, count],
  )
}

test('lists of more than a page are whole, each item once', async () => {
  const { accountId } = await server.user()
  await addBatches(accountId)
  await addMails(accountId)
  let text = ''
  for await (const part of writeAccount(server.ctx, accountId)) text += part
  const { batches, mails } = JSON.parse(text) as {
    batches: { id: string }[]
    mails: { content: { subject: number } }[]
  }
  assert.equal(batches.length, count)
  assert.equal(new Set(batches.map(({ id }) => id)).size, count)
  const subjects = mails.map(({ content }) => content.subject)
  assert.deepEqual(
    subjects.toSorted((a, b) => a - b),
    Array.from({ length: count }, (_, index) => index + 1),
  )
})

test('a list is read by the page, as it is written', async () => {
  const { accountId } = await server.user()
  await addBatches(accountId)
  let read = 0
  for await (const _ of partsOfAccount(server.ctx, accountId).batches()) {
    read += 1
    // The unread rest is gone: nothing of it was waiting in memory.
    if (read === 1) await server.ctx.pool.query('delete from batches')
  }
  assert.equal(read, 100)
})

test('an archive whose lists cannot be read is not made', async () => {
  const user = await server.user()
  const { data_export: asked } = await user.client.requestDataExport()
  const { pool } = server.ctx
  await pool.query('alter table mail_choices rename to away')
  try {
    await assert.rejects(makeDataExport(server.ctx, asked.id), /mail_choices/)
  } finally {
    await pool.query('alter table away rename to mail_choices')
  }
  assert.equal(await makeDataExport(server.ctx, asked.id), 'made')
})
