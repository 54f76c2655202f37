import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makeClip } from '../../engine/clips.testing.ts'
import type { CallError } from '../../contract/endpoint.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import type { Quote } from '../../contract/footage/quotes.ts'
import { actFor } from '../../server/ground/actor.ts'
import { createApiKey } from '../../server/api-keys/create.ts'
import { readBalance } from '../../server/billing/balance.ts'
import { startTestServer } from '../support/app.ts'
import { readEvents } from '../support/read-events.ts'
import { openWorks } from '../support/job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { uploadFile } from '../support/upload.ts'

interface Answers {
  quote: Quote
  job: Job
  results: Partial<Findings>
}

describe('jobs', { timeout: 300_000 }, () => {
  const works = use(openWorks)

  it('an API key goes from an upload to an EDL and pays exactly the quote, then nothing', async () => {
    const user = await works.server.user()
    const { apiKey } = await createApiKey(
      works.server.ctx,
      actFor(user.accountId),
      { body: { name: 'Script', expiresInDays: 30, mode: 'live' } },
      { effectId: undefined },
    )
    const token = apiKey.key
    const call = async (path: string, body?: object): Promise<Answers> => {
      const init = body
        ? {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          }
        : {}
      const answer = await works.server.fetch(`/v1${path}`, { ...init, token })
      assert.ok(answer.ok, `${path} answered ${answer.status}`)
      return (await answer.json()) as Answers
    }
    const content = await works.upload(token, works.clip)
    const request = { content_url: content.canonical_url, workflow: 'ffprobe,shots' }
    const { quote } = await call('/jobs/quote', request)
    assert.equal(quote.seconds, 4)
    assert.equal(quote.total_usd, 0.016)
    assert.equal(quote.available_usd, 5)
    const { job } = await call('/jobs', request)
    // A worker may have taken it already.
    assert.ok(['queued', 'processing', 'running'].includes(job.status), job.status)
    assert.equal(job.held_usd, 0.016)
    const stream = await works.server.fetch(`/v1/jobs/${job.id}/events`, { token })
    const seen = await readEvents(stream)
    const states = seen.map(({ data }) => data as Job)
    assert.equal(states.at(-1)?.status, 'completed')
    assert.ok(states.every((state, at) => at === 0 || state.progress >= states[at - 1]!.progress))
    const { results } = await call(`/jobs/${job.id}/results`)
    const changes = results.shots?.changes ?? []
    assert.deepEqual(
      changes.map(({ type, start_frame: frame }) => ({ type, frame })),
      [{ type: 'cut', frame: 50 }],
    )
    const edl = await works.server.fetch(`/v1/jobs/${job.id}/export?format=edl`, { token })
    assert.equal(edl.status, 200)
    assert.match(
      edl.headers.get('content-disposition') ?? '',
      /^attachment; filename="clip.*\.edl"/,
    )
    assert.match(await edl.text(), /01:00:02:00 01:00:04:00 01:00:02:00 01:00:04:00/)
    assert.equal((await user.client.getMe()).account_balance_usd, 4.984)

    const { job: again } = await call('/jobs', request)
    assert.equal(again.status, 'completed')
    assert.equal(again.cost_usd, 0)
    assert.deepEqual(
      again.extractors.map(({ status }) => status),
      ['reused', 'reused'],
    )
    assert.equal((await user.client.getMe()).account_balance_usd, 4.984)
    const { transactions } = await user.client.listBillingHistory({ query: { type: 'charge' } })
    assert.deepEqual(
      transactions.map(({ amount_usd: usd, job_id: id }) => ({ usd, id })),
      [{ usd: -0.016, id: job.id }],
    )
    const named = transactions.every((row) => row.description.startsWith(`${job.content_name}: `))
    assert.ok(named, transactions[0]?.description ?? 'no charge')
  })

  it('refuses what is too long or cannot be paid, and creates nothing', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const body = { content_id: content.id, workflow: 'transcription' }
    const lengthen = (seconds: number) =>
      works.server.ctx.db
        .updateTable('content')
        .set({ media: JSON.stringify({ ...content.media, duration: seconds }) })
        .where('id', '=', content.id)
        .execute()
    await lengthen(6 * 3600 + 1)
    await assert.rejects(
      user.client.createJob({ body }),
      (error: CallError) => error.status === 422 && error.code === 'too_long',
    )
    await lengthen(600)
    await assert.rejects(
      user.client.createJob({ body }),
      (error: CallError) =>
        error.status === 402 &&
        error.code === 'insufficient_credit' &&
        error.body.required_usd === 6 &&
        error.body.available_usd === 5,
    )
    assert.deepEqual((await user.client.listJobs({ query: {} })).jobs, [])
    assert.deepEqual(await works.balanceOf(user), { available: 5_000_000, held: 0 })
  })

  it('refuses before any hold: wrong workflow, YouTube without a downloader, foreign content', async () => {
    const user = await works.server.user()
    const other = await works.server.user()
    const content = await works.upload(other.token, works.clip)
    const refused: [object, number, string, RegExp][] = [
      [{ content_url: 'https://example.com/a.mp4', workflow: 'ocr' }, 422, 'invalid', /"ocr"/],
      [{ content_url: '  ', workflow: 'shots' }, 422, 'invalid', /^Please enter a content URL$/],
      [{ workflow: 'shots' }, 422, 'invalid', /^Please enter a content URL$/],
      [
        { content_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', workflow: 'shots' },
        422,
        'unsupported_source',
        /YouTube/,
      ],
      [{ content_id: content.id, workflow: 'shots' }, 404, 'not_found', /not found/],
      [{ content_url: content.canonical_url, workflow: 'shots' }, 404, 'not_found', /not found/],
      [
        { content_url: 'http://127.0.0.1:9/none.mp4', workflow: 'shots' },
        422,
        'fetch_failed',
        /could not fetch/,
      ],
    ]
    for (const [body, status, code, message] of refused) {
      for (const path of ['/v1/jobs', '/v1/jobs/quote']) {
        const answer = await works.server.fetch(path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
          token: user.token,
        })
        const answered = (await answer.json()) as { code: string; message: string }
        assert.deepEqual([answer.status, answered.code], [status, code], JSON.stringify(answered))
        assert.match(answered.message, message)
      }
    }
    assert.equal((await works.balanceOf(user)).held, 0)
  })

  it('a missing track is skipped at no cost; alone, it fails the job at no cost', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.silentClip, 'silent.mp4')
    const some = await works.runJob(user, content.id, 'ffprobe,transcription')
    assert.equal(some.status, 'completed')
    assert.equal(some.partial, false)
    assert.equal(some.cost_usd, 0.004)
    assert.deepEqual(
      some.extractors.map(({ status, cost_usd: usd }) => [status, usd]),
      [
        ['done', 0.004],
        ['skipped', 0],
      ],
    )
    assert.match(some.extractors[1]?.warning ?? '', /audio|sound/)
    const none = await works.runJob(user, content.id, 'transcription')
    assert.equal(none.status, 'failed')
    assert.equal(none.error?.code, 'no_audio')
    assert.equal(none.cost_usd, 0)
    assert.deepEqual(await works.balanceOf(user), { available: 4_996_000, held: 0 })
  })

  it('charges a canceled job for the extractors that had finished only', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    let canceled: Promise<{ job: Job }> | undefined
    works.onStep = async (step, { job }) => {
      if (step !== 'result-kept' || canceled) return
      canceled = user.client.cancelJob({ params: { id: job.id } })
      await canceled
    }
    const job = await works.runJob(user, content.id, 'ffprobe,shots')
    works.onStep = () => undefined
    await canceled
    assert.equal(job.status, 'canceled')
    assert.equal(job.cost_usd, 0.004)
    assert.deepEqual(
      job.extractors.map(({ status }) => status),
      ['done', 'skipped'],
    )
    assert.deepEqual(await works.balanceOf(user), { available: 4_996_000, held: 0 })
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    assert.ok(results.ffprobe && !results.shots)
    const { job: retried } = await user.client.retryJob({ params: { id: job.id } })
    assert.equal(retried.retry_of, job.id)
    const ended = await works.untilEnded(user, retried.id)
    assert.equal(ended.status, 'completed')
    assert.equal(ended.cost_usd, 0.012)
    await assert.rejects(
      user.client.cancelJob({ params: { id: ended.id } }),
      (error: CallError) => error.status === 409,
    )
  })

  it('costs nothing when it breaks three times, whatever had been found by then', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    works.onStep = (step, { job }) => {
      const isTime = step === 'analysis-over' || (step === 'running' && job.attempt > 1)
      if (isTime) throw new Error('an internal fault')
    }
    const job = await works.runJob(user, content.id, 'ffprobe')
    works.onStep = () => undefined
    assert.equal(job.status, 'failed')
    assert.deepEqual(
      job.extractors.map(({ status, cost_usd }) => [status, cost_usd]),
      [['done', 0]],
    )
    assert.equal(job.cost_usd, 0)
    assert.deepEqual(await works.balanceOf(user), { available: 5_000_000, held: 0 })
  })

  it(
    'charges what was found before the content was deleted under a second attempt',
    slow,
    async () => {
      const user = await works.server.user()
      const { id } = await works.upload(user.token, works.clip)
      works.onStep = async (step) => {
        if (step !== 'result-kept') return
        works.onStep = () => undefined
        await user.client.deleteContent({ params: { id } })
        throw new Error('an internal fault')
      }
      const job = await works.runJob(user, id, 'ffprobe,shots')
      assert.equal(job.status, 'completed')
      assert.equal(job.partial, true)
      assert.deepEqual(
        job.extractors.map(({ id: extractor, status, cost_usd }) => [extractor, status, cost_usd]),
        [
          ['ffprobe', 'done', 0.004],
          ['shots', 'failed', 0],
        ],
      )
      assert.equal((await user.client.getMe()).account_balance_usd, 4.996)
    },
  )

  it('tells an account of its jobs and its balance as they change', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const stop = new AbortController()
    const stream = await works.server.fetch('/v1/events', {
      token: user.token,
      signal: stop.signal,
    })
    // Nothing goes on before the account has heard of the hold.
    const opened = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    works.onStep = () => held.promise
    const reading = readEvents(stream, ({ event, data }) => {
      if (event === 'balance') opened.resolve()
      if (event === 'balance' && (data as { held_usd: number }).held_usd > 0) held.resolve()
      return event === 'job' && (data as Job).status === 'completed'
    })
    await opened.promise
    const job = await works.runJob(user, content.id, 'ffprobe')
    const events = await reading
    works.onStep = () => undefined
    stop.abort()
    const states = events.filter(({ event }) => event === 'job').map(({ data }) => data as Job)
    assert.ok(states.every(({ id }) => id === job.id))
    const balances = events.filter(({ event }) => event === 'balance').map(({ data }) => data)
    assert.deepEqual(balances.at(0), { account_balance_usd: 5, held_usd: 0 })
    assert.deepEqual(balances.at(1), { account_balance_usd: 4.996, held_usd: 0.004 })
  })
})

