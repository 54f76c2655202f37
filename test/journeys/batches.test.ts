/** Many items analysed by one confirmation. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { optionsOf } from '../../domain/job-options.ts'
import type { JobOptions } from '../../domain/job-options.ts'
import { placeHold } from '../../server/billing/hold.ts'
import { openWorks } from '../support/job-app.ts'
import type { Works } from '../support/job-app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { readEvents } from '../support/read-events.ts'
import { use } from '../support/use.ts'

describe('batches', () => {
  const works = use(openWorks)
  const user = use(() => works.server.user())

  test('one confirmation analyses all items, each charged once, and the batch ends once', async () => {
    const { client } = user
    const clip = await works.upload(user.token, works.clip)
    const silent = await works.upload(user.token, works.silentClip, 'silent.mp4')
    const text = await works.upload(user.token, Buffer.from([0, 1, 2, 3]), 'noise.bin')
    const body = {
      content_ids: [clip.id, silent.id, text.id, randomUUID(), clip.id],
      workflow: 'ffprobe,shots',
    }
    const { quote } = await client.quoteBatch({ body })
    assert.equal(quote.items.length, 4)
    assert.deepEqual(
      quote.items.map((item) => item.refused?.code ?? item.usd),
      [0.016, 0.016, 'unsupported_source', 'not_found'],
    )
    assert.equal(quote.total_usd, 0.032)
    const stream = await works.server.fetch('/v1/events', { token: user.token })
    const heard = readEvents(stream, ({ event }) => event === 'batch')
    const { batch, refused } = await client.createBatch({ body })
    assert.deepEqual(refused.map(({ content_id: id, code }) => [id, code]).slice(0, 1), [
      [text.id, 'unsupported_source'],
    ])
    assert.equal(refused.length, 2)
    assert.deepEqual(
      batch.jobs.map((job) => job.content_id),
      [clip.id, silent.id],
    )
    const ended = await untilEnded(works, user, batch.id)
    assert.deepEqual([ended.status, ended.progress, ended.cost_usd], ['completed', 1, 0.032])
    assert.deepEqual((await heard).at(-1), { event: 'batch', data: { id: batch.id } })
    const { batch: again, refused: none } = await client.createBatch({
      body: { content_ids: [clip.id], workflow: 'shots' },
    })
    assert.deepEqual([again.status, again.cost_usd, none], ['completed', 0, []])
    const newest = await client.listBatches({ query: { limit: 1 } })
    assert.deepEqual([newest.batches[0]?.id, newest.next_cursor], [again.id, again.id])
    const older = await client.listBatches({ query: { limit: 1, cursor: again.id } })
    assert.deepEqual([older.batches[0]?.id, older.next_cursor], [batch.id, null])
    await assert.rejects(client.listBatches({ query: { cursor: randomUUID() } }), /cursor/)
    const { content } = await client.listContent({ query: { analysed: 'yes' } })
    assert.deepEqual(content.map(({ id }) => id).sort(), [clip.id, silent.id].sort())
    const states = content[0]?.analysis.map(({ extractor, state }) => `${extractor} ${state}`)
    assert.deepEqual(states?.sort(), ['ffprobe done', 'shots done'])
  })

  test(
    'a vocabulary and settings of speech make the words of a clip new, and nothing else',
    slow,
    async () => {
      const editor = await works.server.user()
      const { client } = editor
      const { id } = await works.upload(editor.token, works.clip)
      const body = { content_id: id, workflow: 'transcription,shots' }
      const reused = async (more: JobOptions = {}) =>
        (await client.quoteJob({ body: { ...body, ...more } })).quote.lines.map(
          (line) => line.reused,
        )
      const first = await works.runJob(editor, id, body.workflow)
      assert.deepEqual(await reused(), [true, true])
      const vocabulary = ['Elbphilharmonie', 'Övelgönne']
      const { project } = await client.createProject({ body: { name: 'Elbe', vocabulary } })
      const move = (project_id: string | null) =>
        client.updateContent({ params: { id }, body: { project_id } })
      await move(project.id)
      assert.deepEqual(await reused(), [false, true])
      const second = await works.runJob(editor, id, body.workflow)
      assert.deepEqual(
        second.extractors.map((extractor) => extractor.status),
        ['done', 'reused'],
      )
      assert.deepEqual(await reused(), [true, true])
      const rows = await works.server.ctx.db
        .selectFrom('jobs')
        .select('options')
        .where('id', 'in', [first.id, second.id])
        .orderBy('created_at')
        .execute()
      assert.deepEqual(
        rows.map((row) => row.options),
        [{}, { vocabulary }],
      )
      const params = { id: project.id }
      await client.updateProject({ params, body: { vocabulary: ['Elbe'] } })
      assert.deepEqual(await reused(), [false, true])
      await move(null)
      assert.deepEqual(await reused(), [true, true])
      const tooMany = Array.from({ length: 201 }, (_, index) => `Word ${index}`)
      for (const wrong of [tooMany, ['x'.repeat(81)], ['  ']]) {
        const change = { params, body: { vocabulary: wrong } }
        await assert.rejects(client.updateProject(change), { code: 'invalid' })
      }
      assert.deepEqual(await reused({ speakers: 2 }), [false, true])
      assert.deepEqual(await reused({ language: 'de' }), [false, true])
      assert.deepEqual(await reused({ translate: true }), [false, true])
      const speech: JobOptions = { speakers: 2, language: 'de', translate: true }
      const { quote } = await client.quoteJob({ body: { ...body, ...speech } })
      const other = { ...body, ...speech, language: 'fr' as const, quote_id: quote.id }
      await assert.rejects(client.createJob({ body: other }), { code: 'conflict' })
      const { job } = await client.createJob({ body: { ...body, ...speech, quote_id: quote.id } })
      assert.deepEqual(optionsOf(job), speech)
      await client.cancelJob({ params: { id: job.id } })
      const again = await client.retryJob({ params: { id: job.id } })
      assert.deepEqual(optionsOf(again.job), speech, 'a retry asks for the same')
      await client.cancelJob({ params: { id: again.job.id } })
      for (const speakers of [0, 13, 1.5]) {
        await assert.rejects(reused({ speakers }), { code: 'invalid' })
      }
      await assert.rejects(reused({ language: 'tlh' as 'de' }), { code: 'invalid' })
    },
  )

  test(
    'a batch carries settings of speech to all of its jobs, in its quote too',
    slow,
    async () => {
      const editor = await works.server.user()
      const { client } = editor
      const { id } = await works.upload(editor.token, works.clip)
      const body = { content_ids: [id], workflow: 'transcription,shots' }
      await works.runJob(editor, id, body.workflow)
      const reused = async (more: JobOptions = {}) => {
        const { quote } = await client.quoteBatch({ body: { ...body, ...more } })
        return quote.items.flatMap((item) => item.lines.map((line) => line.reused))
      }
      assert.deepEqual(await reused(), [true, true])
      assert.deepEqual(await reused({ speakers: 2 }), [false, true])
      const speech: JobOptions = { speakers: 2, language: 'de', translate: true }
      const { batch } = await client.createBatch({ body: { ...body, ...speech } })
      await client.cancelBatch({ params: { id: batch.id } })
      const { job } = await client.getJob({ params: { id: batch.jobs[0]!.id } })
      assert.deepEqual(optionsOf(job), speech)
      const again = await client.retryJob({ params: { id: job.id } })
      assert.equal(again.job.speakers, 2, 'a retry asks for the same')
      await client.cancelJob({ params: { id: again.job.id } })
      for (const speakers of [0, 13, 1.5]) {
        await assert.rejects(reused({ speakers }), { code: 'invalid' })
        const placing = client.createBatch({ body: { ...body, speakers } })
        await assert.rejects(placing, { code: 'invalid' })
      }
    },
  )

  test('a renamed item is renamed in its jobs', async () => {
    const { client } = user
    const { content } = await client.listContent({ query: { analysed: 'yes', limit: 1 } })
    const [item] = content
    await client.updateContent({ params: { id: item!.id }, body: { file_name: 'A001.mov' } })
    const { jobs } = await client.listJobs({ query: { content_id: item!.id } })
    assert.ok(jobs.length > 0)
    assert.ok(jobs.every((job) => job.content_name === 'A001.mov'))
  })

  test('two batches at once with credit for one: one is placed whole, the other not at all', async () => {
    const poor = await works.server.user()
    const items: string[] = []
    for (let index = 0; index < 4; index++) {
      const bytes = Buffer.concat([works.clip, Buffer.from([index])])
      items.push((await works.upload(poor.token, bytes, `${index}.mp4`)).id)
    }
    await holdAllBut(works, poor, 130_000)
    const place = (ids: string[]) =>
      poor.client.createBatch({ body: { content_ids: ids, workflow: 'transcription' } })
    works.onStep = () => new Promise((resolve) => setTimeout(resolve, 20))
    const outcomes = await Promise.allSettled([place(items.slice(0, 1)), place(items.slice(1))])
    works.onStep = () => undefined
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(failed.length, 1)
    const error = failed[0]?.reason as { code: string; body: Record<string, number> }
    assert.equal(error.code, 'insufficient_credit')
    assert.ok(error.body.required_usd! > error.body.available_usd!)
    const { batches } = await poor.client.listBatches({ query: {} })
    const { jobs } = await poor.client.listJobs({ query: {} })
    assert.equal(batches.length, 1)
    assert.equal(jobs.length, batches[0]?.jobs.length)
  })

  test('the same key places one batch, and cancelling releases what did not run', async () => {
    const owner = await works.server.user()
    const item = await works.upload(owner.token, works.clip)
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    works.onStep = () => gate
    const body = { content_ids: [item.id], workflow: 'shots' }
    const options = { idempotencyKey: 'batch-1' }
    const first = await owner.client.createBatch({ body }, options)
    const second = await owner.client.createBatch({ body }, options)
    assert.equal(first.batch.id, second.batch.id)
    const params = { id: first.batch.id }
    const { batch } = await owner.client.cancelBatch({ params })
    assert.deepEqual([batch.status, batch.cost_usd, batch.held_usd], ['canceled', 0, 0])
    works.onStep = () => undefined
    release()
    const balance = await works.balanceOf(owner)
    assert.equal(balance.held, 0)
    const cancelAgain = await owner.client.cancelBatch({ params })
    assert.equal(cancelAgain.batch.status, 'canceled')
  })

  test('a batch of nothing that can be analysed creates nothing', async () => {
    const body = { content_ids: [randomUUID()], workflow: 'shots' }
    const before = await user.client.listBatches({ query: {} })
    await assert.rejects(user.client.createBatch({ body }), { code: 'unsupported_source' })
    await assert.rejects(user.client.createBatch({ body: { ...body, workflow: 'shots,shots' } }), {
      code: 'invalid',
    })
    const afterwards = await user.client.listBatches({ query: {} })
    assert.equal(afterwards.batches.length, before.batches.length)
  })
})

async function untilEnded(works: Works, user: TestUser, id: string) {
  for (let tries = 0; tries < 600; tries++) {
    const { batch } = await user.client.getBatch({ params: { id } })
    if (batch.finished_at) return batch
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The batch did not end.')
}

/** Reserves all but this much. */
async function holdAllBut(works: Works, user: TestUser, micros: number): Promise<void> {
  // The month's free credit is granted at the first touch.
  await user.client.getMe()
  const { available } = await works.balanceOf(user)
  const { ctx } = works.server
  const amountMicros = available - micros
  const hold = { accountId: user.accountId, jobId: randomUUID(), amountMicros, now: ctx.now() }
  assert.ok((await placeHold(ctx.db, hold)).ok)
}
