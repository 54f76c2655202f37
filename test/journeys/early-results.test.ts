/** Results read before a job's end are paid for; results that nobody read cost nothing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Media } from '../../domain/findings/findings.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { previewName } from '../../engine/parts/artifacts.ts'
import { endJob } from '../../server/jobs/end.ts'
import { insertResult } from '../../server/results/store-result.ts'
import { eraseAccount } from '../../server/privacy/erase.ts'
import type { TestUser } from '../support/app.ts'
import { openWorks } from '../support/job-app.ts'
import { isWholeRun } from '../support/slow.ts'
import { use } from '../support/use.ts'

const fault = { code: 'internal', message: 'Sorry. Nothing was charged.' } as const
/** Prices of the clip of four seconds, in micro-dollars. */
const prices = { ffprobe: 4000, thumbnail: 20_000, shots: 12_000, transcription: 40_000 } as const
type Asked = keyof typeof prices

const sampleFile = resolve(import.meta.dirname, '../../assets/sample-findings/findings.json')
const sample = JSON.parse(readFileSync(sampleFile, 'utf8')) as {
  media: Media
  findings: Record<Asked, unknown>
}

const works = use(openWorks)

async function chargedOf(jobId: string): Promise<number[]> {
  const { rows } = await works.server.ctx.pool.query<{ amount: number }>(
    `select -amount_micros as amount from ledger_transactions
     where job_id = $1 and kind = 'capture'`,
    [jobId],
  )
  return rows.map(({ amount }) => amount)
}

describe('findings that are read before a job fails', { timeout: 300_000 }, () => {
  /** The job stands still when everything is found and nothing is charged. */
  async function failAfter(read: (user: TestUser, id: string) => Promise<unknown>): Promise<Job> {
    const user = await works.server.user(`${randomUUID()}@example.com`)
    const { id: contentId } = await works.upload(user.token, works.clip)
    works.onStep = async (step, { job }) => {
      if (step !== 'end-begun') return
      await read(user, job.id)
      const ending = { jobId: job.id, reason: 'failed', cause: fault } as const
      await works.server.ctx.db
        .transaction()
        .execute((trx) => endJob(works.server.ctx, trx, ending))
    }
    const job = await works.runJob(user, contentId, 'shots,thumbnail')
    works.onStep = () => undefined
    assert.deepEqual(await chargedOf(job.id), job.cost_usd > 0 ? [job.cost_usd * 1e6] : [])
    assert.equal((await works.balanceOf(user)).held, 0)
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const paid = job.extractors.filter((extractor) => extractor.cost_usd > 0).map((item) => item.id)
    assert.deepEqual(
      Object.keys(results)
        .filter((name) => name !== 'media')
        .sort(),
      paid.sort(),
    )
    return job
  }

  it('nothing was read: it costs nothing and leaves nothing', async () => {
    const job = await failAfter(async (user, id) => user.client.getJob({ params: { id } }))
    assert.deepEqual([job.status, job.cost_usd], ['failed', 0])
  })

  const doors: Record<string, [(user: TestUser, id: string) => Promise<unknown>, Asked[]]> = {
    'one extractor’s findings': [
      (user, id) => user.client.getJobResults({ params: { id }, query: { extractor: 'shots' } }),
      ['shots'],
    ],
    'corrected findings': [
      (user, id) =>
        user.client.getJobResults({
          params: { id },
          query: { extractor: 'shots', corrected: 'true' },
        }),
      ['shots'],
    ],
    'an export': [
      (user, id) => works.server.fetch(`/v1/jobs/${id}/export?format=edl`, { token: user.token }),
      ['shots', 'thumbnail'],
    ],
    'a poster': [
      (user, id) => works.server.fetch(`/v1/jobs/${id}/files/poster.jpg`, { token: user.token }),
      ['thumbnail'],
    ],
    'a search hit': [
      async (user) => {
        const { hits } = await user.client.search({ query: { q: 'shot', limit: 10 } })
        assert.ok(
          hits.some(({ kind }) => kind === 'shot'),
          JSON.stringify(hits),
        )
      },
      ['shots'],
    ],
    'an agent’s look': [
      async (user, id) => {
        const { apiKey } = await user.client.createApiKey({ body: { name: 'agent' } })
        const headers = { authorization: `Bearer ${apiKey.key}` }
        const agent = new Client({ name: 'test', version: '1' })
        const address = new URL(`${works.server.url}/mcp`)
        await agent.connect(
          new StreamableHTTPClientTransport(address, { requestInit: { headers } }),
        )
        const key = { job_id: id, extractor: 'shots' }
        const answer = await agent.callTool({ name: 'findings', arguments: key })
        assert.match(JSON.stringify(answer.content), /timecode/)
      },
      ['shots'],
    ],
  }
  for (const [name, [read, paid]] of Object.entries(doors)) {
    it(`${name}: it is completed in part, and that is paid for`, async () => {
      const job = await failAfter(read)
      assert.deepEqual([job.status, job.partial], ['completed', paid.length < 2])
      const due = paid.reduce((sum, id) => sum + prices[id], 0)
      assert.equal(Math.round(job.cost_usd * 1e6), due)
    })
  }
})

