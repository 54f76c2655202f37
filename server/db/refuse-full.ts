import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import { Refusal } from '../ground/refusal.ts'

/** Refuses one more where an account has as many rows as it may have. */
export async function refuseFull<Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, unknown>,
  max: number,
  message: string,
): Promise<void> {
  const { count } = await rows
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= max) throw new Refusal('limit_reached', message)
}
