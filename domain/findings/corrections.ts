/**
 * A person's corrections: a layer over the findings of one medium, which themselves never change.
 *
 * Corrections name times and the words that stood there, not indexes, so that they can be laid over
 * the findings of a later run. `correct.ts` applies them; those that no longer fit are
 * reported and kept.
 */
import * as z from 'zod'

const seconds = z.number().min(0).max(1e6)
const frame = z.int().min(0)
const text = z.string().max(5000)
export const SpeakerName = z.string().trim().min(1).max(80)

export const Corrections = z
  .object({
    words: z
      .array(
        z.strictObject({
          start: seconds,
          end: seconds,
          from: text.min(1).meta({ description: 'The words as they were found.' }),
          to: text.nullable().meta({ description: 'The right words; null: this was not spoken.' }),
        }),
      )
      .max(20_000),
    paragraphs: z
      .array(
        z.strictObject({
          at: seconds.meta({ description: 'Start of the word that begins the paragraph.' }),
          action: z.enum(['split', 'join']),
        }),
      )
      .max(5000),
    speakers: z.strictObject({
      names: z
        .record(z.string().max(80), SpeakerName)
        .meta({ description: 'A name for a found speaker. Two with one name are merged.' }),
      passages: z
        .array(z.strictObject({ start: seconds, end: seconds, speaker: SpeakerName }))
        .max(5000),
    }),
    shots: z.strictObject({
      removed: z
        .array(frame)
        .max(20_000)
        .meta({ description: 'Changes that start at these frames are none.' }),
      added: z
        .array(
          z.strictObject({
            start_frame: frame,
            end_frame: frame,
            type: z.enum(['cut', 'dissolve', 'fade', 'wipe']),
          }),
        )
        .max(20_000),
    }),
  })
  .meta({ id: 'Corrections' })
export type Corrections = z.infer<typeof Corrections>

export const Unmatched = z
  .object({
    kind: z.enum(['word', 'paragraph', 'speaker', 'shot']),
    seconds: z.number(),
    text: z.string(),
  })
  .meta({ id: 'UnmatchedCorrection', description: 'A correction that the findings no longer fit.' })
export type Unmatched = z.infer<typeof Unmatched>
