/** Takes a film's job apart: its worker keeps the plan and leaves the looking to all of them. */
import { randomUUID } from 'node:crypto'
import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { filmName, sourceName } from '../../engine/parts/hand-over.ts'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { uploadIdOf } from '../content/open.ts'
import { notify } from '../db/notify.ts'
import { dropWritten, ownObjects } from '../storage/unowned-objects.ts'
import type { PlannedFilm } from './analysis.ts'
import type { Attempt } from '../work/steps.ts'
import { addParts } from '../work/claim-part.ts'
import { underFence } from '../work/claim.ts'
import { putFiles } from './put-files.ts'
import type { OpenSource } from '../jobs/source.ts'
import { keysOf } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'

export async function placeParts(
  attempt: Attempt,
  film: PlannedFilm,
  source: OpenSource,
): Promise<void> {
  const { ctx, job, workDir } = attempt
  // An address is asked once: the next time it may take hours, or give other bytes.
  const isUpload = uploadIdOf(ctx, job.contentUrl) !== null
  if (!isUpload) await link(source.path, join(workDir, sourceName))
  const prepareId = randomUUID()
  const files = await putFiles(ctx, {
    names: isUpload ? [filmName] : [filmName, sourceName],
    workDir,
    folder: `parts/${prepareId}`,
    writer: writerOf(job),
    underFence: (write) => underFence(ctx, job, write),
  })
  try {
    await underFence(ctx, job, async (trx) => {
      await ownObjects(trx, keysOf(files))
      await trx
        .insertInto('job_parts')
        .values({
          id: prepareId,
          job_id: job.id,
          account_id: job.accountId,
          kind: 'prepare',
          position: 0,
          status: 'done',
          seconds: 0,
          turn: 0,
        })
        .execute()
      await trx
        .insertInto('job_part_files')
        .values(files.map((file) => ({ part_id: prepareId, ...file })))
        .execute()
      const owner = { jobId: job.id, accountId: job.accountId }
      // Speech waits for the sound, so the sound goes first; the proxy's sound is the next longest.
      await addParts(trx, owner, { kind: 'sound', seconds: [film.soundSeconds] })
      const proxySeconds = film.hasProxySound ? [film.soundSeconds] : []
      await addParts(trx, owner, { kind: 'proxy', seconds: proxySeconds })
      await addParts(trx, owner, { kind: 'pictures', seconds: film.segmentSeconds })
      await trx
        .updateTable('jobs')
        .set({
          stage: 'parts',
          measures_version: measuresVersion,
          left_parts: 1 + proxySeconds.length + film.segmentSeconds.length,
          leased_until: null,
          fence: sql`fence + 1`,
          // Its tries were used for what is done; the join has its own.
          attempt: 0,
        })
        .where('id', '=', job.id)
        .execute()
      await notify(trx, 'job_waiting', {})
      await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
      await attempt.step('parts-written')
    })
  } catch (error) {
    await dropWritten(ctx, keysOf(files))
    throw error
  }
  await attempt.step('parts-placed')
}
