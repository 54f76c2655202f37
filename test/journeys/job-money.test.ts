/** Prices of jobs that are heavier than their length, are canceled late, or fail. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallError } from '../../contract/endpoint.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { endJob } from '../../server/jobs/end.ts'
import { openWorks } from '../support/job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('the money of jobs', { timeout: 300_000 }, () => {
  const works = use(openWorks)

  it(
    'counts more seconds for more pixels than 8K at 60 fps, and the quote shows it',
    slow,
    async () => {
      const user = await works.server.user()
      const { id } = await works.upload(user.token, works.clip)
      const heavy = { width: 10_000, height: 10_000, frames: 450, frame_rate: '450/1', duration: 1 }
      await works.server.ctx.pool.query('update content set media = media || $1 where id = $2', [
        JSON.stringify(heavy),
        id,
      ])
      const { quote } = await user.client.quoteJob({ body: { content_id: id, workflow: 'shots' } })
      assert.deepEqual(
        { media: quote.media_seconds, counted: quote.seconds, usd: quote.total_usd },
        { media: 1, counted: 23, usd: 0.069 },
      )
      assert.equal(quote.lines[0]?.seconds, 23)
    },
  )

  /**
   * Cancels when a job has run so long beyond the length of its media, by a clock that stands
   * still: at least a quarter of the work is done and none is kept.
   */
  async function cancelBeyondLength(ms: number): Promise<Job> {
    const user = await works.server.user()
    const { id: contentId } = await works.upload(user.token, works.clip)
    let isCanceled = false
    works.onStep = async (step, { job }) => {
      // Findings are kept only after this step.
      if (step !== 'analysis-started' || isCanceled) return
      isCanceled = true
      await works.server.ctx.pool.query(
        `update job_extractors set progress = 0.25, status = 'running' where job_id = $1`,
        [job.id],
      )
      const { ctx } = works.server
      const { claimed_at: claimedAt, media_seconds: seconds } = await ctx.db
        .selectFrom('jobs')
        .select(['claimed_at', 'media_seconds'])
        .where('id', '=', job.id)
        .executeTakeFirstOrThrow()
      const { now } = ctx
      ctx.now = () => new Date((claimedAt?.getTime() ?? 0) + Math.floor(seconds * 1000) + ms)
      await user.client.cancelJob({ params: { id: job.id } })
      ctx.now = now
    }
    const job = await works.runJob(user, contentId, 'shots')
    works.onStep = () => undefined
    assert.equal(job.status, 'canceled')
    const balance = await works.balanceOf(user)
    assert.deepEqual(balance, { available: 5_000_000 - job.cost_usd * 1_000_000, held: 0 })
    return job
  }

  it('charges a job that is canceled late for the share that was done', async () => {
    const { cost_usd: cost, extractors } = await cancelBeyondLength(3_600_000)
    const [shots] = extractors
    const share = 0.012 * (shots?.progress ?? 0)
    assert.ok(cost >= 0.003 && Math.abs(cost - share) < 0.000_002, `${cost} of ${share}`)
    assert.match(shots?.warning ?? '', /% of this was done and is charged/)
  })

  it('charges a job that is canceled before it ran longer than its media nothing', async () => {
    assert.equal((await cancelBeyondLength(0)).cost_usd, 0)
    assert.ok((await cancelBeyondLength(1)).cost_usd >= 0.003)
  })

  /** A clip of four seconds that its header says lasts ten. */
  async function uploadBoaster(token: string): Promise<string> {
    const { id } = await works.upload(token, works.clip)
    await works.server.ctx.pool.query('update content set media = media || $1 where id = $2', [
      JSON.stringify({ duration: 10, duration_time: '10/1', frames: 250 }),
      id,
    ])
    return id
  }

  it(
    'charges finished extractors of a canceled job for the true length, not the quoted one',
    slow,
    async () => {
      const user = await works.server.user()
      const contentId = await uploadBoaster(user.token)
      const body = { content_id: contentId, workflow: 'ffprobe,shots,thumbnail' }
      const { quote } = await user.client.quoteJob({ body })
      assert.equal(quote.seconds, 10)
      let kept = 0
      works.onStep = async (step, { job }) => {
        if (step !== 'result-kept') return
        kept += 1
        if (kept === 2) await user.client.cancelJob({ params: { id: job.id } })
      }
      const job = await works.runJob(user, contentId, 'ffprobe,shots,thumbnail')
      works.onStep = () => undefined
      assert.equal(job.status, 'canceled')
      const charged = job.extractors.filter((extractor) => extractor.cost_usd > 0)
      assert.equal(charged.length, 2)
      assert.equal(job.seconds, 4)
      const prices: Record<string, number> = { ffprobe: 0.001, shots: 0.003, thumbnail: 0.005 }
      const due = charged.reduce((sum, { id }) => sum + 4 * prices[id]!, 0)
      assert.ok(Math.abs(job.cost_usd - due) < 1e-9, `${job.cost_usd} for ${due}`)
    },
  )

  it('charges a share of the true length where a job is canceled late', async () => {
    const user = await works.server.user()
    const contentId = await uploadBoaster(user.token)
    let kept = 0
    works.onStep = async (step, { job }) => {
      if (step !== 'result-kept' || (kept += 1) !== 2) return
      await works.server.ctx.pool.query(
        `update job_extractors set progress = 0.5, status = 'running'
         where job_id = $1 and status in ('waiting', 'running')`,
        [job.id],
      )
      works.server.clock.offsetMs += 3_600_000
      await user.client.cancelJob({ params: { id: job.id } })
      works.server.clock.offsetMs -= 3_600_000
    }
    const job = await works.runJob(user, contentId, 'ffprobe,shots,thumbnail')
    works.onStep = () => undefined
    // The worker may have written a progress of its own in between.
    const late = job.extractors.find(({ progress }) => progress > 0 && progress < 1)
    const prices: Record<string, number> = { ffprobe: 0.001, shots: 0.003, thumbnail: 0.005 }
    assert.ok(late)
    const due = 4 * prices[late.id]! * late.progress
    assert.ok(Math.abs(late.cost_usd - due) <= 1e-6, `${late.cost_usd} for ${due}`)
  })

  it('keeps nothing of what a failed job had found: not to read, export, search or reuse', async () => {
    const user = await works.server.user()
    const { id: contentId } = await works.upload(user.token, works.clip)
    let hasFailed = false
    works.onStep = async (step, { job }) => {
      if (step !== 'result-kept' || hasFailed) return
      hasFailed = true
      // Nobody has read it (early-results.test.ts), and nobody else may rely on it yet.
      const asked = { content_id: contentId, workflow: 'ffprobe,shots' }
      const { quote } = await user.client.quoteJob({ body: asked })
      assert.ok(quote.lines.every((line) => !line.reused))
      const cause = { code: 'internal', message: 'It failed.' } as const
      const { ctx } = works.server
      await ctx.db
        .transaction()
        .execute((trx) => endJob(ctx, trx, { jobId: job.id, reason: 'failed', cause }))
    }
    const job = await works.runJob(user, contentId, 'ffprobe,shots')
    works.onStep = () => undefined
    assert.equal(job.status, 'failed')
    assert.equal(job.cost_usd, 0)
    const params = { id: job.id }
    const { results } = await user.client.getJobResults({ params, query: {} })
    assert.deepEqual(Object.keys(results), ['media'])
    const exported = await works.server.fetch(`/v1/jobs/${job.id}/export?format=json`, {
      token: user.token,
    })
    assert.equal(exported.status, 409)
    const { rowCount } = await works.server.ctx.pool.query(
      'select from job_results where account_id = $1',
      [user.accountId],
    )
    assert.equal(rowCount, 0)
    const again = await works.runJob(user, contentId, 'ffprobe,shots')
    assert.equal(again.status, 'completed')
    assert.equal(again.cost_usd, 0.016)
    const refused = user.client.retryJob({ params: { id: crypto.randomUUID() } })
    await assert.rejects(refused, (error: CallError) => error.status === 404)
  })
})
