/** Field shapes that several nouns share. */
import * as z from 'zod'
import { Id } from '../domain/fields.ts'

export const Timestamp = z.iso
  .datetime()
  .refine((text) => !text.startsWith('0000'), 'There is no year 0')
  .meta({ example: '2025-10-22T09:30:00.000Z' })
export const Usd = z.number().meta({ description: 'US dollars, exact to six decimals.' })

export const idParams = z.object({ id: Id })

/** A page size of the query string. */
export function limitOf(standard: number, max = 100): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(max).default(standard)
}

/** It may hold a file name of 255 letters. */
export const Cursor = z
  .string()
  .max(4000)
  .regex(/^[\w-]+$/)
  .optional()
  .meta({ description: 'The `next_cursor` of the page before.' })
export const NextCursor = z.string().nullable()
export const Done = z.object({ ok: z.literal(true) }).meta({ id: 'Done' })
