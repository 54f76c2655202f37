/** Field shapes that several nouns share. */
import * as z from 'zod'

export const Id = z.uuid().meta({ example: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' })
export const Timestamp = z.iso.datetime().meta({ example: '2025-10-22T09:30:00.000Z' })
export const Usd = z.number().meta({ description: 'US dollars, exact to six decimals.' })

export const idParams = z.object({ id: Id })

/** A page size of the query string. */
export function limitOf(standard: number, most = 100): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(most).default(standard)
}

export const Cursor = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/)
  .optional()
  .meta({ description: 'The `next_cursor` of the page before.' })
export const NextCursor = z.string().nullable()
export const Done = z.object({ ok: z.literal(true) }).meta({ id: 'Done' })
