/**
 * Growth: two APIs and two workers, each with a disk of its own, share one PostgreSQL and one S3.
 * One of each is killed in the middle of the work, and nobody but the operator notices.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { ApiClient } from '../../contract/api.ts'
import { createClient } from '../../client/create-client.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { checkLedger } from '../../server/billing/check.ts'
import { startApiProcess, startWorkerProcess } from '../support/api-process.ts'
import type { ApiProcess, WorkerProcess } from '../support/api-process.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import { giveStoreKeys } from '../support/store-keys.ts'
import type { TestServer } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { startS3 } from '../support/strict-s3.ts'

describe('two of each', slow, () => {
  let dir: string
  let s3: Awaited<ReturnType<typeof startS3>>
  let server: TestServer
  let apis: ApiProcess[]
  let workers: WorkerProcess[]

  let takeKeysBack = (): void => undefined
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'cutindex-two-'))
    s3 = await startS3()
    takeKeysBack = giveStoreKeys()
    const endpoint = `http://127.0.0.1:${s3.port}`
    const shared = { STORAGE_URL: `s3://${s3.bucket}/files`, S3_ENDPOINT: endpoint }
    server = await startTestServer({ environment: shared })
    const machine = (name: string): { environment: Record<string, string> } => ({
      environment: {
        ...shared,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
        WORKER_JOBS: '1',
        SEGMENT_SECONDS: '10',
        DATA_DIR: join(dir, name),
      },
    })
    apis = await Promise.all(
      ['api-1', 'api-2'].map((name) => startApiProcess(server, machine(name))),
    )
    workers = await Promise.all(
      ['worker-1', 'worker-2'].map((name) => startWorkerProcess(server, machine(name))),
    )
  })
  after(async () => {
    takeKeysBack()
    await Promise.all([...apis, ...workers].map((running) => running.stop('SIGKILL')))
    await server.stop()
    await s3.stop()
    await rm(dir, { recursive: true, force: true })
  })

  test('a killed API and a killed worker cost nobody a job, a cent or a file', async () => {
    const [firstApi, secondApi] = apis
    const [firstWorker] = workers
    assert.ok(firstApi && secondApi && firstWorker)
    const user = await server.user()
    const at = (process: ApiProcess): ApiClient =>
      createClient(api, { base: process.url, token: () => user.token })
    const clip = { seconds: 40, size: '320x180' }
    const content = await uploadClip(firstApi.url, user.token, clip)
    const ids: string[] = []
    for (const workflow of ['ffprobe,shots', 'ffprobe,thumbnail']) {
      const body = { content_id: content.id, workflow }
      ids.push((await at(firstApi).createJob({ body }, { idempotencyKey: workflow })).job.id)
    }
    // Each worker has room for one job, so that both work when none waits any more.
    await untilJobs(at(secondApi), ids, (job) => job.status !== 'queued')
    await Promise.all([firstWorker.stop('SIGKILL'), firstApi.stop('SIGKILL')])
    let deaths = 0
    const jobs = await untilJobs(
      at(secondApi),
      ids,
      (job) => job.finished_at !== null,
      async () => {
        deaths = Math.max(deaths, await countDeaths(user.accountId))
      },
    )
    assert.deepEqual(
      jobs.map((job) => job.status),
      ['completed', 'completed'],
    )
    // The client that lost its answer asks again at the other API, and no third job is made.
    const body = { content_id: content.id, workflow: 'ffprobe,shots' }
    const again = await at(secondApi).createJob({ body }, { idempotencyKey: body.workflow })
    assert.equal(again.job.id, ids[0])
    const rows = await server.ctx.db
      .selectFrom('jobs')
      .select(['id', 'cost_micros'])
      .where('account_id', '=', user.accountId)
      .execute()
    assert.equal(rows.length, 2)
    assert.equal(deaths, 1, 'the killed worker had a job, or a part of one')
    for (const row of rows) {
      const { rows: captures } = await server.ctx.pool.query<{ amount_micros: number }>(
        "select amount_micros from ledger_transactions where job_id = $1 and kind = 'capture'",
        [row.id],
      )
      assert.deepEqual(captures, [{ amount_micros: -row.cost_micros }])
    }
    assert.ok((await checkLedger(server.ctx.db)).ok)
    await readFiles(secondApi, user.token, ids)
  })

  async function untilJobs(
    client: ApiClient,
    ids: string[],
    isSo: (job: Job) => boolean,
    onLook: () => Promise<void> = async () => undefined,
  ): Promise<Job[]> {
    return until(
      async () => {
        await onLook()
        const answers = await Promise.all(ids.map((id) => client.getJob({ params: { id } })))
        return answers.map(({ job }) => job)
      },
      (jobs) => jobs.every(isSo),
    )
  }

  /** Counts deaths in rows of work; rows of parts are gone when their job has ended. */
  async function countDeaths(accountId: string): Promise<number> {
    const { rows } = await server.ctx.pool.query<{ deaths: number }>(
      `select coalesce(sum(deaths), 0)::int as deaths from work where account_id = $1`,
      [accountId],
    )
    return rows[0]?.deaths ?? 0
  }

  async function readFiles(from: ApiProcess, token: string, ids: string[]): Promise<void> {
    const files = await server.ctx.db
      .selectFrom('job_extractors as e')
      .innerJoin('job_result_files as f', 'f.result_id', 'e.result_id')
      .select(['e.job_id', 'f.name', 'f.bytes'])
      .where('e.job_id', 'in', ids)
      .execute()
    assert.ok(files.length > 0)
    for (const { job_id: id, name, bytes } of files) {
      const answer = await fetch(`${from.url}/v1/jobs/${id}/files/${name}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.status, 200, name)
      assert.equal((await answer.arrayBuffer()).byteLength, bytes, name)
    }
  }
})
