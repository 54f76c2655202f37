/** Field shapes that several nouns share. */
import * as z from 'zod'

export const Id = z.uuid().meta({ example: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' })
export const Timestamp = z.iso
  .datetime()
  .refine((text) => !text.startsWith('0000'), 'There is no year 0')
  .meta({ example: '2025-10-22T09:30:00.000Z' })
export const Usd = z.number().meta({ description: 'US dollars, exact to six decimals.' })

export const idParams = z.object({ id: Id })

/** Where a timeline starts; rates above 100 have frames of three digits. */
export const StartTimecode = z
  .string()
  .max(12)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d[:;]\d{2,3}$/, 'Use a timecode such as 01:00:00:00')
  .meta({ example: '01:00:00:00' })

/** A page size of the query string. */
export function limitOf(standard: number, most = 100): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(most).default(standard)
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