/** Other bytes: an empty atom of its own at the end. */
function newClip(): Buffer {
  const name = Buffer.from(randomUUID())
  const atom = Buffer.alloc(8)
  atom.writeUInt32BE(8 + name.length)
  atom.write('free', 4)
  return Buffer.concat([works.clip, atom, name])
}

const workflow: Asked[] = ['ffprobe', 'shots', 'transcription']

/** Random acts of a person and the service on one job, and what it must cost by the rules alone. */
interface Film {
  id: string
  contentId: string
  /** Seconds of each speech part. */
  seconds: number[]
  heard: Set<number>
  readParts: Set<number>
  done: Set<Asked>
  readFindings: Set<Asked>
  isEnded: boolean
  dueMicros: number
}

function dueOf(film: Film, how: 'canceled' | 'failed'): number {
  const kept = how === 'canceled' ? film.done : new Set(film.readFindings)
  const isAllRead = film.readParts.size === film.seconds.length
  if (isAllRead && film.done.has('transcription')) kept.add('transcription')
  const finished = [...kept].reduce((sum, id) => sum + prices[id], 0)
  if (how === 'failed' || film.done.has('transcription')) return finished
  const all = film.seconds.reduce((sum, second) => sum + second, 0)
  const read = [...film.readParts].reduce((sum, part) => sum + film.seconds[part]!, 0)
  return finished + (prices.transcription * read) / all
}

