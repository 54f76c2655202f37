/** Looks on while workers analyse a film, and says how long each part was somebody's. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../../server/ground/context.ts'
import type { PartTimes } from '../engine/run-parts.ts'

const everyMs = 50

interface Held {
  kind: string
  position: number
  fromMs: number
  toMs: number
}

/** Settles when the job has ended. */
export async function recordParts({ db }: Context, jobId: string): Promise<PartTimes> {
  const held = new Map<string, Held>()
  for (;;) {
    const job = await db
      .selectFrom('jobs')
      .select('finished_at')
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow()
    const leased = await db
      .selectFrom('work')
      .select(['id', 'kind', 'position'])
      .where('job_id', '=', jobId)
      .where('state', '=', 'leased')
      .execute()
    const nowMs = Date.now()
    for (const { id, ...work } of leased) {
      const before = held.get(id)
      if (before) before.toMs = nowMs
      else held.set(id, { ...work, fromMs: nowMs, toMs: nowMs })
    }
    if (job.finished_at) return timesOf([...held.values()])
    await wait(everyMs)
  }
}

function timesOf(held: readonly Held[]): PartTimes {
  const all = (kind: string): number[] =>
    held
      .filter((item) => item.kind === kind)
      .toSorted((a, b) => a.position - b.position)
      .map(({ fromMs, toMs }) => (toMs - fromMs + everyMs) / 1000)
  const sumOf = (kind: string): number => all(kind).reduce((sum, seconds) => sum + seconds, 0)
  return {
    prepare: sumOf('whole'),
    sound: sumOf('sound'),
    proxy: sumOf('proxy'),
    voices: sumOf('voices'),
    frames: all('frames'),
    speech: all('speech'),
    analyseFrames: sumOf('analyse-frames'),
    join: sumOf('join'),
  }
}
