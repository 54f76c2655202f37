import { invalidRequest } from './errors.ts'
import type { Call } from './call.ts'
import type { Provider } from './objects.ts'
import type { Params } from './params.ts'

/** Newest first, with the provider's cursors. Call it after the filters were read. */
export function listPage(rows: { id: string }[], params: Params, url: string): object {
  const limit = params.integer('limit') ?? 10
  if (limit < 1 || limit > 100) {
    throw invalidRequest('This value must be between 1 and 100.', { param: 'limit' })
  }
  const after = params.text('starting_after')
  const before = params.text('ending_before')
  params.refuseRest()
  const newestFirst = rows.toReversed()
  if (before !== undefined) {
    const end = indexOf(newestFirst, before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', url, has_more: start > 0, data: newestFirst.slice(start, end) }
  }
  const start = after === undefined ? 0 : indexOf(newestFirst, after, 'starting_after') + 1
  return {
    object: 'list',
    url,
    has_more: start + limit < newestFirst.length,
    data: newestFirst.slice(start, start + limit),
  }
}

/** Keeps rows whose fields have the wanted values; an undefined value leaves its field open. */
export function matching<T>(rows: T[], wanted: { [K in keyof T]?: string }): T[] {
  const fields = Object.entries(wanted).filter(([, value]) => value !== undefined)
  return rows.filter((row) => fields.every(([name, value]) => row[name as keyof T] === value))
}

/** Lists a table, filtered by the named fields. */
export function listBy(table: 'charge' | 'dispute' | 'refund', url: string, fields: string[]) {
  return (provider: Provider, { params }: Call): object => {
    const wanted = Object.fromEntries(fields.map((field) => [field, params.text(field)]))
    return listPage(matching<{ id: string }>(provider.store.rows(table), wanted), params, url)
  }
}

/** Reads the filter `created[gte|gt|lte|lt]`, in seconds. */
export function readCreated(params: Params): (row: { created: number }) => boolean {
  const created = params.object('created')
  const since = created?.integer('gte') ?? (created?.integer('gt') ?? -1) + 1
  const until = created?.integer('lte') ?? (created?.integer('lt') ?? Infinity) - 1
  return (row) => row.created >= since && row.created <= until
}

function indexOf(rows: { id: string }[], id: string, param: string): number {
  const index = rows.findIndex((row) => row.id === id)
  if (index < 0) throw invalidRequest(`No such object: '${id}'`, { param })
  return index
}
