import { parseRational } from '../../domain/time/rational.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { findSync, placeItems, readSync } from './read.ts'
import type { SyncRow } from './read.ts'

/** A day: no two recordings of one scene lie further apart. */
const maxOffsetSeconds = 86_400n

export const updateSync: Verb<'updateSync'> = async (ctx, actor, { params, body }) => {
  const target = { id: params.id, accountId: actor.accountId }
  await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, actor.accountId)
    const row = await findSync(trx, target)
    if (!row) throw notFound('The sync')
    if (body.name !== undefined) {
      await trx.updateTable('syncs').set({ name: body.name }).where('id', '=', target.id).execute()
    }
    for (const item of body.items ?? []) {
      const placement = readPlacement(row, item)
      row.placements = row.placements.filter(({ content_id: id }) => id !== item.content_id)
      const rows = trx
        .deleteFrom('sync_placements')
        .where('sync_id', '=', target.id)
        .where('content_id', '=', item.content_id)
      await rows.execute()
      if (placement === null) continue
      const placed = { sync_id: target.id, content_id: item.content_id, ...placement }
      await trx.insertInto('sync_placements').values(placed).execute()
      row.placements.push(placed)
    }
  })
  return { sync: await readSync(ctx, actor, target.id) }
}

/** Null: back to the place by sound. Where sound placed none, the first becomes the reference. */
function readPlacement(
  row: SyncRow,
  wanted: { content_id: string; offset: string | null; group?: number | undefined },
): { group_number: number; offset_time: string; is_reference: boolean } | null {
  if (row.status !== 'completed') {
    throw new Refusal('conflict', 'Items can be placed once the sync has completed.')
  }
  const places = placeItems(row)
  const index = row.items.findIndex((item) => item.content_id === wanted.content_id)
  if (index < 0) {
    throw new Refusal('invalid', 'This item is not part of the sync.', { field: 'content_id' })
  }
  const own = places[index]!
  const isOnly = places.every((place) => place === own || place.group === null)
  if (own.reference && !(own.method === 'hand' && isOnly && wanted.offset === null)) {
    throw new Refusal('invalid', 'The reference clip can’t be moved.', { field: 'content_id' })
  }
  if (wanted.offset === null) return null
  const offset = parseRational(wanted.offset)
  const limit = maxOffsetSeconds * (offset?.den ?? 1n)
  if (!offset || offset.num > limit || offset.num < -limit) {
    throw new Refusal('invalid', 'An offset lies within a day.', { field: 'offset' })
  }
  const group = own.group ?? wanted.group ?? 0
  if (group === 0 && !places.some((place) => place.reference)) {
    return { group_number: group, offset_time: '0/1', is_reference: true }
  }
  if (!places.some((place) => place.reference && place.group === group)) {
    throw new Refusal('invalid', 'There is no such group to place it in.', { field: 'group' })
  }
  return { group_number: group, offset_time: `${offset.num}/${offset.den}`, is_reference: false }
}
