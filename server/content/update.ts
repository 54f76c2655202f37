import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { cleanFileName } from './file-name.ts'
import { readContent } from './list.ts'

export const updateContent: Verb<'updateContent'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const { id } = input.params
  const { file_name: name, project_id: projectId } = input.body
  if (name === undefined && projectId === undefined) {
    return { content: await readContent(ctx, actor, id) }
  }
  // A slash is typed as part of the name here, not as a path.
  const fileName =
    name === undefined ? undefined : cleanFileName(name.replaceAll(/[/\\]/g, '-'), '')
  if (fileName === '') {
    throw new Refusal('invalid', 'Please enter a name', { field: 'file_name' })
  }
  await ctx.db.transaction().execute(async (trx) => {
    if (projectId) await keepProject(trx, accountId, projectId)
    const changed = await trx
      .updateTable('content')
      .set({
        ...(fileName === undefined ? {} : { file_name: fileName }),
        ...(projectId === undefined ? {} : { project_id: projectId }),
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw notFound('The content')
  })
  return { content: await readContent(ctx, actor, id) }
}

export const moveContent: Verb<'moveContent'> = async (ctx, { accountId }, { body }) => {
  const { content_ids: ids, project_id: projectId } = body
  const rows = await ctx.db.transaction().execute(async (trx) => {
    if (projectId) await keepProject(trx, accountId, projectId)
    const before = await trx
      .selectFrom('content')
      .select(['id', 'project_id'])
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute()
    const present = before.map((row) => row.id)
    if (present.length > 0) {
      await trx
        .updateTable('content')
        .set({ project_id: projectId })
        .where('id', 'in', present)
        .execute()
    }
    return before
  })
  const previous = Map.groupBy(rows, (row) => row.project_id)
  return {
    moved: rows.length,
    previous: [...previous].map(([project_id, items]) => ({
      project_id,
      content_ids: items.map((item) => item.id),
    })),
  }
}

/** The project cannot be deleted until the transaction ends. */
async function keepProject(trx: Transaction<Tables>, accountId: string, id: string): Promise<void> {
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst()
  if (!project) throw notFound('The project')
}
