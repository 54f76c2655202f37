/**
 * `npm run bench -- workers [minutes [extractors]]`: how much sooner a film is done by two workers
 * than by one. The product's own processes, an API and workers of one core each (`taskset`), with a
 * real PostgreSQL and store, analyse the same film for one account and then for another. Wall time
 * is what counts here, so nothing else should run; the parts' times of the first run are recorded,
 * and the simulation of `split` says what they would come to without disturbance.
 */
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { api } from '../../../contract/api.ts'
import { fullAnalysis } from '../../../domain/money/catalogue.ts'
import { fromUsd } from '../../../domain/money/money.ts'
import { createClient } from '../../../client/create-client.ts'
import { makeClip } from '../../../engine/clips.testing.ts'
import { adjust } from '../../../server/billing/ledger.ts'
import { startApiProcess, startWorkerProcess } from '../../../test/support/api-process.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { TestServer } from '../../../test/support/app.ts'
import { uploadFile } from '../../../test/support/upload.ts'
import { recordParts } from './record-parts.ts'
import type { PartTimes } from '../engine/run-parts.ts'
import { simulate } from '../engine/split.ts'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { print } from '../figures.ts'

const sample = resolve(import.meta.dirname, '../../../assets/sample.mp4')
const maxRatio = 0.58

export async function run([minutes = '10', workflow = fullAnalysis.join(',')]: string[] = []) {
  if (availableParallelism() < 2) throw new Error('Two workers of one core need two cores.')
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'bench-workers-'))
  const folder = scratch.path
  await using server = await startTestServer()
  const length = `-t ${Number(minutes) * 60}`
  const file = await makeClip(folder, `-stream_loop -1 -i ${sample} ${length} -c copy film.mp4`)
  const rounds: Awaited<ReturnType<typeof analyseOnce>>[] = []
  for (const count of [1, 2]) {
    const round = await analyseOnce(server, { file, workflow, workers: count })
    console.log(`${count} one-core: ${round.seconds.toFixed(0)} s for ${minutes} min of film`)
    rounds.push(round)
  }
  const [single, pair] = [rounds[0]!, rounds[1]!]
  print('two workers ÷ one, measured', pair.seconds / single.seconds, { max: maxRatio })
  console.log(`parts as one worker ran them: ${describe(single.times)}`)
  const [alone, both] = [1, 2].map((workers) => simulate(single.times, workers).wall)
  print('two workers ÷ one, simulated with these times', both! / alone!, { max: maxRatio })
  const waited = single.seconds / alone!
  console.log(`measured ÷ simulated, one worker: ${waited.toFixed(2)} (claims, files, polling)`)
}

/** An account of its own each time: what one has analysed before costs nothing. */
async function analyseOnce(
  server: TestServer,
  { file, workflow, workers: count }: { file: string; workflow: string; workers: number },
): Promise<{ seconds: number; times: PartTimes }> {
  const user = await server.user()
  const credit = { amountMicros: fromUsd('1000'), reason: 'bench', reference: user.accountId }
  await adjust(server.ctx.db, { accountId: user.accountId, now: server.ctx.now(), ...credit })
  const house = await startApiProcess(server)
  const workers = await Promise.all(
    Array.from({ length: count }, (_, core) =>
      startWorkerProcess(server, {
        wrap: ['taskset', '-c', String(core)],
        environment: { WORKER_JOBS: '1' },
      }),
    ),
  )
  try {
    const client = createClient(api, { base: house.url, token: () => user.token })
    const content = await uploadFile(house, user.token, await readFile(file), 'film.mp4')
    const begunMs = Date.now()
    const { job } = await client.createJob({ body: { content_id: content.id, workflow } })
    const times = await recordParts(server.ctx, job.id)
    const seconds = (Date.now() - begunMs) / 1000
    const { job: ended } = await client.getJob({ params: { id: job.id } })
    if (ended.status !== 'completed' || ended.partial) throw new Error(JSON.stringify(ended))
    return { seconds, times }
  } finally {
    await Promise.all([house, ...workers].map((item) => item.stop()))
  }
}

function describe({ frames, speech, ...once }: PartTimes): string {
  const named = { ...once, frames, speech }
  return Object.entries(named)
    .map(
      ([name, value]) =>
        `${name} ${[value]
          .flat()
          .map((item) => item.toFixed(1))
          .join(', ')}`,
    )
    .join('; ')
}
