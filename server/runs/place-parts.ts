/** Ends the preparation of a film: keeps its plan and places the rows that measure and join it. */
import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { needsNoWords } from '../../engine/extractors/registry.ts'
import { filmName, sourceName } from '../../engine/parts/artifacts.ts'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { uploadIdOf } from '../content/open.ts'
import type { OpenSource } from '../jobs/source.ts'
import type { Attempt } from '../work/steps.ts'
import type { PlannedFilm } from './analysis.ts'
import { handOn } from './hand-on.ts'

export async function placeParts(
  attempt: Attempt,
  film: PlannedFilm,
  source: OpenSource,
): Promise<void> {
  const { ctx, job, workDir } = attempt
  // An address is asked once: the next time it may take hours, or give other bytes.
  const isUpload = uploadIdOf(ctx, job.contentUrl) !== null
  if (!isUpload) await link(source.path, join(workDir, sourceName))
  const open = await ctx.db
    .selectFrom('job_extractors')
    .select('extractor')
    .where('job_id', '=', job.id)
    .where('status', 'in', ['waiting', 'running'])
    .execute()
  const mayGoAhead = open.some(({ extractor }) => needsNoWords(extractor))
  await handOn(attempt, {
    names: isUpload ? [filmName] : [filmName, sourceName],
    next: [
      // Speech waits for the sound, so the sound goes first; the proxy's sound is the next longest.
      { kind: 'sound', seconds: [film.soundSeconds] },
      { kind: 'proxy', seconds: film.hasProxySound ? [film.soundSeconds] : [] },
      { kind: 'frames', seconds: film.segmentSeconds },
      {
        kind: 'analyse-frames',
        seconds: mayGoAhead ? [0] : [],
        after: ['sound', 'proxy', 'frames'],
      },
      {
        kind: 'join',
        seconds: [0],
        after: ['sound', 'proxy', 'frames', 'voices', 'speech', 'analyse-frames'],
      },
    ],
    write: (trx) =>
      trx
        .updateTable('jobs')
        .set({ measures_version: measuresVersion })
        .where('id', '=', job.id)
        .execute(),
    steps: { written: 'parts-written', ended: 'parts-placed' },
  })
}
