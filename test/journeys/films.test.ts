/** Films in parts: any worker measures a part, one joins them, and one charge is made. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, beforeEach, describe, it } from 'node:test'
import type { Job } from '../../contract/footage/jobs.ts'
import { analyse } from '../../engine/analyse.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { sweepObjects } from '../../server/storage/unowned-objects.ts'
import type { Step } from '../../server/work/steps.ts'
import type { RunOptions } from '../../server/runs/run.ts'
import { startWorking } from '../../server/runs/work.ts'
import { use, useFolder } from '../support/use.ts'
import { uploadFile } from '../support/upload.ts'
import { jobEnd } from '../support/job-app.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings } from '../../domain/findings/findings.ts'

const segmentSeconds = 2
const workflow = 'ffprobe,thumbnail,shots'
const spokenWorkflow = 'shots,transcription,cutpoints'
/** Eight seconds with a key picture in each: four segments. */
const film = `-f lavfi -i testsrc2=size=128x72:rate=12:duration=8 -f lavfi -i sine=d=8
  -c:v libx264 -preset ultrafast -g 12 -c:a aac film.mp4`

/** The same pictures with a voice: one group of windows is heard after its sound. */
const sample = join(import.meta.dirname, '../../assets/sample.mp4')
const spokenFilm = `-f lavfi -i testsrc2=size=128x72:rate=12:duration=8 -i ${sample} -map 0:v -map 1:a
  -t 8 -c:v libx264 -preset ultrafast -g 12 -c:a aac spoken.mp4`

/** Sound alone: two sentences so far from each other that two parts hear them. */
const recording = `-ss 4 -t 4 -i ${sample} -t 3 -i ${sample} -filter_complex
  [0:a]apad=whole_dur=12[first];[first][1:a]concat=n=2:v=0:a=1 -c:a flac recording.flac`

