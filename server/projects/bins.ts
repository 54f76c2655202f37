/**
 * Bins, the folders in a project. Whatever changes them locks the row of their project first, so
 * that two moves cannot close a circle and two drops of one folder make one bin.
 */
import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Bin } from '../../contract/footage/projects.ts'
import { binLimits } from '../../domain/project-limits.ts'
import { refuseAtLimit } from '../accounts/lock-account.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

type Trx = Transaction<Tables>

export const listBins: Verb<'listBins'> = async (ctx, { accountId }, { query }) => ({
  bins: await readBins(ctx.db, { accountId, projectId: query.project_id }),
})

/** Each after the bin it is in; of all projects where none is named. */
export async function readBins(
  db: Db | Trx,
  { accountId, projectId }: { accountId: string; projectId?: string | undefined },
): Promise<Bin[]> {
  const { rows } = await sql<Omit<Bin, 'created_at'> & { created_at: Date }>`
    with recursive tree as (
      select bins.*, array[row(position, id)] as path from bins
      where account_id = ${accountId} and parent_id is null
        and (${projectId ?? null}::uuid is null or project_id = ${projectId ?? null}::uuid)
      union all
      select bins.*, path || row(bins.position, bins.id) from bins
      join tree on bins.parent_id = tree.id
    )
    select tree.id, project_id, parent_id, name, position, created_at,
      coalesce(items.item_count, 0)::int as item_count
    from tree
    left join bin_items items on items.bin_id = tree.id and items.account_id = ${accountId}
    order by project_id, path`.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

export const createBin: Verb<'createBin'> = async (ctx, { accountId }, input, { effectId }) => {
  const { params, body } = input
  const place = { accountId, projectId: params.id }
  return ctx.db.transaction().execute(async (trx) => {
    const bins = await lockBins(trx, place)
    const placed = bins.find(({ id }) => id === effectId)
    if (placed) return { bin: placed }
    const parentId = body.parent_id ?? null
    refuseTooDeep(depthOf(bins, parentId) + 1)
    const [row] = await addBins(ctx, trx, place, [
      {
        id: effectId ?? randomUUID(),
        parent_id: parentId,
        name: body.name,
        position: bins.filter((bin) => bin.parent_id === parentId).length,
      },
    ])
    return { bin: row! }
  })
}

/** Folders of a card: names that are there already are used, so a second drop adds nothing. */
export const ensureBins: Verb<'ensureBins'> = async (ctx, { accountId }, { params, body }) => {
  const place = { accountId, projectId: params.id }
  return ctx.db.transaction().execute(async (trx) => {
    const bins = await lockBins(trx, place)
    const top = body.parent_id ?? null
    const room = binLimits.depth - depthOf(bins, top)
    const known = new Map(bins.map((bin) => [keyOf(bin), bin.id]))
    const siblings = new Map<string | null, number>()
    for (const { parent_id: id } of bins) siblings.set(id, (siblings.get(id) ?? 0) + 1)
    const fresh: NewBin[] = []
    const bin_ids = body.paths.map((path) =>
      foldersOf(path, room).reduce<string | null>((parent_id, name) => {
        const key = keyOf({ parent_id, name })
        const id = known.get(key) ?? randomUUID()
        if (!known.has(key)) {
          const position = siblings.get(parent_id) ?? 0
          siblings.set(parent_id, position + 1)
          fresh.push({ id, parent_id, name, position })
        }
        known.set(key, id)
        return id
      }, top),
    )
    await addBins(ctx, trx, place, fresh)
    return { bin_ids, bins: await readBins(trx, place) }
  })
}

export const updateBin: Verb<'updateBin'> = async (ctx, { accountId }, { params, body }) => {
  return ctx.db.transaction().execute(async (trx) => {
    const { bin, bins, projectId } = await lockBin(trx, accountId, params.id)
    const parentId = body.parent_id === undefined ? bin.parent_id : body.parent_id
    const isMoved = parentId !== bin.parent_id
    if (isMoved) refuseMove(bins, bin, parentId)
    const beside = bins.filter(({ id, parent_id }) => parent_id === parentId && id !== bin.id)
    const position = body.position ?? (isMoved ? beside.length : bin.position)
    const order = beside.toSpliced(position, 0, bin).map(({ id }) => id)
    const name = body.name ?? bin.name
    await trx
      .updateTable('bins')
      .set({ name, parent_id: parentId })
      .where('id', '=', bin.id)
      .execute()
    await sql`update bins set position = placed.position - 1
      from unnest(${order}::uuid[]) with ordinality as placed (id, position)
      where bins.id = placed.id and bins.position <> placed.position - 1`.execute(trx)
    const after = await readBins(trx, { accountId, projectId })
    return { bin: after.find(({ id }) => id === bin.id)! }
  })
}

/** The bin, those in it, and where its items go. The caller moves them, then drops it. */
export async function lockSubtree(
  trx: Trx,
  accountId: string,
  id: string,
): Promise<{ ids: string[]; parentId: string | null }> {
  const { bin, bins } = await lockBin(trx, accountId, id)
  return { ids: subtree(bins, bin.id), parentId: bin.parent_id }
}

export async function dropBin(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('bins').where('id', '=', id).execute()
}

async function lockBin(trx: Trx, accountId: string, id: string) {
  const row = await trx
    .selectFrom('bins')
    .select('project_id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw notFound('The bin')
  const projectId = row.project_id
  const bins = await lockBins(trx, { accountId, projectId })
  const bin = bins.find((other) => other.id === id)
  if (!bin) throw notFound('The bin')
  return { bin, bins, projectId }
}

async function lockBins(trx: Trx, place: { accountId: string; projectId: string }): Promise<Bin[]> {
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', place.projectId)
    .where('account_id', '=', place.accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!project) throw notFound('The project')
  return readBins(trx, place)
}

type NewBin = Pick<Bin, 'id' | 'parent_id' | 'name' | 'position'>

async function addBins(
  ctx: Context,
  trx: Trx,
  { accountId, projectId }: { accountId: string; projectId: string },
  fresh: NewBin[],
): Promise<Bin[]> {
  const more = fresh.length
  if (more === 0) return []
  await refuseAtLimit(trx, accountId, { table: 'bins', limit: binLimits.bins, name: 'bins', more })
  const own = { account_id: accountId, project_id: projectId, created_at: ctx.now() }
  const rows = fresh.map((bin) => ({ ...bin, ...own }))
  await trx.insertInto('bins').values(rows).execute()
  return rows.map(({ account_id: _, created_at, ...bin }) => ({
    ...bin,
    item_count: 0,
    created_at: created_at.toISOString(),
  }))
}

function keyOf({ parent_id, name }: Pick<Bin, 'parent_id' | 'name'>): string {
  return `${parent_id ?? ''}/${name}`
}

function foldersOf(path: string, room: number): string[] {
  return path
    .split('/')
    .map((name) => name.trim().slice(0, binLimits.nameLength).toWellFormed())
    .filter((name) => name !== '' && name !== '.' && name !== '..')
    .slice(0, room)
}

/** 0: the project itself. */
function depthOf(bins: Bin[], id: string | null): number {
  if (id === null) return 0
  const bin = bins.find((other) => other.id === id)
  if (!bin) throw notFound('The bin')
  return depthOf(bins, bin.parent_id) + 1
}

/** The bin's id first, each before those in it. */
function subtree(bins: Bin[], id: string): string[] {
  const ids = [id]
  for (const known of ids) {
    for (const bin of bins) if (bin.parent_id === known) ids.push(bin.id)
  }
  return ids
}

function refuseMove(bins: Bin[], bin: Bin, parentId: string | null): void {
  const moved = subtree(bins, bin.id)
  const depth = depthOf(bins, parentId)
  if (parentId !== null && moved.includes(parentId)) {
    throw new Refusal('invalid', 'A bin cannot be moved into itself.', { field: 'parent_id' })
  }
  const own = depthOf(bins, bin.id)
  refuseTooDeep(depth + Math.max(...moved.map((id) => depthOf(bins, id) - own + 1)))
}

function refuseTooDeep(depth: number): void {
  if (depth <= binLimits.depth) return
  throw new Refusal('invalid', `Bins are at most ${binLimits.depth} deep.`, { field: 'parent_id' })
}
