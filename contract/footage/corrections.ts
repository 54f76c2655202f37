/** How a person's corrections of a medium are read and saved. */
import * as z from 'zod'
import { Corrections, SpeakerName, Unmatched } from '../../domain/findings/corrections.ts'
import { defineEndpoints } from '../endpoint.ts'
import { idParams, Timestamp } from '../fields.ts'

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
    body: z.strictObject({ from: SpeakerName, to: SpeakerName }),
    reply: z.object({ changed: z.int().meta({ description: 'Clips that had this speaker.' }) }),
    refusals: ['not_found', 'invalid'],
    example: { body: { from: 'face-1', to: 'Anna Berg' } },
  },
})
