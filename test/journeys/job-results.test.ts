/** Remains of a job: files, findings, reviews, hits of the search, lists; and for how long. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { CallError } from '../../contract/endpoint.ts'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { clipFolder } from '../../engine/clips.testing.ts'
import { openShelf } from '../../server/results/index-passages.ts'
import { passagesOf } from '../../server/results/passages.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import { readEvents } from '../support/read-events.ts'
import { openWorks } from '../support/job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { emptyReview } from '../../contract/footage/review.ts'

describe('results of jobs', { timeout: 300_000 }, () => {
  const works = use(openWorks)

  it('hears the language that was set, and translates into English subtitles', slow, async (t) => {
    const user = await works.server.user()
    const german = join(await clipFolder(t), 'german.wav')
    const text = 'Guten Morgen zusammen. Heute sprechen wir über das Wetter im Norden.'
    execFileSync('espeak-ng', ['-v', 'de', '-s', '140', '-w', german, text])
    const { id } = await works.upload(user.token, await readFile(german))
    const body = { content_id: id, workflow: 'transcription', translate: true } as const
    const { job } = await user.client.createJob({ body: { ...body, language: 'nl' } })
    await works.untilEnded(user, job.id)
    const params = { id: job.id }
    const { results } = await user.client.getJobResults({ params, query: {} })
    assert.equal(results.transcription?.language, 'nl', 'set, not heard')
    assert.ok(results.transcription.translation)
    const srt = async (language: string): Promise<string> => {
      const path = `/v1/jobs/${job.id}/export?format=srt&caption_language=${language}`
      return (await works.server.fetch(path, { token: user.token })).text()
    }
    assert.match(await srt('english'), /weather/i)
    assert.doesNotMatch(await srt('spoken'), /weather/i)
  })

  it('does not answer with what another speech model heard', slow, async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const body = { content_id: content.id, workflow: 'ffprobe,transcription' }
    const { job } = await user.client.createJob({ body })
    await readEvents(await works.server.fetch(`/v1/jobs/${job.id}/events`, { token: user.token }))
    const reused = async () =>
      (await user.client.quoteJob({ body })).quote.lines.map((line) => line.reused)
    assert.deepEqual(await reused(), [true, true])
    const model = join(works.folder, 'model')
    await mkdir(join(model, 'onnx'), { recursive: true })
    await writeFile(join(model, 'onnx/encoder_model.onnx'), 'other weights')
    works.server.ctx.config.speechModelDir = model
    assert.deepEqual(await reused(), [true, false])
    works.server.ctx.config.speechModelDir = null
    assert.deepEqual(await reused(), [true, true])
  })

  it('serves thumbnails by range to the bearer of a ticket, until the job is deleted', async () => {
    const user = await works.server.user()
    const other = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const job = await works.runJob(user, content.id, 'thumbnail')
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const name = results.thumbnail?.poster
    assert.ok(name)
    const path = `/v1/jobs/${job.id}/files/${name}`
    const { ticket } = await user.client.createFileTicket({ params: { id: job.id } })
    const whole = await works.server.fetch(`${path}?ticket=${ticket}`)
    assert.equal(whole.headers.get('content-type'), 'image/jpeg')
    const bytes = Buffer.from(await whole.arrayBuffer())
    const part = await works.server.fetch(path, {
      token: user.token,
      headers: { range: 'bytes=10-19' },
    })
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
      assert.equal((await works.server.fetch(address, { token: other.token })).status, 404, address)
    }
    const again = await works.runJob(user, content.id, 'thumbnail')
    await user.client.deleteJob({ params: { id: job.id } })
    assert.equal((await works.server.fetch(path, { token: user.token })).status, 404)
    const shared = `/v1/jobs/${again.id}/files/${name}`
    assert.equal((await works.server.fetch(shared, { token: user.token })).status, 200)
    const stored = await works.server.ctx.db
      .selectFrom('job_result_files')
      .select('storage_key')
      .execute()
    await user.client.deleteJob({ params: { id: again.id } })
    for (const { storage_key: key } of stored) {
      await assert.rejects(works.server.ctx.storage.read(key), `${key} is still there`)
    }
  })

  it('begins with the selects of a clip that was not analysed before', async () => {
    const user = await works.server.user()
    const { id } = await works.upload(user.token, works.clip)
    const review = {
      ...emptyReview,
      selects: [{ id: randomUUID(), name: 'Early', start_frame: 5, end_frame: 25 }],
    }
    const save = (version: number) =>
      user.client.saveClipReview({ params: { id }, body: { ...review, version } })
    assert.deepEqual(await save(0), { review, version: 1 })
    assert.deepEqual(await save(1), { review, version: 2 })
    await assert.rejects(save(1), { status: 409 })
    assert.equal((await user.client.getClipReview({ params: { id } })).version, 2)
    const job = await works.runJob(user, id, 'shots')
    const inherited = await user.client.getReview({ params: { id: job.id } })
    assert.deepEqual(inherited, { review, version: 0 })
    const { token } = user
    const edl = await works.server.fetch(`/v1/jobs/${job.id}/export?format=edl&which=selects`, {
      token,
    })
    assert.match(await edl.text(), /01:00:00:05 01:00:01:00/)
  })

  it('keeps a review and takes it into the export', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const job = await works.runJob(user, content.id, 'shots')
    const select = { id: randomUUID(), name: 'Best part', start_frame: 10, end_frame: 35 }
    const review = { ...emptyReview, selects: [select] }
    await user.client.saveReview({ params: { id: job.id }, body: review })
    assert.deepEqual(await user.client.getReview({ params: { id: job.id } }), {
      review,
      version: 1,
    })
    const next = await works.runJob(user, content.id, 'shots')
    assert.deepEqual(await user.client.getReview({ params: { id: next.id } }), {
      review,
      version: 0,
    })
    const late = { ...review, selects: [], version: 0 }
    await assert.rejects(
      user.client.saveReview({ params: { id: job.id }, body: late }),
      (error) => {
        assert.ok(error instanceof CallError && error.code === 'conflict')
        assert.deepEqual((error.body as { saved?: unknown }).saved, { review, version: 1 })
        return true
      },
    )
    const edl = await works.server.fetch(`/v1/jobs/${job.id}/export?format=edl&which=selects`, {
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
    const srt = await works.server.fetch(`/v1/jobs/${job.id}/export?format=srt`, {
      token: user.token,
    })
    assert.equal(srt.status, 422)
  })

  it('tells by the picture who says a sentence, wherever the words are read', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const job = await works.runJob(user, content.id, 'ffprobe,shots')
    const { words } = transcriptOf('We waited for the fog')
    const [first, last] = [words[0]!, words.at(-1)!]
    const whole = { ...first, end_frame: last.end_frame, end_time: last.end_time, end: last.end }
    const sentence = { ...whole, first_word: 0, last_word: words.length - 1 }
    const transcript = transcriptOf('We waited for the fog')
    await turnInto(job, 'ffprobe', 'transcription', { ...transcript, sentences: [sentence] })
    await turnInto(job, 'shots', 'talking', {
      speech: [],
      silence: [],
      talking: [{ ...whole, face: 'face-2', score: 1 }],
      lip_flap: [],
      voice_only: [],
      faces: [],
    })
    for (const query of [{}, { extractor: 'transcription' as const }]) {
      const { results } = await user.client.getJobResults({ params: { id: job.id }, query })
      const speakers = results.transcription?.words.map((word) => word.speaker)
      assert.deepEqual(speakers, Array(words.length).fill('face-2'))
      assert.equal(results.talking === undefined, query.extractor !== undefined)
    }
    const vtt = await works.server.fetch(`/v1/jobs/${job.id}/export?format=vtt`, {
      token: user.token,
    })
    assert.match(await vtt.text(), /^<v Person 2>We waited for the fog$/m)
  })

  it('finds words to the frame, shots and names, and nothing of other accounts', async () => {
    const user = await works.server.user()
    const other = await works.server.user()
    const content = await works.upload(user.token, works.clip, 'Interview Lisbon.mp4')
    const job = await works.runJob(user, content.id, 'ffprobe,shots')
    await speak(job, 'The mayor was cutting the ribbon while pigeons watched')
    const find = async (q: string, reader = user) =>
      (await reader.client.search({ query: { q } })).hits
    const [hit] = await find('cut ribbon')
    assert.equal(hit?.kind, 'word')
    assert.equal(hit.start_frame, 30)
    assert.equal(hit.timecode, '01:00:01:05')
    assert.equal(hit.job_id, job.id)
    const marked = (result: typeof hit) =>
      result.highlights.map(([from, to]) => result.text.slice(from, to))
    assert.deepEqual(marked(hit), ['cutting', 'ribbon'])
    const [stem] = await find('mayor ribbons')
    assert.ok(stem)
    assert.deepEqual(marked(stem), ['mayor', 'ribbon'], 'one as it is asked for, one by its stem')
    assert.equal((await find('pigons'))[0]?.start_frame, 70)
    assert.equal((await find('pige'))[0]?.start_frame, 70)
    assert.equal((await find('lisbon'))[0]?.kind, 'name')
    assert.equal((await find('opening'))[0]?.kind, 'shot')
    assert.deepEqual(await find('ribbon', other), [])
    assert.deepEqual(await find('%'), [])
  })

  it(
    'finds what the program wrote by whole words only, and shows the still of each hit',
    slow,
    async () => {
      const user = await works.server.user()
      const content = await works.upload(user.token, works.clip, 'Boat.mp4')
      const job = await works.runJob(user, content.id, 'shots,thumbnail,ffprobe')
      const { db } = works.server.ctx
      const { result_id: id } = await db
        .selectFrom('job_extractors')
        .select('result_id')
        .where('job_id', '=', job.id)
        .where('extractor', '=', 'shots')
        .executeTakeFirstOrThrow()
      const passage = {
        ...{ kind: 'cutpoint' as const, start_frame: 80, end_frame: 81, start_seconds: 3.2 },
        ...{ text: 'Cut point · Pause of 0.9 s after “driver”', words: null },
        shelf: await openShelf(db, user.accountId),
      }
      await db
        .insertInto('job_passages')
        .values({ ...passage, result_id: id ?? '', account_id: user.accountId })
        .execute()
      const find = async (q: string) => (await user.client.search({ query: { q } })).hits
      assert.deepEqual(await find('river'), [])
      assert.deepEqual(await find('afte r'), [])
      // The best hit comes first, also where only one is asked for.
      const said = ['They tied a bell to the old boat', 'A bell, and far out a boat', 'boat bell']
      await db
        .insertInto('job_passages')
        .values(
          said.map((text, index) => ({
            ...{ ...passage, text, kind: 'text' as const, start_frame: index * 10 },
            ...{ result_id: id ?? '', account_id: user.accountId },
          })),
        )
        .execute()
      const best = await user.client.search({ query: { q: 'boat bell', limit: 1 } })
      assert.deepEqual([best.total, best.hits.map(({ text }) => text)], [3, ['boat bell']])
      const [hit] = await find('pause')
      assert.deepEqual([hit?.kind, hit?.start_frame], ['cutpoint', 80])
      // The clip is cut at frame 50: the still is that of the second shot, at frame 75.
      assert.match(hit?.still_url ?? '', /still-000000075[.]jpg[?]ticket=/)
      const image = await fetch(hit?.still_url ?? '')
      assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/jpeg'])
      const [opening] = await find('opening')
      assert.match(opening?.still_url ?? '', /still-000000025[.]jpg/)
    },
  )

  /** Puts findings in the place of those of another extractor. */
  async function turnInto(
    job: Job,
    from: ExtractorId,
    to: ExtractorId,
    findings: unknown,
  ): Promise<void> {
    const { db } = works.server.ctx
    const { result_id: id } = await db
      .updateTable('job_extractors')
      .set({ extractor: to })
      .where('job_id', '=', job.id)
      .where('extractor', '=', from)
      .returning('result_id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('job_results')
      .set({ findings: JSON.stringify(findings) })
      .where('id', '=', id)
      .execute()
  }

  /** Speech as the transcription would leave it, one word every ten frames. */
  function transcriptOf(sentence: string): FindingsOf<'transcription'> {
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
    return {
      language: 'en',
      language_confidence: 1,
      text: sentence,
      words,
      sentences: [],
      paragraphs: [],
      model: 'test',
      word_times: 'model',
    }
  }

  async function speak(job: Job, sentence: string): Promise<void> {
    const passages = passagesOf('transcription', transcriptOf(sentence))
    const { result_id: resultId } = await works.server.ctx.db
      .selectFrom('job_extractors')
      .select('result_id')
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow()
    const { account_id: accountId } = await works.server.ctx.db
      .selectFrom('jobs')
      .select('account_id')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    for (const passage of passages) {
      await works.server.ctx.db
        .insertInto('job_passages')
        .values({
          ...passage,
          words: JSON.stringify(passage.words),
          result_id: resultId ?? '',
          account_id: accountId,
          shelf: await openShelf(works.server.ctx.db, accountId),
        })
        .execute()
    }
  }

  it('lists by page, status, extractor, content and name', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const first = await works.runJob(user, content.id, 'ffprobe')
    const second = await works.runJob(user, content.id, 'shots')
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

  it('leaves the media out of lists and shows it with one job', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const { id } = await works.runJob(user, content.id, 'ffprobe')
    const { jobs } = await user.client.listJobs({ query: {} })
    assert.deepEqual(
      jobs.map((job) => [job.id, 'media' in job]),
      [[id, false]],
    )
    const { job } = await user.client.getJob({ params: { id } })
    assert.equal(job.media?.frame_rate, '25/1')
  })

  it('keeps results for a year and no longer', async () => {
    const user = await works.server.user()
    const content = await works.upload(user.token, works.clip)
    const job = await works.runJob(user, content.id, 'ffprobe')
    const dayMs = 24 * 3_600_000
    works.server.clock.offsetMs = 364 * dayMs
    await keepRetention(works.server.ctx)
    const left = (id: string) =>
      works.server.ctx.db.selectFrom('jobs').select('content_id').where('id', '=', id).execute()
    assert.deepEqual(await left(job.id), [{ content_id: null }])
    works.server.clock.offsetMs = 366 * dayMs
    await keepRetention(works.server.ctx)
    assert.deepEqual(await left(job.id), [])
    const results = await works.server.ctx.db
      .selectFrom('job_results')
      .select('id')
      .where('account_id', '=', user.accountId)
      .execute()
    assert.deepEqual(results, [])
    works.server.clock.offsetMs = 0
  })
})
