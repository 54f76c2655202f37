/** Server and worker in one process, for journeys that run jobs on small clips. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { readBalance } from '../../server/billing/balance.ts'
import type { RunOptions } from '../../server/runs/run.ts'
import { startWorking } from '../../server/runs/work.ts'
import { startTestServer } from './app.ts'
import type { TestServer, TestUser } from './app.ts'
import { until } from './until.ts'
import { uploadFile } from './upload.ts'

export interface Works extends JobActions, AsyncDisposable {
  server: TestServer
  folder: string
  /**
   * Four seconds with a cut in the middle: with a tone, and without any sound. The tone is high:
   * once they are encoded, lower ones begin like a voice, and every test would load the recogniser.
   */
  clip: Buffer
  silentClip: Buffer
  /** Runs when the worker comes to a step; a test may change it. */
  onStep: RunOptions['onStep']
  stop: () => Promise<void>
}

export interface JobActions {
  upload: (token: string, bytes: Buffer, name?: string) => Promise<ContentItem>
  /** Runs a job to its end, whatever that is. */
  runJob: (user: TestUser, contentId: string, workflow: string) => Promise<Job>
  untilEnded: (user: TestUser, id: string) => Promise<Job>
  /** By the ledger's own sums. */
  balanceOf: (user: { accountId: string }) => Promise<{ available: number; held: number }>
}

export async function openWorks(): Promise<Works> {
  const server = await startTestServer()
  const worker = await startWorking(server.ctx, {
    slots: 1,
    onStep: (step, at) => works.onStep(step, at),
  })
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-jobs-'))
  const picture = `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2
    -f lavfi -i color=red:size=160x90:rate=25:duration=2`
  const joined = '[0][1]concat=n=2:v=1[v] -map [v]'
  const codec = '-c:v libx264 -preset ultrafast -timecode 01:00:00:00'
  const [clip, silentClip] = await Promise.all([
    makeClip(
      folder,
      `${picture} -f lavfi -i sine=1000:duration=4 -filter_complex ${joined} -map 2:a ${codec} -c:a aac clip.mp4`,
    ),
    makeClip(folder, `${picture} -filter_complex ${joined} ${codec} silent.mp4`),
  ])
  const stop = async (): Promise<void> => {
    await worker.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const works: Works = {
    server,
    folder,
    clip: await readFile(clip),
    silentClip: await readFile(silentClip),
    onStep: () => undefined,
    ...jobActions(server),
    stop,
    [Symbol.asyncDispose]: stop,
  }
  return works
}

export function jobActions(server: TestServer): JobActions {
  return {
    upload: (token, bytes, name) => uploadFile(server, token, bytes, name),
    async runJob(user, contentId, workflow) {
      const { job } = await user.client.createJob({ body: { content_id: contentId, workflow } })
      return jobEnd(user, job.id)
    },
    untilEnded: jobEnd,
    async balanceOf({ accountId }) {
      const now = server.ctx.now()
      const balance = await readBalance(server.ctx.db, { accountId, now })
      return { available: balance.availableMicros, held: balance.heldMicros }
    },
  }
}

/** Waits until a job has ended, however that is. */
export async function jobEnd(user: Pick<TestUser, 'client'>, id: string): Promise<Job> {
  const { job } = await until(
    () => user.client.getJob({ params: { id } }),
    ({ job }) => job.finished_at !== null,
  )
  return job
}
