import * as z from 'zod'
import { defineEndpoints } from './endpoint.ts'
import { Id, idParams } from './fields.ts'

export const Select = z
  .object({
    id: Id,
    name: z.string().max(200),
    start_frame: z.int().min(0),
    end_frame: z.int().min(0),
  })
  .meta({ id: 'Select' })
export type Select = z.infer<typeof Select>

/** What a person decided while reviewing; exports take it into account. */
export const Review = z
  .object({
    selects: z.array(Select).max(2000),
    accepted_cut_frames: z.array(z.int().min(0)).max(20_000),
    rejected_cut_frames: z.array(z.int().min(0)).max(20_000),
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

export const reviewEndpoints = defineEndpoints({
  getReview: {
    method: 'GET',
    path: '/jobs/{id}/review',
    tag: 'Jobs',
    summary: 'Selects and decisions made while reviewing',
    auth: 'key',
    scope: 'jobs:read',
    params: idParams,
    reply: z.object({ review: Review }),
    refusals: ['not_found'],
  },
  saveReview: {
    method: 'PUT',
    path: '/jobs/{id}/review',
    tag: 'Jobs',
    summary: 'Keep selects and decisions',
    auth: 'key',
    scope: 'jobs:write',
    params: idParams,
    body: z.strictObject(Review.shape),
    reply: z.object({ review: Review }),
    refusals: ['not_found', 'invalid'],
    example: {
      body: {
        selects: [],
        accepted_cut_frames: [50],
        rejected_cut_frames: [],
        shot_threshold: null,
      },
    },
  },
})
