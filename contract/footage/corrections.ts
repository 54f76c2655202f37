/** How a person's corrections of a medium are read and saved. */
import * as z from 'zod'
import { Corrections, SpeakerName, Unmatched } from '../../domain/findings/corrections.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { Timestamp } from '../fields.ts'

const CorrectionsReply = z.object({
  corrections: Corrections,
  version: z.int().meta({ description: 'Grows with every save; 0: nothing was corrected.' }),
  updated_at: Timestamp.nullable(),
  unmatched: z.array(Unmatched),
})

const ofJobs = defineEndpoints('Jobs', 'key', {
  getCorrections: {
    method: 'GET',
    path: '/jobs/{id}/corrections',
    summary: 'Corrections of what was found in this media',
    description: 'Kept for the media, so that another job on it has them too.',
    scope: 'jobs:read',
    reply: CorrectionsReply,
  },
  saveCorrections: {
    method: 'PUT',
    path: '/jobs/{id}/corrections',
    summary: 'Save corrections',
    description:
      'Send the version that was read. If somebody saved meanwhile the answer is 409 with the saved version, and nothing is lost.',
    scope: 'jobs:write',
    body: z.strictObject({ ...Corrections.shape, version: z.int().min(0) }),
    reply: CorrectionsReply,
    refusals: ['conflict'],
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
})

const ofProjects = defineEndpoints('Projects', 'key', {
  renameSpeaker: {
    method: 'POST',
    path: '/projects/{id}/speakers',
    summary: 'Rename a speaker in every clip of a project',
    description:
      'Everybody who is called `from` in a clip is called `to`; if another has that name already, the two are merged. Saved as corrections of each clip.',
    scope: 'jobs:write',
    body: z.strictObject({ from: SpeakerName, to: SpeakerName }),
    reply: z.object({ changed: z.int().meta({ description: 'Clips that had this speaker.' }) }),
    example: { body: { from: 'face-1', to: 'Anna Berg' } },
  },
})

export const correctionEndpoints = { ...ofJobs, ...ofProjects }
