/**
 * Creating a job and listing jobs with 10,000 jobs in the queue of 200 accounts, as a ratio to the
 * same with 100 jobs, in one run: creating by the verb, listing over HTTP. Claiming the next job is
 * measured beside them. Rounds alternate between the two databases, so that whatever else the
 * machine does weighs on both alike.
 */
import { randomUUID } from 'node:crypto'
import type { Media } from '../../../domain/findings/findings.ts'
import { claimNext } from '../../../server/work/claim.ts'
import { placeJob } from '../../../server/jobs/create.ts'
import type { JobPlan } from '../../../server/jobs/quote.ts'
import { startTestServer } from '../../../test/support/app.ts'
import type { TestServer, TestUser } from '../../../test/support/app.ts'
import { median, print, timed } from '../figures.ts'

const accountsCount = 200
const maxRatio = 2
const placesAtOnce = 8

interface Stage extends AsyncDisposable {
  server: TestServer
  users: TestUser[]
}

type Act = (stage: Stage, round: number) => Promise<unknown>

export async function run(args: string[] = []): Promise<void> {
  const many = Number(args[0] ?? 10_000)
  const few = Math.ceil(many / 100)
  const rounds = Number(args[1] ?? 200)
  await using small = await openStage(few)
  await using large = await openStage(many)
  for (const [name, act] of Object.entries(acts)) {
    for (let round = 0; round < 20; round++) {
      await act(small, round)
      await act(large, round)
    }
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.small.push(await timed(() => act(small, round)))
      times.large.push(await timed(() => act(large, round)))
    }
    const [largeMs, smallMs] = [median(times.large), median(times.small)]
    const more = `median ${largeMs.toFixed(1)} ms against ${smallMs.toFixed(1)} ms`
    const label = `jobs: ${name} with ${many} jobs queued / with ${few}`
    print(label, largeMs / smallMs, { max: maxRatio }, more)
  }
}

const acts: Record<string, Act> = {
  creating: (stage, round) => {
    const { accountId } = userOf(stage, round)
    return placeJob(stage.server.ctx, planFor(accountId))
  },
  listing: (stage, round) =>
    userOf(stage, round).client.listJobs({ query: { limit: 20, status: 'queued' } }),
  claiming: ({ server }) => claimNext(server.ctx, { leaseMs: 600_000 }),
}

async function openStage(jobs: number): Promise<Stage> {
  const server = await startTestServer()
  const users: TestUser[] = []
  for (let count = 0; count < accountsCount; count++) users.push(await server.user())
  const stage = { server, users, [Symbol.asyncDispose]: () => server.stop() }
  let placed = 0
  const place = async (): Promise<void> => {
    while (placed < jobs) {
      const { accountId } = userOf(stage, placed++)
      await placeJob(server.ctx, planFor(accountId))
    }
  }
  await Promise.all(Array.from({ length: placesAtOnce }, place))
  await server.ctx.pool.query('vacuum analyze')
  return stage
}

function userOf(stage: Stage, turn: number): TestUser {
  const user = stage.users[turn % stage.users.length]
  if (!user) throw new Error('There are no accounts.')
  return user
}

/** One second of picture, which costs a tenth of a cent: five dollars pay for all rounds. */
function planFor(accountId: string): JobPlan {
  const name = `${randomUUID()}.mp4`
  const url = `https://media.example.com/${name}`
  return {
    accountId,
    source: { contentId: null, url, name, sha256: null, media, vocabulary: [] },
    extractors: ['ffprobe'],
    versions: new Map(),
    options: {},
    mediaSeconds: 1,
    seconds: 1,
    isSample: false,
    isTest: false,
  }
}

const media: Media = {
  kind: 'video',
  container: 'mp4',
  duration: 1,
  duration_time: '1/1',
  frames: 25,
  frame_rate: '25/1',
  variable_frame_rate: false,
  time_base: '1/12800',
  start_timecode: null,
  drop_frame: false,
  reel: null,
  width: 640,
  height: 360,
  rotation: 0,
  pixel_aspect: '1/1',
  video_codec: 'h264',
  audio: [],
  pages: null,
}
