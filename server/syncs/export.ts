/** A group of a sync as a file for editing software. */
import { parseRational } from '../../domain/time/rational.ts'
import { readPreferences } from '../sign-in/preferences.ts'
import { attachment } from '../content/file-name.ts'
import { readFolders } from '../cuts/export.ts'
import { frameTimesOf, findSources } from '../cuts/sources.ts'
import { makeExport } from '../findings/make-export.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { notesHeader } from '../http/notes-header.ts'
import { findSync, placeItems } from './read.ts'

export const exportSync: Verb<'exportSync'> = async (ctx, actor, { params, query }, { reply }) => {
  const { accountId } = actor
  const { format, ...options } = query
  const row = await findSync(ctx.db, { id: params.id, accountId })
  if (!row) throw notFound('The sync')
  if (row.status !== 'completed') {
    throw new Refusal('conflict', 'The sync has not completed, so there is nothing to export.')
  }
  const saved = row.items.map((item) => ({
    content_id: item.content_id,
    name: item.content_name,
    sha256: item.content_sha256,
    media: item.media,
  }))
  const contentIds = saved.map((item) => item.content_id)
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
          content_id: id,
          name: source.name,
          offline: source.offline,
          media: source.media,
          frame_times: await frameTimesOf(ctx, accountId, source),
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
  await reply
    .header('content-disposition', attachment(file.fileName))
    .header('content-security-policy', 'sandbox')
    .header('cache-control', 'private, no-store')
    .header('x-export-notes', notesHeader(file.notes))
    .header('access-control-expose-headers', 'X-Export-Notes, Content-Disposition')
    .type(file.contentType)
    .send(typeof file.body === 'string' ? file.body : Buffer.from(file.body))
}
