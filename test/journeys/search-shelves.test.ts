/**
 * Search in an account whose passages fill several shelves (server/db/migrations/0018_jobs.sql).
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { dropEmptyShelves, openShelf } from '../../server/results/index-passages.ts'
import { maxRanked } from '../../server/findings/search-statements.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'

const passagesOfShelf = 1000

const server = use(startTestServer)
const user = use(() => server.user())

before(async () => {
  await addClip('Old.mp4', { places: passagesOfShelf, said: 'The tide at the harbour wall' })
  await addClip('Middle.mp4', { places: 10, said: 'The lighthouse warden' })
  await addClip('New.mp4', { places: 3, said: 'High tide and a tidy quay' })
})

test('a full shelf is followed by a new one', async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from job_passages where account_id = ${user.accountId}
    group by shelf order by shelf`.execute(server.ctx.db)
  assert.deepEqual(
    rows.map(({ count }) => count),
    [passagesOfShelf, 13],
  )
})

test('of a word that is said everywhere the newest passages are ranked, and more are reported', async () => {
  const { hits, total, more } = await user.client.search({ query: { q: 'tide', limit: 5 } })
  assert.deepEqual([total, more], [maxRanked, true])
  const names = hits.map((hit) => hit.content_name)
  assert.deepEqual(names.toSorted(), ['New.mp4', 'New.mp4', 'New.mp4', 'Old.mp4', 'Old.mp4'])
})

test('a word of the oldest shelf is found, by its stem, its beginning and in a phrase', async () => {
  await addPassage('Old.mp4', 'Gulls nesting on "Saint-Malo" o’clock \\ it’s')
  for (const q of ['gull', 'nest', '"gulls nesting"', 'gulls malo', 'saint-malo -tide']) {
    const { hits, total, more } = await user.client.search({ query: { q } })
    assert.deepEqual([hits.length, total, more], [1, 1, false], q)
  }
})

test('a search in one item reads that item alone', async () => {
  const { hits } = await user.client.search({ query: { q: 'warden' } })
  const contentId = hits[0]?.content_id ?? ''
  const find = (q: string) => user.client.search({ query: { q, content_id: contentId } })
  assert.deepEqual([(await find('warden')).total, (await find('tide')).total], [10, 0])
})

test('a passage of one endless word does not hold up the others', async () => {
  await addPassage('Old.mp4', `${'x'.repeat(2040)} turnstone`)
  assert.equal((await user.client.search({ query: { q: 'turnstone' } })).total, 1)
})

test('an empty shelf goes, the newest one stays', async () => {
  const { db } = server.ctx
  const shelves = () =>
    db
      .selectFrom('job_shelves')
      .select('id')
      .where('account_id', '=', user.accountId)
      .orderBy('id')
      .execute()
  const [oldest, newest] = await shelves()
  await dropEmptyShelves(db)
  assert.deepEqual(await shelves(), [oldest, newest])
  await db.deleteFrom('job_passages').where('account_id', '=', user.accountId).execute()
  await dropEmptyShelves(db)
  assert.deepEqual(await shelves(), [newest])
})

async function addClip(name: string, clip: { places: number; said: string }): Promise<void> {
  const { db } = server.ctx
  const { accountId } = user
  const shelf = await openShelf(db, accountId, passagesOfShelf)
  const url = `https://example.com/${name}`
  await sql`
    with item as (
      insert into content (account_id, content_type, file_name, canonical_url, check_state,
        created_at, last_used_at)
      values (${accountId}, 'url', ${name}, ${url}, 'ready', now(), now())
      returning id
    ), job as (
      insert into jobs (account_id, status, content_id, content_url, content_name, workflow,
        price_version, quoted_seconds, media_seconds, held_micros, created_at, finished_at)
      select ${accountId}, 'completed', id, ${url}, ${name}, 'transcription', '1', 60, 60, 0,
        now(), now()
      from item
      returning id
    ), result as (
      insert into job_results (account_id, content_sha256, extractor, version, params, findings,
        media, seconds, created_at)
      values (${accountId}, md5(${name}), 'transcription', '1', '{}', '{}', '{}', 60, now())
      returning id
    ), shown as (
      insert into job_extractors (job_id, extractor, position, status, micros_per_second,
        quoted_micros, result_id)
      select job.id, 'transcription', 0, 'done', 0, 0, result.id from job, result
    )
    insert into job_passages (result_id, account_id, shelf, kind, start_frame, end_frame,
      start_seconds, text)
    select result.id, ${accountId}, ${shelf}, 'word', n, n + 1, n, ${clip.said}
    from result, generate_series(1, ${clip.places}::int) n`.execute(db)
}

/** Onto the shelf that holds the clip. */
async function addPassage(name: string, text: string): Promise<void> {
  await sql`
    insert into job_passages (result_id, account_id, shelf, kind, start_frame, end_frame,
      start_seconds, text)
    select p.result_id, p.account_id, p.shelf, 'word', 0, 1, 0, ${text}
    from job_passages p join job_extractors e using (result_id) join jobs j on j.id = e.job_id
    where j.content_name = ${name} and j.account_id = ${user.accountId} limit 1`.execute(
    server.ctx.db,
  )
}
