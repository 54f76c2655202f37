/** A group of a sync as a file for editing software. */
import { parseRational } from '../../domain/time/rational.ts'
import { readPreferences } from '../sign-in/preferences.ts'
import { exportedSource, readFolders } from '../cuts/export.ts'
import { findSources } from '../cuts/sources.ts'
import { makeExport, sendExport } from '../findings/make-export.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { findSync, placeItems, savedSources } from './read.ts'

export const exportSync: Verb<'exportSync'> = async (ctx, actor, { params, query }, { reply }) => {
  const { accountId } = actor
  const { format, ...options } = query
  const row = await findSync(ctx.db, { id: params.id, accountId })
  if (!row) throw notFound('The sync')
  if (row.status !== 'completed') {
    throw new Refusal('conflict', 'The sync has not completed, so there is nothing to export.')
  }
  const { contentIds, saved } = savedSources(row)
  const [known, preferences, folders] = await Promise.all([
    findSources(ctx, accountId, { contentIds, saved }),
    readPreferences(ctx, accountId),
    readFolders(ctx, accountId),
  ])
  const places = placeItems(row)
  const leftOut: string[] = []
  const items = await Promise.all(
    saved.flatMap(({ content_id: id, name }, index) => {
      const place = places[index]!
      const source = known.get(id)
      const isPlaced = place.group === options.group && place.offset !== null
      if (!isPlaced || !source || !parseRational(place.offset ?? '')) {
        leftOut.push(source?.name ?? name)
        return []
      }
      return [
        (async () => ({
          ...(await exportedSource(ctx, accountId, source)),
          folder: folders.byContent.get(id) ?? preferences.media_folder ?? null,
          offset: place.offset ?? '0/1',
          driftPpm: place.drift_ppm,
          isReference: place.reference,
        }))(),
      ]
    }),
  )
  const file = await makeExport(ctx, accountId, {
    sync: { name: row.name, items },
    leftOut,
    format,
    options,
  })
  await sendExport(reply, file)
}
