import { sql } from 'kysely'
import type { Project } from '../../contract/footage/projects.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'

export const listProjects: Verb<'listProjects'> = async (ctx, { accountId }) => {
  const [projects, unfiled] = await Promise.all([
    readProjects(ctx, accountId),
    ctx.db
      .selectFrom('project_items')
      .select('item_count')
      .where('account_id', '=', accountId)
      .where('project_id', 'is', null)
      .executeTakeFirst(),
  ])
  return { projects, unfiled_count: unfiled?.item_count ?? 0 }
}

export async function readProjects(ctx: Context, accountId: string): Promise<Project[]> {
  const rows = await projectRows(ctx, accountId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(toProject)
}

export const getProject: Verb<'getProject'> = async (ctx, { accountId }, { params }) => ({
  project: await readProject(ctx, accountId, params.id),
})

export async function readProject(ctx: Context, accountId: string, id: string): Promise<Project> {
  const project = await findProject(ctx, accountId, id)
  if (!project) throw notFound('The project')
  return project
}

export async function findProject(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<Project | null> {
  const row = await projectRows(ctx, accountId).where('id', '=', id).executeTakeFirst()
  return row ? toProject(row) : null
}

function projectRows(ctx: Context, accountId: string) {
  return ctx.db
    .selectFrom('projects')
    .leftJoin('project_items as items', (join) =>
      join.onRef('items.project_id', '=', 'projects.id').on('items.account_id', '=', accountId),
    )
    .selectAll('projects')
    .select(['items.item_count', 'items.seconds'])
    .where('projects.account_id', '=', accountId)
}

type Row = Awaited<ReturnType<ReturnType<typeof projectRows>['executeTakeFirstOrThrow']>>

function toProject(row: Row): Project {
  const { account_id: _, ...project } = row
  return {
    ...project,
    item_count: row.item_count ?? 0,
    seconds: row.seconds ?? 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
