/** Jobs whose source is in the hands of somebody who means harm. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { describe, it } from 'node:test'
import { startWorking } from '../../server/runs/work.ts'
import type { TestUser } from '../support/app.ts'
import { openWorks } from '../support/job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

describe('jobs of somebody who means harm', { timeout: 300_000 }, () => {
  const works = use(openWorks)
  // Beside the one place of the works: two in all, as the product has.
  use(() => startWorking(works.server.ctx, { slots: 1 }))
  /** Answers for the address; a test changes it. */
  let answer: RequestListener
  const elsewhere = use(() => startHttp((request, response) => answer(request, response)))

  it('an account whose addresses never end leaves a place to the others', async () => {
    const [harm, other] = [await works.server.user(), await works.server.user()]
    answer = (request, response) => {
      response.writeHead(200, { 'content-length': works.clip.length })
      // The look at it gets the file; the job waits for the rest of it.
      if (request.headers.range) response.end(works.clip)
      else response.write(works.clip.subarray(0, 100))
    }
    const jobs = []
    for (const name of ['a', 'b', 'c']) {
      const body = { content_url: `${elsewhere.url}/${name}.mp4`, workflow: 'ffprobe' }
      jobs.push((await harm.client.createJob({ body })).job)
    }
    const { id } = await works.upload(other.token, works.clip)
    const { status, error } = await works.runJob(other, id, 'ffprobe')
    assert.equal(status, 'completed', JSON.stringify(error))
    for (const { id: jobId } of jobs) await harm.client.cancelJob({ params: { id: jobId } })
  })

  it(
    'a flood of exports is refused, and another account’s export is made meanwhile',
    slow,
    async () => {
      const [harm, other] = [await works.server.user(), await works.server.user()]
      const address = async (user: TestUser): Promise<string> => {
        const { id } = await works.upload(user.token, works.clip)
        const job = await works.runJob(user, id, 'shots')
        const selects = Array.from({ length: 500 }, (_, at) => ({
          id: randomUUID(),
          name: '',
          start_frame: at % 90,
          end_frame: (at % 90) + 5,
        }))
        const nothing = { accepted_cut_frames: [], rejected_cut_frames: [], shot_threshold: null }
        await user.client.saveReview({ params: { id: job.id }, body: { selects, ...nothing } })
        return `/v1/jobs/${job.id}/export?format=xml&which=selects`
      }
      const [flooded, wanted] = [await address(harm), await address(other)]
      const flood = Array.from({ length: 60 }, () => works.server.fetch(flooded, harm))
      const answered = await works.server.fetch(wanted, other)
      assert.equal(answered.status, 200)
      const statuses = (await Promise.all(flood)).map(({ status }) => status)
      assert.deepEqual(new Set(statuses), new Set([200, 429]))
    },
  )
})
