/**
 * Fifteen seconds that are taken apart where `SEGMENT_SECONDS` is 1: two segments of frames, and
 * two sentences so far from each other that two parts hear them.
 */
import { resolve } from 'node:path'
import { makeClip } from '../../engine/clips.testing.ts'
import type { Context } from '../../server/ground/context.ts'

const sample = resolve(import.meta.dirname, '../../assets/sample.mp4')

export const spokenFilm = {
  environment: { SEGMENT_SECONDS: '1' },
  seconds: 15,
  first: /waited for the fog/,
  second: /river scene/,
  make: (folder: string): Promise<string> =>
    makeClip(
      folder,
      `-f lavfi -i testsrc2=size=160x90:rate=12:duration=15 -ss 4 -t 4 -i ${sample} -t 3 -i ${sample}
       -filter_complex [1:a]apad=whole_dur=12[first];[first][2:a]concat=n=2:v=0:a=1[said]
       -map 0:v -map [said] -c:v libx264 -preset ultrafast -g 90 -sc_threshold 0 -c:a aac film.mp4`,
    ),
  /** How many speech parts of a job are done. */
  heardParts: async (ctx: Pick<Context, 'db'>, jobId: string): Promise<number> => {
    const { count } = await ctx.db
      .selectFrom('work')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('job_id', '=', jobId)
      .where('kind', '=', 'speech')
      .where('state', '=', 'done')
      .executeTakeFirstOrThrow()
    return count
  },
}