describe('words and findings of films in any order', { timeout: 600_000 }, () => {
  const rounds = isWholeRun ? 60 : 12
  const met = new Set<string>()

  it('cost what was read of them, never more than the hold', async () => {
    // No worker takes what is placed here.
    await works.server.ctx.pool.query(`create function keep_waiting() returns trigger
      language plpgsql as $$ begin new.not_before = now() + interval '1 day'; return new; end $$`)
    await works.server.ctx.pool.query(`create trigger keep_waiting before insert on work
      for each row execute function keep_waiting()`)
    for (let seed = 1; seed <= rounds; seed += 1) await playRound(seed)
    // Failures after something was read have tests of their own above.
    for (const name of ['canceled', 'retried', 'withdrawn', 'deleted', 'erased']) {
      assert.ok(met.has(name), `no job was ${name} after something was read`)
    }
  })

  async function playRound(seed: number): Promise<void> {
    const below = randomFrom(seed)
    const user = await works.server.user(`${randomUUID()}@example.com`)
    const films: Film[] = []
    const trace: string[] = []
    let isErased = false
    for (let move = 0; move < 24 && !isErased; move += 1) {
      const film = films.at(-1)
      const moves = film ? (film.isEnded ? afterEnd : whileOpen) : [place]
      const next = moves[below(moves.length)]!
      trace.push(next.name)
      isErased = (await next({ user, film: film!, films, below })) === 'erased'
      for (const film of films) await check(film, `seed ${seed}: ${trace.join(', ')}`)
    }
    if (isErased) return
    const last = films.at(-1)
    if (last && !last.isEnded) await cancel({ user, film: last, films, below })
    const spent = films.reduce((sum, film) => sum + film.dueMicros, 0)
    const balance = await works.balanceOf(user)
    assert.equal(balance.held, 0, trace.join(', '))
    assert.ok(Math.abs(5_000_000 - spent - balance.available) <= films.length, trace.join(', '))
  }

  /** Shares are rounded down to the micro-dollar. */
  async function check(film: Film, what: string): Promise<void> {
    const charged = await chargedOf(film.id)
    const sum = charged.reduce((total, amount) => total + amount, 0)
    const hold = workflow.reduce((total, id) => total + prices[id], 0)
    assert.ok(charged.length <= 1 && sum <= hold, `${what}: ${charged.join()}`)
    const due = film.isEnded ? film.dueMicros : 0
    assert.ok(Math.abs(sum - due) < 1.5, `${what}: charged ${sum}, due ${due}`)
  }

  interface Move {
    user: TestUser
    film: Film
    films: Film[]
    below: (limit: number) => number
  }

  async function place({ user, films, below }: Move): Promise<void> {
    const { id: contentId } = await works.upload(user.token, newClip())
    const body = { content_id: contentId, workflow: workflow.join() }
    const { job } = await user.client.createJob({ body })
    films.push(await begin(job.id, contentId, below))
  }

  async function begin(id: string, contentId: string, below: Move['below']): Promise<Film> {
    const { ctx } = works.server
    const seconds = Array.from({ length: 1 + below(4) }, () => 1 + below(600))
    await ctx.pool.query(
      `update jobs set status = 'running', started_at = $2, claimed_at = $2 where id = $1`,
      [id, new Date(ctx.now().getTime() + 3_600_000)],
    )
    await ctx.pool.query(
      `insert into work (job_id, account_id, kind, position, seconds, turn)
       select j.id, j.account_id, 'speech', at - 1, length, at
       from jobs j, unnest($2::real[]) with ordinality as part (length, at) where j.id = $1`,
      [id, seconds],
    )
    const none = { heard: new Set<number>(), readParts: new Set<number>() }
    const nothing = { done: new Set<Asked>(), readFindings: new Set<Asked>() }
    return { id, contentId, seconds, ...none, ...nothing, isEnded: false, dueMicros: 0 }
  }

  async function hear({ film, below }: Move): Promise<void> {
    const part = below(film.seconds.length)
    if (film.heard.has(part)) return
    film.heard.add(part)
    const { ctx } = works.server
    const text = JSON.stringify({ start: part, end: part + 1, paragraphs: [] })
    const file = join(works.folder, randomUUID())
    await writeFile(file, text)
    const key = `parts/${randomUUID()}/${previewName}`
    await ctx.storage.putFile(key, file)
    await ctx.pool.query(
      `insert into work_files (work_id, name, storage_key, bytes)
       select id, $3, $4, $5 from work where job_id = $1 and kind = 'speech' and position = $2`,
      [film.id, part, previewName, key, text.length],
    )
  }

  async function readWords({ user, film, below }: Move): Promise<void> {
    const from = below(3) === 0 ? below(film.seconds.length) : 0
    const query = { from_part: from }
    const { heard } = await user.client.getTranscriptSoFar({ params: { id: film.id }, query })
    const parts = heard.map(({ part }) => part)
    assert.ok(parts.every((part) => part >= from && film.heard.has(part)))
    for (const part of parts) film.readParts.add(part)
  }

  async function finishOne({ film, below }: Move): Promise<void> {
    const left = workflow.filter((id) => !film.done.has(id))
    const extractor = left[below(left.length)]
    if (!extractor) return
    film.done.add(extractor)
    const { ctx } = works.server
    await ctx.db.transaction().execute(async (trx) => {
      const { account_id: accountId } = await trx
        .selectFrom('jobs')
        .select('account_id')
        .where('id', '=', film.id)
        .executeTakeFirstOrThrow()
      const result = { id: randomUUID(), accountId, sha256: film.id, extractor, version: '1' }
      const rest = { params: '{}', media: sample.media, seconds: 4, files: [], now: ctx.now() }
      await insertResult(trx, { ...result, ...rest, findings: sample.findings[extractor] })
      await trx
        .updateTable('job_extractors')
        .set({ status: 'done', progress: 1, result_id: result.id, seconds: 4 })
        .set({ cost_micros: prices[extractor] })
        .where('job_id', '=', film.id)
        .where('extractor', '=', extractor)
        .execute()
    })
  }

  async function readFindings({ user, film, below }: Move): Promise<void> {
    const id = workflow[below(workflow.length)]!
    const query = { extractor: id }
    const { results } = await user.client.getJobResults({ params: { id: film.id }, query })
    assert.equal(results[id] !== undefined, film.done.has(id))
    if (film.done.has(id)) film.readFindings.add(id)
  }

  function end(film: Film, how: 'canceled' | 'failed', name: string = how): void {
    film.dueMicros = dueOf(film, how)
    film.isEnded = true
    const finished = [...film.done].reduce((sum, id) => sum + prices[id], 0)
    const hasWords = how === 'canceled' && film.dueMicros > finished
    if (hasWords || (how === 'failed' && film.dueMicros > 0)) met.add(name)
  }

  async function cancel({ user, film }: Move): Promise<void> {
    await user.client.cancelJob({ params: { id: film.id } })
    end(film, 'canceled')
  }

  async function failByFault({ film }: Move): Promise<void> {
    const { ctx } = works.server
    const ending = { jobId: film.id, reason: 'failed', cause: fault } as const
    await ctx.db.transaction().execute((trx) => endJob(ctx, trx, ending))
    end(film, 'failed')
  }

  /** The next worker that opens the clip does not find it. */
  async function deleteContent({ user, film }: Move): Promise<void> {
    await user.client.deleteContent({ params: { id: film.contentId } })
    const { ctx } = works.server
    const cause = { code: 'fetch_failed', message: 'The content was deleted.' } as const
    const ending = { jobId: film.id, reason: 'failed', cause } as const
    const isRead = film.readParts.size > 0 && !film.done.has('transcription')
    await ctx.db.transaction().execute((trx) => endJob(ctx, trx, ending))
    end(film, isRead ? 'canceled' : 'failed', isRead ? 'withdrawn' : 'failed')
  }

  async function deleteOpen({ user, film }: Move): Promise<void> {
    await assert.rejects(user.client.deleteJob({ params: { id: film.id } }), { status: 409 })
  }

  async function deleteEnded({ user, film, films, below }: Move): Promise<void> {
    await user.client.deleteJob({ params: { id: film.id } })
    if (film.dueMicros > 0) met.add('deleted')
    await place({ user, film, films, below })
  }

  async function readEnded({ user, film }: Move): Promise<void> {
    const params = { id: film.id }
    const words = await user.client.getTranscriptSoFar({ params, query: {} }).catch(() => null)
    assert.deepEqual(words?.heard ?? [], [])
  }

  async function retry({ user, film, films, below }: Move): Promise<void> {
    const retried = await user.client.retryJob({ params: { id: film.id } }).catch(() => null)
    if (retried && film.dueMicros > 0) met.add('retried')
    if (retried) films.push(await begin(retried.job.id, film.contentId, below))
  }

  async function erase({ user, film }: Move): Promise<'erased'> {
    await eraseAccount(works.server.ctx, user.accountId)
    if (!film.isEnded) end(film, 'canceled', 'erased')
    return 'erased'
  }

  const words = [hear, readWords, hear, readWords]
  const findings = [finishOne, readFindings]
  const ends = [cancel, cancel, failByFault, deleteContent]
  const whileOpen = [...words, ...words, ...findings, ...ends, deleteOpen, erase]
  const afterEnd = [place, place, retry, retry, retry, deleteEnded, deleteEnded, readEnded]
})

function randomFrom(seed: number): (limit: number) => number {
  let state = seed * 7919
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}