describe('a film in parts', { timeout: 600_000 }, () => {
  const server = use(() =>
    startTestServer({ environment: { SEGMENT_SECONDS: String(segmentSeconds) } }),
  )
  const folder = useFolder()
  let file: string
  let onStep: RunOptions['onStep']
  let seen: { worker: number; step: Step; jobId: string }[]

  before(async () => {
    file = await makeClip(folder, film)
    seen = []
  })
  beforeEach(() => {
    onStep = () => undefined
  })
  for (const worker of [0, 1]) {
    use(() =>
      startWorking(server.ctx, {
        slots: 1,
        onStep: async (step, input) => {
          seen.push({ worker, step, jobId: input.job.id })
          await onStep(step, input)
        },
      }),
    )
  }

  async function upload({ token }: TestUser, path = file): Promise<string> {
    return (await uploadFile(server, token, await readFile(path), 'film.mp4')).id
  }

  async function place(user: TestUser): Promise<string> {
    const body = { content_id: await upload(user), workflow }
    return (await user.client.createJob({ body })).job.id
  }

  async function placeSpoken(user: TestUser): Promise<{ id: string; path: string }> {
    const path = await makeClip(folder, spokenFilm)
    const body = { content_id: await upload(user, path), workflow: spokenWorkflow }
    return { id: (await user.client.createJob({ body })).job.id, path }
  }

  const statusOf = (job: Job | undefined, id: string) =>
    job?.extractors.find((extractor) => extractor.id === id)?.status

  /** Whether the last step was the start of the first part that fetches no film: of speech. */
  const isFirstSpeech = (jobId: string): boolean => {
    const starts = seen.filter((item, at) => {
      if (item.jobId !== jobId || item.step !== 'part-started') return false
      const before = seen.findLast((other, place) => place < at && other.worker === item.worker)
      return before?.step === 'part-claimed'
    })
    return starts.length === 1 && starts[0] === seen.at(-1)
  }

  const stepsOf = (jobId: string, step: Step) =>
    seen.filter((item) => item.jobId === jobId && item.step === step)

  function assertSame(
    extractors: readonly ExtractorId[],
    results: Partial<Findings>,
    findings: Partial<Findings>,
  ): void {
    for (const id of extractors) {
      assert.equal(JSON.stringify(results[id]), JSON.stringify(findings[id]), id)
    }
  }

  /** One charge of the whole price, or none, and nothing left of the parts. */
  async function assertSettled(job: Job, charges: number): Promise<void> {
    const { ctx } = server
    const { rows } = await ctx.pool.query<{ captures: number; held: number; parts: number }>(
      `select
        (select count(*)::int from ledger_transactions where job_id = $1 and kind = 'capture')
          as captures,
        (select coalesce(sum(held_change_micros), 0)::int from ledger_transactions
          where job_id = $1) as held,
        (select count(*)::int from work where job_id = $1 and kind <> 'whole') as parts`,
      [job.id],
    )
    assert.deepEqual(rows[0], { captures: charges, held: 0, parts: 0 })
    await sweepObjects(ctx)
    const left: string[] = []
    for await (const { key } of ctx.storage.list('parts/')) left.push(key)
    assert.deepEqual(left, [])
  }

  it('is measured by every worker, joined once and charged once, with the findings of one', async () => {
    const user = await server.user()
    const id = await place(user)
    const job = await jobEnd(user, id)
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    assert.equal(stepsOf(id, 'part-ended').length, 6, 'sound, sound of the proxy, four segments')
    const helpers = new Set(stepsOf(id, 'part-ended').map((item) => item.worker))
    assert.equal(helpers.size, 2, 'both have worked on it')
    assert.equal(job.cost_usd, 8 * 0.009)
    await assertSettled(job, 1)
    const { results } = await user.client.getJobResults({ params: { id }, query: {} })
    const workDir = join(folder, 'whole')
    const { findings } = await analyse({
      file,
      extractors: ['ffprobe', 'thumbnail', 'shots'],
      workDir,
      segmentSeconds,
      maxSeconds: 8,
      parts: 1,
    })
    assertSame(['ffprobe', 'thumbnail', 'shots'], results, findings)
  })

  it('shows what its pictures came to while its speech is still heard', slow, async () => {
    const user = await server.user()
    let early: Job | undefined
    onStep = async (_step, { job: { id } }) => {
      if (!isFirstSpeech(id)) return
      const { job } = await until(
        () => user.client.getJob({ params: { id } }),
        (answer) => statusOf(answer.job, 'shots') === 'done',
      )
      early = job
    }
    const { id, path } = await placeSpoken(user)
    const job = await jobEnd(user, id)
    assert.equal(early?.status, 'running')
    assert.equal(statusOf(early, 'transcription'), 'running', 'as it was before the judging')
    assert.equal(early.cost_usd, 0, 'nothing is charged before the end')
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    assert.equal(stepsOf(id, 'frames-analysed').length, 1)
    await assertSettled(job, 1)
    const { results } = await user.client.getJobResults({ params: { id }, query: {} })
    const { findings } = await analyse({
      file: path,
      extractors: ['shots', 'transcription', 'cutpoints'],
      workDir: join(folder, 'whole-spoken'),
      segmentSeconds,
      maxSeconds: 8,
      parts: 1,
    })
    assert.ok((findings.transcription?.words.length ?? 0) > 3)
    assertSame(['shots', 'transcription', 'cutpoints'], results, findings)
  })

  it('is a recording of sound too: its speech is heard in parts', slow, async () => {
    const user = await server.user()
    const path = await makeClip(folder, recording)
    const extractors = ['ffprobe', 'thumbnail', 'transcription', 'cutpoints'] as const
    const body = { content_id: await upload(user, path), workflow: extractors.join(',') }
    const { id } = (await user.client.createJob({ body })).job
    const job = await jobEnd(user, id)
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    const ended = stepsOf(id, 'part-ended').length
    assert.equal(ended, 5, 'sound, sound of the proxy, voices and two of speech')
    assert.equal(stepsOf(id, 'frames-analysed').length, 1, 'its waveform is there before the words')
    await assertSettled(job, 1)
    const { results } = await user.client.getJobResults({ params: { id }, query: {} })
    const workDir = join(folder, 'whole-recording')
    const order = { file: path, workDir, extractors: [...extractors] }
    const { findings, media } = await analyse(order)
    assert.equal(job.seconds, Math.ceil(media?.duration ?? 0))
    assertSame(extractors, results, findings)
  })

  it(
    'is a recording in which nobody speaks: there is nothing to hear after its sound',
    slow,
    async () => {
      const user = await server.user()
      const path = await makeClip(folder, '-f lavfi -i anullsrc=r=16000:d=6 -c:a flac silent.flac')
      const body = { content_id: await upload(user, path), workflow: 'transcription' }
      const { id } = (await user.client.createJob({ body })).job
      const job = await jobEnd(user, id)
      assert.equal(job.status, 'completed', JSON.stringify(job.error))
      assert.equal(stepsOf(id, 'part-ended').length, 1, 'its sound')
      const { results } = await user.client.getJobResults({ params: { id }, query: {} })
      assert.deepEqual(results.transcription?.words, [])
      await assertSettled(job, 1)
    },
  )

  it('is joined where its last part ends before its frames are analysed', slow, async () => {
    const user = await server.user()
    let isKilled = false
    onStep = async (step, { job: { id }, pid }) => {
      if (step === 'analysis-started' && stepsOf(id, 'parts-placed').length === 1 && !isKilled) {
        isKilled = true
        if (pid) process.kill(pid, 'SIGKILL')
      }
      if (isFirstSpeech(id)) {
        await until(() => stepsOf(id, 'analysis-over').length, 2)
      }
      if (step !== 'analysis-over' || stepsOf(id, step).length !== 2) return
      await until(() => stepsOf(id, 'part-ended').length, 7)
    }
    const { id } = await placeSpoken(user)
    const job = await jobEnd(user, id)
    assert.ok(isKilled, 'the first who analysed them was killed')
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    assert.deepEqual(
      job.extractors.map((extractor) => extractor.status),
      ['done', 'done', 'done'],
    )
    await assertSettled(job, 1)
  })

  /** When another version of the engine had done what is there of the film. */
  for (const [when, count] of [
    ['parts-placed', 1],
    ['part-measured', 6],
  ] as const) {
    it(`begins again where another version measured it: at ${when}`, slow, async () => {
      const user = await server.user()
      onStep = async (step, { job }) => {
        if (step !== when || stepsOf(job.id, step).length !== count) return
        await server.ctx.pool.query('update jobs set measures_version = 1 where id = $1', [job.id])
      }
      const id = await place(user)
      const job = await jobEnd(user, id)
      assert.equal(job.status, 'completed', JSON.stringify(job.error))
      assert.equal(stepsOf(id, 'parts-placed').length, 2)
      const ended = stepsOf(id, 'part-ended').length
      assert.equal(ended === 12, when === 'part-measured', 'nothing is measured in vain')
      assert.equal(job.cost_usd, 8 * 0.009)
      await assertSettled(job, 1)
    })
  }

  it('stops in all workers when it is canceled, and costs what had been finished', async () => {
    const user = await server.user()
    let canceling: Promise<unknown> | undefined
    onStep = (step, { job }) => {
      if (step !== 'part-started') return
      canceling ??= user.client.cancelJob({ params: { id: job.id } })
    }
    const id = await place(user)
    const job = await jobEnd(user, id)
    await canceling
    assert.equal(job.status, 'canceled')
    await until(() => stepsOf(id, 'part-cleaned').length, stepsOf(id, 'part-claimed').length)
    assert.equal(stepsOf(id, 'end-begun').length, 0, 'nobody joins it')
    assert.equal(job.cost_usd, 8 * 0.001, 'the metadata was there before it was taken apart')
    await assertSettled(job, 1)
  })

  it('survives a worker that lost its part: what it brings late is not kept', slow, async () => {
    const user = await server.user()
    let isLost = false
    onStep = async (step, { job }) => {
      if (step !== 'part-stored' || isLost) return
      isLost = true
      // As if this process had been away for longer than its lease, and others had noticed.
      await server.ctx.pool.query(
        `update work set state = 'waiting', leased_until = null, fence = fence + 1
          where job_id = $1 and fence = $2 and state = 'leased'`,
        [job.id, job.fence],
      )
      await until(
        () => stepsOf(job.id, 'part-claimed').length,
        (count) => count > 6,
      )
    }
    const id = await place(user)
    const job = await jobEnd(user, id)
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    await assertSettled(job, 1)
  })

  it('ends with what was found before when its content is deleted', slow, async () => {
    const user = await server.user()
    onStep = async (step, { job }) => {
      if (step !== 'parts-placed') return
      const { job: placed } = await user.client.getJob({ params: { id: job.id } })
      await user.client.deleteContent({ params: { id: placed.content_id ?? '' } })
    }
    const id = await place(user)
    const job = await jobEnd(user, id)
    assert.deepEqual([job.status, job.partial], ['completed', true], JSON.stringify(job.error))
    assert.deepEqual(
      job.extractors.map((extractor) => [extractor.id, extractor.error?.code ?? null]),
      [
        ['ffprobe', null],
        ['thumbnail', 'fetch_failed'],
        ['shots', 'fetch_failed'],
      ],
    )
    assert.equal(job.cost_usd, 8 * 0.001)
    await until(() => stepsOf(id, 'part-cleaned').length, stepsOf(id, 'part-claimed').length)
    await assertSettled(job, 1)
  })

  it('fails after the third fault of a part, and costs nothing', slow, async () => {
    const user = await server.user()
    onStep = (step, { pid }) => {
      if (step === 'part-started' && pid) process.kill(pid, 'SIGKILL')
    }
    const id = await place(user)
    const job = await jobEnd(user, id)
    assert.equal(job.status, 'failed')
    assert.equal(job.error?.code, 'internal')
    assert.equal(job.cost_usd, 0)
    await assertSettled(job, 0)
  })
})
