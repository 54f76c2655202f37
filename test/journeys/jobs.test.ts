import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeClip } from '../../engine/clips.testing.ts'
import type { ContentItem } from '../../contract/content.ts'
import type { CallError } from '../../contract/endpoint.ts'
import type { Findings } from '../../contract/findings.ts'
import type { Job, Quote } from '../../contract/jobs.ts'
import { createApiKey } from '../../server/api-keys/create.ts'
import { readBalance } from '../../server/billing/balance.ts'
import { passagesOf } from '../../server/jobs/passages.ts'
import type { RunOptions } from '../../server/jobs/run.ts'
import { startWorking } from '../../server/jobs/work.ts'
import type { Worker } from '../../server/jobs/work.ts'
import { keepRetention } from '../../server/retention.ts'
import { startTestServer } from '../server.ts'
import type { TestServer, TestUser } from '../server.ts'
import { readEvents } from './read-events.ts'

interface Answers {
  quote: Quote
  job: Job
  results: Partial<Findings>
}

describe('jobs', { timeout: 300_000 }, () => {
  let server: TestServer
  let worker: Worker
  let folder: string
  let clip: Buffer
  let silentClip: Buffer
  let onStep: RunOptions['onStep'] = () => undefined

  before(async () => {
    server = await startTestServer()
    worker = await startWorking(server.ctx, {
      slots: 1,
      onStep: (step, of) => onStep(step, of),
    })
    folder = await mkdtemp(join(tmpdir(), 'cutindex-jobs-'))
    const picture = `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2
      -f lavfi -i color=red:size=160x90:rate=25:duration=2`
    const joined = '[0][1]concat=n=2:v=1[v] -map [v]'
    const codec = '-c:v libx264 -preset ultrafast -timecode 01:00:00:00'
    const made = await Promise.all([
      makeClip(
        folder,
        `${picture} -f lavfi -i sine=440:duration=4 -filter_complex ${joined} -map 2:a ${codec} -c:a aac clip.mp4`,
      ),
      makeClip(folder, `${picture} -filter_complex ${joined} ${codec} silent.mp4`),
    ])
    clip = await readFile(made[0])
    silentClip = await readFile(made[1])
  })
  after(async () => {
    await worker.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function upload(token: string, bytes: Buffer, name = 'clip.mp4'): Promise<ContentItem> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    const answer = await server.fetch('/v1/content/upload', { method: 'POST', body: form, token })
    assert.equal(answer.status, 201)
    return ((await answer.json()) as { content: ContentItem }).content
  }

  async function runJob(user: TestUser, contentId: string, workflow: string): Promise<Job> {
    const { job } = await user.client.createJob({ body: { content_id: contentId, workflow } })
    return untilEnded(user, job.id)
  }

  async function untilEnded(user: TestUser, id: string): Promise<Job> {
    for (;;) {
      const { job } = await user.client.getJob({ params: { id } })
      if (job.finished_at) return job
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  }

  async function balanceOf(user: TestUser): Promise<{ available: number; held: number }> {
    const now = server.ctx.now()
    const balance = await readBalance(server.ctx.db, { accountId: user.accountId, now })
    return { available: balance.availableMicros, held: balance.heldMicros }
  }

  it('an API key goes from an upload to an EDL and pays exactly the quote, then nothing', async () => {
    const user = await server.user()
    const { apiKey } = await createApiKey(server.ctx, user, {
      body: { name: 'Script', expiresInDays: 30 },
    })
    const token = apiKey.key
    const call = async (path: string, body?: object): Promise<Answers> => {
      const init = body
        ? {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          }
        : {}
      const answer = await server.fetch(`/v1${path}`, { ...init, token })
      assert.ok(answer.ok, `${path} answered ${answer.status}`)
      return (await answer.json()) as Answers
    }
    const content = await upload(token, clip)
    const request = { content_url: content.canonical_url, workflow: 'ffprobe,shots' }
    const { quote } = await call('/jobs/quote', request)
    assert.equal(quote.seconds, 4)
    assert.equal(quote.total_usd, 0.016)
    assert.equal(quote.available_usd, 5)
    const { job } = await call('/jobs', request)
    assert.equal(job.status, 'queued')
    assert.equal(job.held_usd, 0.016)
    const stream = await server.fetch(`/v1/jobs/${job.id}/events`, { token })
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
    const edl = await server.fetch(`/v1/jobs/${job.id}/export?format=edl`, { token })
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

  it('does not answer with what another speech model heard', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const body = { content_id: content.id, workflow: 'ffprobe,transcription' }
    const { job } = await user.client.createJob({ body })
    await readEvents(await server.fetch(`/v1/jobs/${job.id}/events`, { token: user.token }))
    const reused = async () =>
      (await user.client.quoteJob({ body })).quote.lines.map((line) => line.reused)
    assert.deepEqual(await reused(), [true, true])
    const model = join(folder, 'model')
    await mkdir(join(model, 'onnx'), { recursive: true })
    await writeFile(join(model, 'onnx/encoder_model.onnx'), 'other weights')
    server.ctx.config.speechModelDir = model
    assert.deepEqual(await reused(), [true, false])
    server.ctx.config.speechModelDir = null
    assert.deepEqual(await reused(), [true, true])
  })

  it('refuses what is too long or cannot be paid, and creates nothing', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const body = { content_id: content.id, workflow: 'transcription' }
    const lengthen = (seconds: number) =>
      server.ctx.db
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
    assert.deepEqual(await balanceOf(user), { available: 5_000_000, held: 0 })
  })

  it('refuses before any hold: wrong workflow, YouTube without a downloader, foreign content', async () => {
    const user = await server.user()
    const other = await server.user()
    const content = await upload(other.token, clip)
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
        const answer = await server.fetch(path, {
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
    assert.equal((await balanceOf(user)).held, 0)
  })

  it('a missing track is skipped at no cost; alone, it fails the job at no cost', async () => {
    const user = await server.user()
    const content = await upload(user.token, silentClip, 'silent.mp4')
    const some = await runJob(user, content.id, 'ffprobe,transcription')
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
    const none = await runJob(user, content.id, 'transcription')
    assert.equal(none.status, 'failed')
    assert.equal(none.error?.code, 'no_audio')
    assert.equal(none.cost_usd, 0)
    assert.deepEqual(await balanceOf(user), { available: 4_996_000, held: 0 })
  })

  it('charges a canceled job for the extractors that had finished only', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    let canceled: Promise<{ job: Job }> | undefined
    onStep = async (step, { job }) => {
      if (step !== 'result-kept' || canceled) return
      canceled = user.client.cancelJob({ params: { id: job.id } })
      await canceled
    }
    const job = await runJob(user, content.id, 'ffprobe,shots')
    onStep = () => undefined
    await canceled
    assert.equal(job.status, 'canceled')
    assert.equal(job.cost_usd, 0.004)
    assert.deepEqual(
      job.extractors.map(({ status }) => status),
      ['done', 'skipped'],
    )
    assert.deepEqual(await balanceOf(user), { available: 4_996_000, held: 0 })
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    assert.ok(results.ffprobe && !results.shots)
    const { job: retried } = await user.client.retryJob({ params: { id: job.id } })
    assert.equal(retried.retry_of, job.id)
    const ended = await untilEnded(user, retried.id)
    assert.equal(ended.status, 'completed')
    assert.equal(ended.cost_usd, 0.012)
    await assert.rejects(
      user.client.cancelJob({ params: { id: ended.id } }),
      (error: CallError) => error.status === 409,
    )
  })

  it('serves thumbnails by range to the bearer of a ticket, until the job is deleted', async () => {
    const user = await server.user()
    const other = await server.user()
    const content = await upload(user.token, clip)
    const job = await runJob(user, content.id, 'thumbnail')
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const name = results.thumbnail?.poster
    assert.ok(name)
    const path = `/v1/jobs/${job.id}/files/${name}`
    const { ticket } = await user.client.createFileTicket({ params: { id: job.id } })
    const whole = await server.fetch(`${path}?ticket=${ticket}`)
    assert.equal(whole.headers.get('content-type'), 'image/jpeg')
    const bytes = Buffer.from(await whole.arrayBuffer())
    const part = await server.fetch(path, { token: user.token, headers: { range: 'bytes=10-19' } })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20))
    const foreign = [
      path,
      `/v1/jobs/${job.id}`,
      `/v1/jobs/${job.id}/results`,
      `/v1/jobs/${job.id}/review`,
      `/v1/jobs/${job.id}/export?format=json`,
      `/v1/jobs/${job.id}/events`,
    ]
    for (const address of foreign) {
      assert.equal((await server.fetch(address, { token: other.token })).status, 404, address)
    }
    const again = await runJob(user, content.id, 'thumbnail')
    await user.client.deleteJob({ params: { id: job.id } })
    assert.equal((await server.fetch(path, { token: user.token })).status, 404)
    const shared = `/v1/jobs/${again.id}/files/${name}`
    assert.equal((await server.fetch(shared, { token: user.token })).status, 200)
    const stored = await server.ctx.db
      .selectFrom('job_result_files')
      .select('storage_key')
      .execute()
    await user.client.deleteJob({ params: { id: again.id } })
    for (const { storage_key: key } of stored) {
      await assert.rejects(server.ctx.storage.read(key), `${key} is still there`)
    }
  })

  it('keeps a review and takes it into the export', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const job = await runJob(user, content.id, 'shots')
    const select = { id: randomUUID(), name: 'Best part', start_frame: 10, end_frame: 35 }
    const review = {
      selects: [select],
      accepted_cut_frames: [],
      rejected_cut_frames: [],
      shot_threshold: null,
    }
    await user.client.saveReview({ params: { id: job.id }, body: review })
    assert.deepEqual((await user.client.getReview({ params: { id: job.id } })).review, review)
    const edl = await server.fetch(`/v1/jobs/${job.id}/export?format=edl&which=selects`, {
      token: user.token,
    })
    assert.match(await edl.text(), /01:00:00:10 01:00:01:10 01:00:00:00 01:00:01:00/)
    const window = await user.client.getJobResults({
      params: { id: job.id },
      query: { from_frame: 60, to_frame: 70 },
    })
    assert.deepEqual(window.results.shots?.changes, [])
    assert.deepEqual(
      window.results.shots?.shots.map((shot) => shot.start_frame),
      [50],
    )
    const srt = await server.fetch(`/v1/jobs/${job.id}/export?format=srt`, { token: user.token })
    assert.equal(srt.status, 422)
  })

  it('finds words to the frame, shots and names, and nothing of other accounts', async () => {
    const user = await server.user()
    const other = await server.user()
    const content = await upload(user.token, clip, 'Interview Lisbon.mp4')
    const job = await runJob(user, content.id, 'ffprobe,shots')
    await speak(job, 'The mayor was cutting the ribbon while pigeons watched')
    const find = async (q: string, of = user) => (await of.client.search({ query: { q } })).hits
    const [hit] = await find('cut ribbon')
    assert.equal(hit?.kind, 'word')
    assert.equal(hit.start_frame, 30)
    assert.equal(hit.timecode, '01:00:01:05')
    assert.equal(hit.job_id, job.id)
    const marked = hit.highlights.map(([from, to]) => hit.text.slice(from, to))
    assert.deepEqual(marked, ['cutting', 'ribbon'])
    assert.equal((await find('pigons'))[0]?.start_frame, 70)
    assert.equal((await find('pige'))[0]?.start_frame, 70)
    assert.equal((await find('lisbon'))[0]?.kind, 'name')
    assert.equal((await find('opening'))[0]?.kind, 'shot')
    assert.deepEqual(await find('ribbon', other), [])
    assert.deepEqual(await find('%'), [])
  })

  /** Speech as the transcription would leave it, one word every ten frames. */
  async function speak(job: Job, sentence: string): Promise<void> {
    const words = sentence.split(' ').map((text, index) => ({
      text,
      start_frame: index * 10,
      end_frame: index * 10 + 10,
      start_time: `${index * 10}/25`,
      end_time: `${index * 10 + 10}/25`,
      start: (index * 10) / 25,
      end: (index * 10 + 10) / 25,
      confidence: 1,
      speaker: null,
    }))
    const passages = passagesOf('transcription', {
      language: 'en',
      language_confidence: 1,
      text: sentence,
      words,
      sentences: [],
      paragraphs: [],
      model: 'test',
      word_times: 'model',
    })
    const { result_id: resultId } = await server.ctx.db
      .selectFrom('job_extractors')
      .select('result_id')
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow()
    const { account_id: accountId } = await server.ctx.db
      .selectFrom('jobs')
      .select('account_id')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    for (const passage of passages) {
      await server.ctx.db
        .insertInto('job_passages')
        .values({
          ...passage,
          words: JSON.stringify(passage.words),
          result_id: resultId ?? '',
          account_id: accountId,
        })
        .execute()
    }
  }

  it('lists by page, status, extractor, content and name', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const first = await runJob(user, content.id, 'ffprobe')
    const second = await runJob(user, content.id, 'shots')
    const list = async (query: Parameters<typeof user.client.listJobs>[0]['query']) => {
      const page = await user.client.listJobs({ query })
      return { ids: page.jobs.map((job) => job.id), next: page.next_cursor }
    }
    const page = await list({ limit: 1 })
    assert.deepEqual(page.ids, [second.id])
    assert.deepEqual(await list({ limit: 1, cursor: page.next ?? '' }), {
      ids: [first.id],
      next: null,
    })
    assert.deepEqual((await list({ extractor: 'ffprobe' })).ids, [first.id])
    assert.deepEqual((await list({ status: 'queued,running' })).ids, [])
    assert.deepEqual((await list({ content_id: content.id })).ids, [second.id, first.id])
    assert.deepEqual((await list({ q: 'CLIP' })).ids, [second.id, first.id])
    assert.deepEqual((await list({ q: 'c_ip' })).ids, [])
    await assert.rejects(list({ status: 'lost' }), (error: CallError) => error.status === 422)
  })

  it('tells an account of its jobs and its balance as they change', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const stop = new AbortController()
    const stream = await server.fetch('/v1/events', { token: user.token, signal: stop.signal })
    const reading = readEvents(stream, ({ event, data }) => {
      return event === 'job' && (data as Job).status === 'completed'
    })
    const job = await runJob(user, content.id, 'ffprobe')
    const events = await reading
    stop.abort()
    const states = events.filter(({ event }) => event === 'job').map(({ data }) => data as Job)
    assert.ok(states.every(({ id }) => id === job.id))
    const balances = events.filter(({ event }) => event === 'balance').map(({ data }) => data)
    assert.deepEqual(balances.at(0), { account_balance_usd: 5, held_usd: 0 })
    assert.deepEqual(balances.at(1), { account_balance_usd: 4.996, held_usd: 0.004 })
  })

  it('keeps results for a year and no longer', async () => {
    const user = await server.user()
    const content = await upload(user.token, clip)
    const job = await runJob(user, content.id, 'ffprobe')
    const dayMs = 24 * 3_600_000
    server.clock.offsetMs = 364 * dayMs
    await keepRetention(server.ctx)
    const left = (id: string) =>
      server.ctx.db.selectFrom('jobs').select('content_id').where('id', '=', id).execute()
    assert.deepEqual(await left(job.id), [{ content_id: null }])
    server.clock.offsetMs = 366 * dayMs
    await keepRetention(server.ctx)
    assert.deepEqual(await left(job.id), [])
    const results = await server.ctx.db
      .selectFrom('job_results')
      .select('id')
      .where('account_id', '=', user.accountId)
      .execute()
    assert.deepEqual(results, [])
    server.clock.offsetMs = 0
  })
})

describe('jobs without a worker', { timeout: 120_000 }, () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  let isStopped = false
  after(() => (isStopped ? undefined : server.stop()))

  it('parallel requests cannot spend more than there is', async () => {
    const user = await server.user()
    const folder = await mkdtemp(join(tmpdir(), 'cutindex-jobs-'))
    const file = await makeClip(
      folder,
      '-f lavfi -i testsrc2=size=64x36:rate=5:duration=100 -c:v libx264 -preset ultrafast long.mp4',
    )
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await readFile(file))]), 'long.mp4')
    await rm(folder, { recursive: true })
    const uploaded = await server.fetch('/v1/content/upload', {
      method: 'POST',
      body: form,
      token: user.token,
    })
    const { content } = (await uploaded.json()) as { content: ContentItem }
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
