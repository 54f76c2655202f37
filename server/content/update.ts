import { sql } from 'kysely'
import { requirePlace } from '../projects/place.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { cleanFileName } from './file-name.ts'
import { readContent } from './list.ts'
import { keywordsOf } from './mark.ts'

export const updateContent: Verb<'updateContent'> = async (ctx, actor, { params, body }) => {
  const { accountId } = actor
  const { id } = params
  if (Object.values(body).every((value) => value === undefined)) {
    return { content: await readContent(ctx, actor, id) }
  }
  const { file_name: name, project_id: projectId, rating, keywords } = body
  // A slash is typed as part of the name here, not as a path.
  const fileName =
    name === undefined ? undefined : cleanFileName(name.replaceAll(/[/\\]/g, '-'), '')
  if (fileName === '') {
    throw new Refusal('invalid', 'Please enter a name', { field: 'file_name' })
  }
  await ctx.db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('content')
      .select(['project_id', 'bin_id'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('The content')
    const project_id = projectId === undefined ? before.project_id : projectId
    const stays = project_id === before.project_id ? before.bin_id : null
    const place = { project_id, bin_id: body.bin_id === undefined ? stays : body.bin_id }
    await requirePlace(trx, accountId, place)
    await trx
      .updateTable('content')
      .set({
        ...place,
        ...(fileName === undefined ? {} : { file_name: fileName }),
        ...(rating === undefined ? {} : { rating }),
        ...(keywords ? { keywords: keywordsOf(sql`'{}'::text[]`, keywords) } : {}),
      })
      .where('id', '=', id)
      .execute()
  })
  return { content: await readContent(ctx, actor, id) }
}

export const moveContent: Verb<'moveContent'> = async (ctx, { accountId }, { body }) => {
  const { content_ids: ids, project_id, bin_id = null } = body
  const rows = await ctx.db.transaction().execute(async (trx) => {
    await requirePlace(trx, accountId, { project_id, bin_id })
    const before = await trx
      .selectFrom('content')
      .select(['id', 'project_id', 'bin_id'])
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute()
    const present = before.map((row) => row.id)
    if (present.length > 0) {
      await trx
        .updateTable('content')
        .set({ project_id, bin_id })
        .where('id', 'in', present)
        .execute()
    }
    return before
  })
  const previous = Map.groupBy(rows, (row) => `${row.project_id} ${row.bin_id}`)
  return {
    moved: rows.length,
    previous: [...previous.values()].map((items) => ({
      project_id: items[0]!.project_id,
      bin_id: items[0]!.bin_id,
      content_ids: items.map((item) => item.id),
    })),
  }
}
