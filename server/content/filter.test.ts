/** Tables and indexes that the library's list reads, by PostgreSQL's plans. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { actFor } from '../ground/actor.ts'
import type { SessionActor } from '../ground/actor.ts'
import type { ContentFilter } from '../../contract/footage/content.ts'
import type { Context } from '../ground/context.ts'
import { listContentIds, readContentPage } from './list.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

const ownItems = 60
const othersItems = 6000
let database: TestDatabase
let actor: SessionActor

before(async () => {
  database = await openTestDatabase()
  const own = await fillAccount('own@example.com', ownItems)
  await fillAccount('others@example.com', othersItems)
  await database.pool.query('analyze content, jobs, job_extractors, job_results, job_passages')
  actor = actFor(own)
})
after(() => database.close())

const filters: ContentFilter[] = [
  {},
  ...(['yes', 'no', 'running', 'failed'] as const).map((analysed) => ({ analysed })),
  ...(['yes', 'no'] as const).map((speech) => ({ speech })),
]

for (const filter of filters) {
  test(`the list by ${JSON.stringify(filter)} reads its own account's rows only`, async () => {
    const { total, statements } = await listed(filter)
    const third = ownItems / 3
    const expected = filter.analysed === 'no' || filter.speech === 'no' ? third * 2 : third
    assert.equal(total, Object.keys(filter).length > 0 ? expected : ownItems)
    assert.ok(statements.length >= 3)
    for (const { sql: text, parameters } of statements) {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        [...parameters],
      )
      for (const { name, read } of rowsRead(rows[0]!['QUERY PLAN'][0].Plan)) {
        assert.ok(read <= 6 * ownItems, `${name}: ${read} rows are read by ${text}`)
      }
    }
  })
}

/** The statements of a page and of all its ids. */
async function listed(
  filter: ContentFilter,
): Promise<{ total: number; statements: CompiledQuery[] }> {
  const statements: CompiledQuery[] = []
  const record: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(database.db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const ctx = { db: database.db.withPlugin(record), config: {}, now: () => new Date() } as Context
  const { total } = await readContentPage(ctx, actor, { ...filter, limit: 1000 })
  const ids = await listContentIds(ctx, actor, { query: filter })
  assert.equal(ids.total, total)
  return { total, statements }
}

function rowsRead(node: PlanNode): { name: string; read: number }[] {
  const name = node['Relation Name']
  const seen =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return [
    ...(name
      ? [{ name: `${node['Node Type']} on ${name}`, read: seen * node['Actual Loops'] }]
      : []),
    ...(node.Plans ?? []).flatMap(rowsRead),
  ]
}

/** A third of the items was transcribed, of a third it runs, and of a third it failed. */
async function fillAccount(email: string, items: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts (email, username) values (${email}, 'editor') returning id
  `.execute(database.db)
  const account = rows[0]!.id
  await sql`
    with added as (
      insert into content (account_id, content_type, file_name, canonical_url, check_state,
        created_at, last_used_at)
      select ${account}, 'url', 'Clip ' || n, 'https://example.com/' || n, 'ready', now(), now()
      from generate_series(1, ${items}) n returning id
    ), numbered as (
      select id, row_number() over () % 3 as third, gen_random_uuid() as job,
        gen_random_uuid() as result
      from added
    ), placed as (
      insert into jobs (id, account_id, status, content_id, content_url, content_name, workflow,
        price_version, quoted_seconds, media_seconds, held_micros, created_at, finished_at)
      select job, ${account}, (array['completed', 'running', 'failed'])[third + 1], id, '', '',
        'transcription', '1', 1, 1, 0, now(), case when third <> 1 then now() end
      from numbered
    ), found as (
      insert into job_results (id, account_id, content_sha256, extractor, version, params, findings,
        media, seconds, created_at)
      select result, ${account}, '', 'transcription', '1', '', '{}', '{}', 1, now()
      from numbered where third = 0
    ), shelf as (
      insert into job_shelves (account_id) values (${account}) returning id
    ), said as (
      insert into job_passages (result_id, account_id, shelf, kind, start_frame, end_frame,
        start_seconds, text)
      select result, ${account}, shelf.id, 'word', n, n, 0, 'Elbe'
      from numbered, shelf, generate_series(1, 5) n where third = 0
    )
    insert into job_extractors (job_id, extractor, position, status, micros_per_second,
      quoted_micros, result_id)
    select job, 'transcription', 0, (array['done', 'running', 'failed'])[third + 1], 0, 0,
      case when third = 0 then result end
    from numbered
  `.execute(database.db)
  return account
}