describe('jobs without a worker', { timeout: 120_000 }, () => {
  let isStopped = false
  const server = use(startTestServer, (opened) => isStopped || opened.stop())

  it('parallel requests cannot spend more than there is', async () => {
    const user = await server.user()
    const folder = await mkdtemp(join(tmpdir(), 'cutindex-jobs-'))
    const file = await makeClip(
      folder,
      '-f lavfi -i testsrc2=size=64x36:rate=5:duration=100 -c:v libx264 -preset ultrafast long.mp4',
    )
    const content = await uploadFile(server, user.token, await readFile(file), 'long.mp4')
    await rm(folder, { recursive: true })
    const body = { content_id: content.id, workflow: 'shots' }
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () =>
        user.client.createJob({ body }).then(
          () => 201,
          (error: CallError) => error.status,
        ),
      ),
    )
    // Each holds $0.30 of $5.
    assert.equal(outcomes.filter((status) => status === 201).length, 16)
    assert.equal(outcomes.filter((status) => status === 402).length, 14)
    const now = server.ctx.now()
    const { accountId } = user
    const balance = await readBalance(server.ctx.db, { accountId, now })
    assert.equal(balance.heldMicros, 4_800_000)
    const { jobs } = await user.client.listJobs({ query: { limit: 100 } })
    assert.equal(jobs.length, 16)
    for (const { id } of jobs) {
      const { job } = await user.client.cancelJob({ params: { id } })
      assert.equal(job.status, 'canceled')
    }
    const released = await readBalance(server.ctx.db, { accountId, now })
    assert.deepEqual([released.availableMicros, released.heldMicros], [5_000_000, 0])
  })

  it('ends open streams when the server stops, or it could not', async () => {
    const user = await server.user()
    const stream = await server.fetch('/v1/events', { token: user.token })
    const first = Promise.withResolvers<void>()
    const reading = readEvents(stream, () => {
      first.resolve()
      return false
    })
    await first.promise
    await server.stop()
    isStopped = true
    assert.equal((await reading)[0]?.event, 'balance')
  })
})
