import type { Transaction } from 'kysely'
import type { Place } from '../../contract/footage/content.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { notFound } from '../ground/refusal.ts'

/** The place as far as it is there. It cannot be deleted until the transaction ends. */
export async function holdPlace(
  trx: Transaction<Tables>,
  accountId: string,
  { project_id, bin_id }: Place,
): Promise<Place> {
  const project =
    project_id &&
    (await trx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', project_id)
      .where('account_id', '=', accountId)
      .forKeyShare()
      .executeTakeFirst())
  const bin =
    project &&
    bin_id &&
    (await trx
      .selectFrom('bins')
      .select('id')
      .where('id', '=', bin_id)
      .where('project_id', '=', project.id)
      .forKeyShare()
      .executeTakeFirst())
  return { project_id: (project || null)?.id ?? null, bin_id: (bin || null)?.id ?? null }
}

export async function requirePlace(
  trx: Transaction<Tables>,
  accountId: string,
  place: Place,
): Promise<void> {
  const held = await holdPlace(trx, accountId, place)
  if (held.project_id !== place.project_id) throw notFound('The project')
  if (held.bin_id !== place.bin_id) throw notFound('The bin')
}
