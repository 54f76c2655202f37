/**
 * The values of a rough cut. A range names frames of its source, `out` exclusive; nothing is
 * rounded when it is saved. Words that were deleted are `removed` spans inside of a range. The cut
 * has one rate: `cut-times.ts` places the ranges on it by exact time, `cut-text.ts` reads them as
 * text, `cut-edit.ts` changes them.
 */
import * as z from 'zod'
import { Id, StartTimecode } from '../fields.ts'
import { Fraction, Media } from '../findings/findings.ts'
import { parseRate } from '../time/timecode.ts'
import { cutLimits } from './cut-limits.ts'

export const frameNumber = z.int().min(0).max(1e9)
export const FrameSpan = z.strictObject({ in: frameNumber, out: frameNumber })
export type FrameSpan = z.infer<typeof FrameSpan>

export const CutRange = z
  .strictObject({
    id: Id.meta({ description: 'Made by the client; unique in the cut.' }),
    content_id: Id,
    in: frameNumber.meta({ description: 'First frame of the source.' }),
    out: frameNumber.meta({
      description: 'First frame of the source that no longer belongs to it.',
    }),
    name: z.string().max(200),
    note: z.string().max(2000),
    disabled: z.boolean().meta({ description: 'Kept in the list, left out of the timeline.' }),
    removed: z
      .array(FrameSpan)
      .max(cutLimits.removedOfRange)
      .meta({ description: 'Frames of the source inside of the range that are left out.' }),
  })
  .meta({ id: 'CutRange' })
export type CutRange = z.infer<typeof CutRange>

const side = z.int().min(16).max(16_384)
export const FrameSize = z
  .strictObject({ width: side, height: side })
  .meta({ id: 'FrameSize', description: 'In pixels.' })
export type FrameSize = z.infer<typeof FrameSize>

export const cutSettings = {
  name: z.string().trim().min(1, 'Please enter a name for the cut').max(200),
  frame_rate: z
    .string()
    .max(20)
    .refine((text) => parseRate(text) !== null, 'Use a frame rate such as 25 or 30000/1001')
    .meta({ description: 'Frames per second of the timeline.', example: '25' }),
  drop_frame: z.boolean(),
  start_timecode: StartTimecode,
  frame_size: FrameSize.nullable().meta({
    description: 'Of the timeline; null: of its first clip.',
  }),
  target_seconds: z.number().min(1).max(86_400).nullable().meta({
    description: 'How long it should become.',
  }),
}
export const CutRanges = z
  .array(CutRange)
  .max(cutLimits.ranges, `A cut holds at most ${cutLimits.ranges} ranges`)

export const CutTimeline = z.object({ ...cutSettings, ranges: CutRanges })
/** A cut as far as its rules go: its rate, where it starts, its ranges. */
export type CutTimeline = z.infer<typeof CutTimeline>

/** The media and frame times that place frames of a source in time. */
export const cutSourceTiming = {
  content_id: Id,
  media: Media,
  frame_times: z
    .array(z.tuple([z.int(), Fraction]))
    .nullable()
    .meta({
      description: 'Known times of frames, where the frame rate varies; null where it is constant.',
    }),
}
export const SourceTiming = z.object(cutSourceTiming)
export type SourceTiming = z.infer<typeof SourceTiming>

export const CutWord = z
  .object({ text: z.string(), in: frameNumber, out: frameNumber, speaker: z.string().nullable() })
  .meta({ id: 'CutWord', description: 'A corrected word with frames of its source.' })
export type CutWord = z.infer<typeof CutWord>

export const CutTranscript = z
  .object({
    content_id: Id,
    language: z.string().nullable(),
    joiner: z.enum(['', ' ']).meta({ description: 'What stands between two words.' }),
    words: z.array(CutWord),
  })
  .meta({ id: 'CutTranscript' })
export type CutTranscript = z.infer<typeof CutTranscript>
