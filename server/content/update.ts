import type { Context } from '../process/context.ts'
import type { Verb } from '../verb.ts'
import { readProject } from '../projects/read.ts'
import { notFound, Refusal } from '../refusal.ts'
import { cleanFileName } from './file-name.ts'
import { readContent } from './list.ts'

export const updateContent: Verb<'updateContent'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const { id } = input.params
  const { file_name: name, project_id: projectId } = input.body
  if (name === undefined && projectId === undefined) {
    return { content: await readContent(ctx, actor, id) }
  }
  const fileName = name === undefined ? undefined : cleanFileName(name, '')
  if (fileName === '') {
    throw new Refusal('invalid', 'Please enter a name', { field: 'file_name' })
  }
  if (projectId) await readProject(ctx, accountId, projectId)
  const changed = await ctx.db
    .updateTable('content')
    .set({
      ...(fileName === undefined ? {} : { file_name: fileName }),
      ...(projectId === undefined ? {} : { project_id: projectId }),
    })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw notFound('The content')
  return { content: await readContent(ctx, actor, id) }
}

export const moveContent: Verb<'moveContent'> = async (ctx, { accountId }, { body }) => {
  if (body.project_id) await readProject(ctx, accountId, body.project_id)
  return { moved: await setProject(ctx, accountId, body.content_ids, body.project_id) }
}

async function setProject(
  ctx: Context,
  accountId: string,
  ids: string[],
  projectId: string | null,
): Promise<number> {
  const moved = await ctx.db
    .updateTable('content')
    .set({ project_id: projectId })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows)
}
