/** Syncs as the wire shows them: the job's state, what was found, and what a person moved. */
import type { CutSource } from '../../contract/footage/cuts.ts'
import { toUsd } from '../../domain/money/money.ts'
import type { Sync, SyncItem, SyncSummary } from '../../contract/footage/syncs.ts'
import type { Member } from '../ground/actor.ts'
import { addressesFor } from '../cuts/read.ts'
import { describeSources, findSources } from '../cuts/sources.ts'
import { inPages } from '../db/in-pages.ts'
import type { Db } from '../ground/database.ts'
import type { FoundItem, SyncFindings } from '../runs/run-sync.ts'
import type { Context } from '../ground/context.ts'
import { notFound, readRowCursor } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

export const getSync: Verb<'getSync'> = async (ctx, actor, { params }) => ({
  sync: await readSync(ctx, actor, params.id),
})

export const listSyncs: Verb<'listSyncs'> = async (ctx, { accountId }, { query }) => {
  const { limit, cursor } = query
  const before = cursor === undefined ? undefined : readRowCursor(cursor)
  const rows = await readRows(ctx.db, accountId, { limit: limit + 1, before })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    syncs: page.map((row): SyncSummary => {
      const items = placeItems(row)
      return {
        ...summaryOf(row),
        item_count: row.items.length,
        placed_count: items.filter(({ group }) => group !== null).length,
      }
    }),
    next_cursor: rows.length > limit && last ? String(last.seq) : null,
  }
}

/** Another account's sync answers as a missing one. */
export async function readSync(ctx: Context, actor: Member, id: string): Promise<Sync> {
  const row = await findSync(ctx.db, { id, accountId: actor.accountId })
  if (!row) throw notFound('The sync')
  const sources = await readSources(ctx, actor, row)
  return {
    ...summaryOf(row),
    items: placeItems(row).map((place, index): SyncItem => {
      const item = row.items[index]!
      const source = sources.get(item.content_id)
      return {
        content_id: item.content_id,
        name: source?.name ?? item.content_name,
        offline: source?.offline ?? true,
        media: source?.media ?? item.media,
        seconds: item.seconds,
        pictures: source?.pictures ?? noPictures,
        job_id: source?.job_id ?? null,
        ...place,
      }
    }),
  }
}

const noPictures = { proxy: null, poster_url: null, sprite: null, waveform: null }

async function readSources(
  ctx: Context,
  actor: Member,
  row: SyncRow,
): Promise<Map<string, CutSource>> {
  const known = await findSources(ctx, actor.accountId, savedSources(row))
  const address = addressesFor(ctx, actor)
  const sources = await describeSources(ctx, actor.accountId, known.values(), address)
  return new Map(sources.map((source) => [source.content_id, source]))
}

/** The items as they were when the sync was made. */
export function savedSources(row: SyncRow) {
  const saved = row.items.map((item) => ({
    content_id: item.content_id,
    name: item.content_name,
    sha256: item.content_sha256,
    media: item.media,
  }))
  return { contentIds: saved.map((item) => item.content_id), saved }
}

export type SyncRow = Awaited<ReturnType<typeof readRows>>[number]

export async function findSync(
  db: Db,
  target: { id: string; accountId: string },
): Promise<SyncRow | null> {
  return (await readRows(db, target.accountId, { id: target.id }))[0] ?? null
}

