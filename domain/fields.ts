/** Shapes of values that rules and promises share. */
import * as z from 'zod'

export const Id = z.uuid().meta({ example: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34' })

/** Where a timeline starts; rates above 100 have frames of three digits. */
export const StartTimecode = z
  .string()
  .max(12)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d[:;]\d{2,3}$/, 'Use a timecode such as 01:00:00:00')
  .meta({ example: '01:00:00:00' })
