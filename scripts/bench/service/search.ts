/**
 * `npm run bench -- search [HOURS]`: the median time of a search in an account with 1,000 hours of
 * footage, and in a small account beside it, as a ratio to reading one row by its primary key just
 * before each search. Speech is made of words as frequent as in a language: few everywhere, most of
 * them rare. The command fails where a search takes more than ten times as long.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { passagesOfShelf } from '../../../server/results/index-passages.ts'
import { search } from '../../../server/findings/search.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { TestServer, TestUser } from '../../../test/support/app.ts'
import { median, print, quantile } from '../figures.ts'

const maxRatio = 10
const clipsPerHour = 2
const sentencesPerClip = 450
const shotsPerClip = 300
const wordsPerSentence = 10
const vocabulary = 20_000
const times = 21

/** A word of the vocabulary is its number, spelled in syllables. */
const syllables = ['ba', 'ko', 'ri', 'tu', 'ne', 'sa', 'mi', 'lo', 've', 'da']
const spelled = syllables.reduce<RawBuilder<string>>(
  (text, syllable, digit) => sql`replace(${text}, ${String(digit)}, ${syllable})`,
  sql`floor(${vocabulary}::int * power(random(), 3))::int::text`,
)

/** Queries; the first three are said somewhere, the next stand in names of clips. */
const questions: Record<string, string[]> = {
  'a rare word': [spell('15001'), spell('17003'), spell('19007')],
  'two words of one sentence': ['harbour ferryman', 'ferryman crossing', 'crossing harbour'],
  'a common word': [spell('3'), spell('40'), spell('500')],
  'a clip’s name': ['clip 17', 'clip 111', 'clip 5'],
  'a word that was spelled wrong': ['haburor', 'ferrymen', 'crosing'],
  'a word that nobody said': ['quixotic', 'zephyr', 'xylograph'],
}

export async function run(args: string[] = []): Promise<void> {
  const hours = Number(args[0] ?? 1000)
  await using server = await startTestServer()
  const [large, small] = [await server.user(), await server.user()]
  await withoutIndexes(server, async () => {
    await fillAccount(server, large, hours)
    await fillAccount(server, small, 1)
  })
  await sql`analyze`.execute(server.ctx.db)
  const ratios: number[] = []
  for (const [name, asked] of Object.entries(questions)) {
    const inLarge = await compare(server, large, asked)
    const inSmall = await compare(server, small, asked)
    ratios.push(...inLarge)
    console.log(`search: ${name}: ${text(inLarge)} in ${hours} h, ${text(inSmall)} in 1 h`)
  }
  print(`search: p50 of all in ${hours} h / a row by its key`, median(ratios), { max: maxRatio })
}

function spell(numbers: string): string {
  return numbers.replace(/\d/g, (digit) => syllables[Number(digit)] ?? '')
}

function text(ratios: number[]): string {
  return ratios.map((ratio) => ratio.toFixed(1)).join(', ')
}

/** The median time of each question ÷ that of the row, by turns: the machine's pace changes. */
async function compare(server: TestServer, user: TestUser, asked: string[]): Promise<number[]> {
  const actor = { kind: 'session', accountId: user.accountId } as Parameters<typeof search>[1]
  const ratios: number[] = []
  for (const q of asked) {
    const measured: { rowMs: number; searchMs: number }[] = []
    for (let time = 0; time <= times; time += 1) {
      const rowMs = await msOf(() =>
        sql`select * from accounts where id = ${user.accountId}`.execute(server.ctx.db),
      )
      const searchMs = await msOf(() => search(server.ctx, actor, { query: { q, limit: 20 } }))
      measured.push({ rowMs, searchMs })
    }
    // The first ones meet a cold cache.
    const median = (name: 'rowMs' | 'searchMs'): number =>
      quantile(
        measured.slice(1).map((item) => item[name]),
        0.5,
      )
    ratios.push(median('searchMs') / median('rowMs'))
  }
  return ratios
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** A million rows are written in a tenth of the time where the indexes are made afterwards. */
async function withoutIndexes(server: TestServer, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename = 'job_passages' and indexdef like '%USING gin%'`.execute(server.ctx.db)
  for (const { indexname } of rows)
    await sql`drop index ${sql.ref(indexname)}`.execute(server.ctx.db)
  await work()
  await server.ctx.db.connection().execute(async (db) => {
    await sql`set statement_timeout = 0`.execute(db)
    for (const { indexdef } of rows) await sql.raw(indexdef).execute(db)
    await sql`reset statement_timeout`.execute(db)
  })
}

/** Jobs with speech and shots, written by the database itself. */
async function fillAccount(server: TestServer, user: TestUser, hours: number): Promise<void> {
  const { accountId } = user
  const clips = hours * clipsPerHour
  await server.ctx.db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    const clipsOfShelf = Math.ceil(passagesOfShelf / (sentencesPerClip + shotsPerClip))
    await sql`
      insert into job_shelves (account_id)
      select ${accountId} from generate_series(1, ${Math.ceil(clips / clipsOfShelf)}::int)`.execute(
      trx,
    )
    await sql`
      create temporary table clips on commit drop as
      select n, gen_random_uuid() as job_id, gen_random_uuid() as speech_id,
        gen_random_uuid() as shots_id, shelf.id as shelf
      from generate_series(1, ${clips}::int) n
      join (
        select id, row_number() over (order by id) - 1 as place from job_shelves
        where account_id = ${accountId}
      ) shelf on shelf.place = (n - 1) / ${clipsOfShelf}::int`.execute(trx)
    await sql`
      insert into jobs (id, account_id, status, content_url, content_name, workflow, price_version,
        quoted_seconds, media_seconds, held_micros, created_at, finished_at)
      select job_id, ${accountId}, 'completed', 'https://example.com/' || n, 'Clip ' || n || '.mp4',
        'transcription,shots', '1', 1800, 1800, 0, now(), now()
      from clips`.execute(trx)
    for (const [extractor, id] of [
      ['transcription', sql.ref('speech_id')],
      ['shots', sql.ref('shots_id')],
    ] as const) {
      await sql`
        insert into job_results (id, account_id, content_sha256, extractor, version, params, findings,
          media, seconds, created_at)
        select ${id}, ${accountId}, md5(n::text), ${extractor}, '1', '{}', '{}', '{}', 1800, now()
        from clips`.execute(trx)
      await sql`
        insert into job_extractors (job_id, extractor, position, status, micros_per_second,
          quoted_micros, result_id)
        select job_id, ${extractor}, 0, 'done', 0, 0, ${id} from clips`.execute(trx)
    }
    await sql`
      insert into job_passages (result_id, account_id, shelf, kind, start_frame, end_frame,
        start_seconds, text)
      select speech_id, ${accountId}, shelf, 'word', s * 100, s * 100 + 100, s * 4,
        case when n % 50 = 1 and s = 7 then 'Harbour ferryman crossing ' else '' end || (
          select string_agg(${spelled}, ' ')
          from generate_series(1, ${wordsPerSentence}::int) w where n > 0 and s > 0)
      from clips, generate_series(1, ${sentencesPerClip}::int) s`.execute(trx)
    await sql`
      insert into job_passages (result_id, account_id, shelf, kind, start_frame, end_frame,
        start_seconds, text)
      select shots_id, ${accountId}, shelf, 'shot', s * 150, s * 150 + 150, s * 6,
        'Shot ' || s || ' · 150 frames'
      from clips, generate_series(1, ${shotsPerClip}::int) s`.execute(trx)
  })
}
