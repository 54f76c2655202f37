/** Words of a film that is still being analysed: provisional, paid for, gone with the job. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, before, describe, it } from 'node:test'
import type { Job } from '../../contract/footage/jobs.ts'
import { analyse } from '../../engine/analyse.ts'
import { startWorking } from '../../server/runs/work.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { jobEnd } from '../support/job-app.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { spokenFilm } from '../support/spoken-film.ts'
import { uploadFile } from '../support/upload.ts'
import { use, useFolder } from '../support/use.ts'

const workflow = 'ffprobe,shots,transcription'

describe('the words of a film before its end', { timeout: 600_000 }, () => {
  const server = use(() => startTestServer({ environment: spokenFilm.environment }))
  const folder = useFolder()
  let file: string
  /** Settles when one speech part is done and the worker stands before the next part. */
  let reached: PromiseWithResolvers<string>
  let released: PromiseWithResolvers<void>
  let claimed: string[]

  before(async () => {
    file = await spokenFilm.make(folder)
  })
  use(() =>
    startWorking(server.ctx, {
      slots: 1,
      async onStep(step, { job }) {
        if (step !== 'part-claimed') return
        claimed.push(await kindOf(job))
        if ((await spokenFilm.heardParts(server.ctx, job.id)) !== 1) return
        reached.resolve(job.id)
        await released.promise
      },
    }),
  )
  afterEach(() => released.resolve())

  async function kindOf(job: { id: string; fence: number }): Promise<string> {
    const { kind } = await server.ctx.db
      .selectFrom('work')
      .select('kind')
      .where('job_id', '=', job.id)
      .where('state', '=', 'leased')
      .executeTakeFirstOrThrow()
    return kind
  }

  /** A job that stands still with the first of its two sentences heard. */
  async function startHeld(
    user: TestUser,
    asked: { in?: number; content_id?: string } = {},
  ): Promise<string> {
    reached = Promise.withResolvers()
    released = Promise.withResolvers()
    claimed = []
    const body = { content_id: asked.content_id ?? (await uploadFilm(user)), workflow, ...asked }
    const { job } = await user.client.createJob({ body })
    assert.equal(await reached.promise, job.id)
    return job.id
  }

  async function uploadFilm(user: TestUser): Promise<string> {
    return (await uploadFile(server, user.token, await readFile(file), 'film.mp4')).id
  }

  function untilEnded(user: TestUser, id: string): Promise<Job> {
    released.resolve()
    return jobEnd(user, id)
  }

  const soFar = (user: TestUser, id: string, query: { from_part?: number } = {}) =>
    user.client.getTranscriptSoFar({ params: { id }, query })

  const chargesOf = async (id: string): Promise<number> => {
    const { rows } = await server.ctx.pool.query<{ charges: number }>(
      `select count(*)::int as charges from ledger_transactions where job_id = $1 and kind = 'capture'`,
      [id],
    )
    return rows[0]!.charges
  }

  it(
    'those of a part are there when it ends, and change nothing about findings and charge',
    slow,
    async () => {
      const user = await server.user()
      const id = await startHeld(user)
      assert.deepEqual(claimed.slice(0, 2), ['sound', 'speech'], 'words do not wait for all frames')
      const { job: running } = await user.client.getJob({ params: { id } })
      assert.deepEqual([running.status, running.parts_left], ['running', 4])
      const transcription = running.extractors.find((extractor) => extractor.id === 'transcription')
      assert.ok(transcription!.progress > 0.4, `heard as far as ${transcription!.progress}`)
      const { parts, heard } = await soFar(user, id)
      assert.equal(parts, 2)
      assert.deepEqual(
        heard.map(({ part }) => part),
        [0],
      )
      const [first] = heard
      assert.match(first!.paragraphs.map(({ text }) => text).join(' '), spokenFilm.first)
      assert.ok(first!.end < 6, `heard up to ${first!.end}`)
      assert.deepEqual((await soFar(user, id, { from_part: 1 })).heard, [], 'nothing new yet')
      const { results } = await user.client.getJobResults({ params: { id }, query: {} })
      assert.equal(results.transcription, undefined, 'they are no findings')
      assert.equal(await chargesOf(id), 0)
      const stranger = await server.user()
      await assert.rejects(soFar(stranger, id), { status: 404 })

      const job = await untilEnded(user, id)
      assert.deepEqual([job.status, job.parts_left], ['completed', null], JSON.stringify(job.error))
      assert.equal(await chargesOf(id), 1)
      assert.deepEqual(await soFar(user, id), { parts: 0, heard: [] }, 'findings took their place')
      const ended = (await user.client.getJobResults({ params: { id }, query: {} })).results
      assert.match(ended.transcription!.text, spokenFilm.first)
      assert.match(ended.transcription!.text, spokenFilm.second)
      if (!isWholeRun) return
      const whole = await analyse({
        file,
        extractors: ['ffprobe', 'shots', 'transcription'],
        workDir: join(folder, 'whole'),
        segmentSeconds: 1,
        maxSeconds: spokenFilm.seconds,
        parts: 1,
      })
      assert.equal(
        JSON.stringify(ended.transcription),
        JSON.stringify(whole.findings.transcription),
      )
    },
  )

  it('are charged by their share when the job is canceled, again and again', slow, async () => {
    const user = await server.user()
    const contentId = await uploadFilm(user)
    const ids: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const id = await startHeld(user, { content_id: contentId })
      ids.push(id)
      assert.equal((await soFar(user, id)).heard.length, 1)
      const { rows } = await server.ctx.pool.query<{ share: number }>(
        `select sum(seconds) filter (where position = 0) / sum(seconds) as share
         from work where job_id = $1 and kind = 'speech'`,
        [id],
      )
      const { job } = await user.client.cancelJob({ params: { id } })
      released.resolve()
      const transcription = job.extractors.find((extractor) => extractor.id === 'transcription')!
      const due = rows[0]!.share * 0.01 * spokenFilm.seconds
      assert.ok(Math.abs(transcription.cost_usd - due) < 1e-5, `${transcription.cost_usd}, ${due}`)
      assert.match(transcription.warning ?? '', /had been read, which is charged/)
      assert.deepEqual(await soFar(user, id), { parts: 0, heard: [] })
      await user.client.deleteJob({ params: { id } })
    }
    for (const id of ids) assert.equal(await chargesOf(id), 1, 'the charge outlives the job')
  })

  it('cost nothing when nobody read them', slow, async () => {
    const user = await server.user()
    const id = await startHeld(user)
    const { job } = await user.client.cancelJob({ params: { id } })
    released.resolve()
    assert.equal(job.extractors.find((extractor) => extractor.id === 'transcription')!.cost_usd, 0)
  })

  it('of a range stand where the film has them', slow, async () => {
    const user = await server.user()
    const whole = await startHeld(user)
    const [expected] = (await soFar(user, whole)).heard
    await user.client.cancelJob({ params: { id: whole } })
    released.resolve()
    const other = await server.user()
    const id = await startHeld(other, { in: 0.25 })
    const [heard] = (await soFar(other, id)).heard
    const [said, wanted] = [heard!.paragraphs[0]!, expected!.paragraphs[0]!]
    assert.ok(Math.abs(said.start - wanted.start) < 0.3, `${said.start} for ${wanted.start}`)
    await other.client.cancelJob({ params: { id } })
    released.resolve()
  })
})
