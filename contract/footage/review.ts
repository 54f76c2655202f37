import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Id } from '../../domain/fields.ts'

/** A day at 1,000 frames a second is less than a tenth of it. */
const Frame = z.int().min(0).max(1_000_000_000)

export const Select = z
  .object({
    id: Id,
    name: z.string().max(200),
    start_frame: Frame,
    end_frame: Frame,
  })
  .meta({ id: 'Select' })
export type Select = z.infer<typeof Select>

/** Decisions of a person while reviewing; exports follow them. */
export const Review = z
  .object({
    selects: z.array(Select).max(2000),
    accepted_cut_frames: z.array(Frame).max(20_000),
    rejected_cut_frames: z.array(Frame).max(20_000),
    shot_threshold: z.number().min(0).max(1).nullable(),
    tighten: z
      .strictObject({
        handle_frames: z.int().min(0).max(10_000),
        min_part_frames: z.int().min(1).max(10_000),
      })
      .optional()
      .meta({ description: 'How silences and fillers are taken out; exports follow it.' }),
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const SavedReview = z.object({ review: Review, version: z.int() })
export type SavedReview = z.infer<typeof SavedReview>

const saveBody = z.strictObject({
  ...Review.shape,
  version: z.int().min(0).optional().meta({ description: 'The version that was read.' }),
})
const saveText =
  'Send the version that was read: if somebody saved meanwhile the answer is 409 with the saved review, and nothing is lost. Without a version the last save wins.'
/** The review of a clip that nobody reviewed yet. */
export const emptyReview: Review = {
  selects: [],
  accepted_cut_frames: [],
  rejected_cut_frames: [],
  shot_threshold: null,
}

const ofContent = defineEndpoints('Content', 'key', {
  getClipReview: {
    method: 'GET',
    path: '/content/{id}/review',
    summary: 'Selects of a clip that was not analysed yet',
    description: 'The first job of the clip begins with them.',
    scope: 'content:read',
    reply: SavedReview,
  },
  saveClipReview: {
    method: 'PUT',
    path: '/content/{id}/review',
    summary: 'Keep selects of a clip that was not analysed yet',
    description: saveText,
    scope: 'content:write',
    body: saveBody,
    reply: SavedReview,
    refusals: ['conflict'],
    example: { body: emptyReview },
  },
})

const ofJobs = defineEndpoints('Jobs', 'key', {
  getReview: {
    method: 'GET',
    path: '/jobs/{id}/review',
    summary: 'Selects and decisions made while reviewing',
    scope: 'jobs:read',
    reply: SavedReview,
  },
  saveReview: {
    method: 'PUT',
    path: '/jobs/{id}/review',
    summary: 'Keep selects and decisions',
    description: saveText,
    scope: 'jobs:write',
    body: saveBody,
    reply: SavedReview,
    refusals: ['conflict'],
    example: { body: { ...emptyReview, accepted_cut_frames: [50] } },
  },
})

export const reviewEndpoints = { ...ofContent, ...ofJobs }