async function readRows(
  db: Db,
  accountId: string,
  which: { id?: string; limit?: number; before?: number },
) {
  let query = db
    .selectFrom('syncs as s')
    .innerJoin('jobs as j', 'j.id', 's.id')
    .innerJoin('job_extractors as e', 'e.job_id', 'j.id')
    // Shown once it is paid for.
    .leftJoin('job_results as r', (result) =>
      result.onRef('r.id', '=', 'e.result_id').on('j.finished_at', 'is not', null),
    )
    .select(['s.id', 's.name', 'j.seq', 'j.status', 'j.error_code', 'j.error_message'])
    .select(['j.held_micros', 'j.cost_micros', 'j.price_version', 'e.progress'])
    .select(['j.created_at', 'j.started_at', 'j.finished_at'])
    .select((row) => row.ref('r.findings').$castTo<SyncFindings | null>().as('findings'))
    .where('s.account_id', '=', accountId)
    .orderBy('j.seq', 'desc')
  if (which.id) query = query.where('s.id', '=', which.id)
  if (which.before) query = query.where('j.seq', '<', which.before)
  if (which.limit) query = query.limit(which.limit)
  const rows = await query.execute()
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const items = await db
    .selectFrom('job_items')
    .selectAll()
    .where('job_id', 'in', ids)
    .orderBy('position')
    .execute()
  const placements = await db
    .selectFrom('sync_placements')
    .selectAll()
    .where('sync_id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    ...row,
    items: items.filter((item) => item.job_id === row.id),
    placements: placements.filter((placement) => placement.sync_id === row.id),
  }))
}

function summaryOf(row: SyncRow) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    progress: row.status === 'completed' ? 1 : row.progress,
    error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
    held_usd: toUsd(row.finished_at ? 0 : row.held_micros),
    cost_usd: toUsd(row.cost_micros),
    price_version: row.price_version,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

type Place = Pick<
  SyncItem,
  | 'group'
  | 'reference'
  | 'method'
  | 'offset'
  | 'found_offset'
  | 'drift_ppm'
  | 'confidence'
  | 'next'
  | 'curve'
  | 'timecode_offset'
  | 'reason'
  | 'waveform'
>

const reasons = {
  no_sound: 'No sound, and no timecode that the others confirm.',
  unreadable: 'The file could not be read.',
  no_match: 'Its sound matches nowhere.',
} as const

/** In the order of the items; a person's placement goes over what was found. */
export function placeItems(row: SyncRow): Place[] {
  const chosen = referenceByHand(row)
  return row.items.map((item, index) => {
    const known: FoundItem | undefined = row.findings?.items[index]
    const hand = row.placements.find(({ content_id: id }) => id === item.content_id)
    const isPlaced = known?.group !== null && known?.group !== undefined
    return {
      group: hand ? hand.group_number : (known?.group ?? null),
      reference: known?.isReference === true || item.content_id === chosen,
      method: hand ? 'hand' : (known?.method ?? null),
      offset: hand ? hand.offset_time : isPlaced ? known.offset : null,
      found_offset: known?.offset ?? null,
      drift_ppm: known?.driftPpm ?? null,
      confidence: hand ? null : (known?.confidence ?? null),
      next: known?.next ?? null,
      curve: known?.curve ?? [],
      timecode_offset: known?.timecodeOffset ?? null,
      reason: hand || !known?.reason ? null : reasons[known.reason],
      waveform: known?.waveform ?? item.waveform ?? '',
    }
  })
}

/** Returns the reference if no sound matched: the first item that was placed by hand. */
function referenceByHand({ findings, placements }: SyncRow): string | null {
  if (findings?.items.some(({ isReference }) => isReference)) return null
  return placements.find((placement) => placement.is_reference)?.content_id ?? null
}

const exportedAtOnce = 100

/** For an account's export: without addresses, which hold tickets, and without waveforms. */
export async function* readAllSyncs(ctx: Context, accountId: string): AsyncGenerator<object> {
  const rows = inPages<SyncRow>(exportedAtOnce, (last) =>
    readRows(ctx.db, accountId, { limit: exportedAtOnce, before: last?.seq }),
  )
  for await (const row of rows) yield exportedSync(row)
}

function exportedSync(row: SyncRow): object {
  return {
    ...summaryOf(row),
    items: placeItems(row).map(({ waveform: _, curve: __, ...place }, index) => ({
      content_id: row.items[index]!.content_id,
      name: row.items[index]!.content_name,
      ...place,
    })),
  }
}
