/**
 * A person's corrections: a layer over the findings of one medium, which themselves never change.
 *
 * Corrections name times and the words that stood there, not indexes, so that they can be laid over
 * the findings of a later run. `domain/findings/correct.ts` applies them; those that no longer fit are
 * reported and kept.
 */
import * as z from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { idParams, Timestamp } from '../fields.ts'

const seconds = z.number().min(0).max(1e6)
const frame = z.int().min(0)
const text = z.string().max(5000)
const speaker = z.string().trim().min(1).max(80)

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
        .record(z.string().max(80), speaker)
        .meta({ description: 'A name for a found speaker. Two with one name are merged.' }),
      passages: z.array(z.strictObject({ start: seconds, end: seconds, speaker })).max(5000),
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

const CorrectionsReply = z.object({
  corrections: Corrections,
  version: z.int().meta({ description: 'Grows with every save; 0: nothing was corrected.' }),
  updated_at: Timestamp.nullable(),
  unmatched: z.array(Unmatched),
})

export const correctionEndpoints = defineEndpoints({
  getCorrections: {
    method: 'GET',
    path: '/jobs/{id}/corrections',
    tag: 'Jobs',
    summary: 'Corrections of what was found in this media',
    description: 'Kept for the media, so that another job on it has them too.',
    auth: 'key',
    scope: 'jobs:read',
    params: idParams,
    reply: CorrectionsReply,
    refusals: ['not_found'],
  },
  saveCorrections: {
    method: 'PUT',
    path: '/jobs/{id}/corrections',
    tag: 'Jobs',
    summary: 'Save corrections',
    description:
      'Send the version that was read. If somebody saved meanwhile the answer is 409 with the saved version, and nothing is lost.',
    auth: 'key',
    scope: 'jobs:write',
    params: idParams,
    body: z.strictObject({ ...Corrections.shape, version: z.int().min(0) }),
    reply: CorrectionsReply,
    refusals: ['not_found', 'conflict', 'invalid'],
    example: {
      body: {
        paragraphs: [],
        speakers: { names: {}, passages: [] },
        shots: { removed: [], added: [] },
        words: [{ start: 1.2, end: 1.6, from: 'lite', to: 'light' }],
        version: 0,
      },
    },
  },
  renameSpeaker: {
    method: 'POST',
    path: '/projects/{id}/speakers',
    tag: 'Projects',
    summary: 'Rename a speaker in every clip of a project',
    description:
      'Everybody who is called `from` in a clip is called `to`; if another has that name already, the two are merged. Saved as corrections of each clip.',
    auth: 'key',
    scope: 'jobs:write',
    params: idParams,
    body: z.strictObject({ from: speaker, to: speaker }),
    reply: z.object({ changed: z.int().meta({ description: 'Clips that had this speaker.' }) }),
    refusals: ['not_found', 'invalid'],
    example: { body: { from: 'face-1', to: 'Anna Berg' } },
  },
})
