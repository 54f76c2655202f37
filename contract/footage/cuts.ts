/**
 * Rough cuts: an ordered list of ranges of a project's clips, saved by version like corrections.
 * Sources that were deleted stay, as offline.
 */
import * as z from 'zod'
import {
  CutRanges,
  cutSettings,
  cutSourceTiming,
  CutTranscript,
  frameNumber,
} from '../../domain/cuts/cut.ts'
import { cutLimits } from '../../domain/cuts/cut-limits.ts'
import { cutExportFormats } from '../../domain/export-formats.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { typesOfExports } from '../media-types.ts'
import { ExportOptions } from './export-options.ts'
import { Done, Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { Fraction, spriteFields } from '../../domain/findings/findings.ts'

export const Cut = z
  .object({
    id: Id,
    project_id: Id.nullable().meta({ description: 'Null after its project was deleted.' }),
    ...cutSettings,
    ranges: CutRanges,
    version: z.int().min(1).meta({ description: 'Grows with every save.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Cut' })
export type Cut = z.infer<typeof Cut>

const address = z.string().meta({ description: 'A signed address that a browser can open.' })

/** Files to show a source with; the same shape on a shared page. */
export const SourcePictures = z
  .object({
    proxy: z
      .object({
        url: address,
        width: z.int().nullable(),
        height: z.int().nullable(),
        frame_rate: Fraction,
        frames: z.int(),
        start_frame: z.int().meta({ description: 'Its first frame, of the source.' }),
      })
      .nullable(),
    poster_url: address.nullable(),
    sprite: z
      .object({
        urls: z.array(address),
        ...spriteFields,
        start_frame: z.int(),
      })
      .nullable(),
    waveform: z
      .object({
        url: address,
        peaks_per_second: z.int(),
        channels: z.int(),
        count: z.int(),
        start: z.number(),
      })
      .nullable(),
  })
  .meta({ id: 'SourcePictures' })
export type SourcePictures = z.infer<typeof SourcePictures>

export const CutSource = z
  .object({
    content_id: Id,
    name: z.string(),
    offline: z
      .boolean()
      .meta({ description: 'The clip was deleted; this is what is known of it.' }),
    media: cutSourceTiming.media,
    frames: z.int().meta({ description: 'How many frames a range can lie in.' }),
    frame_times: cutSourceTiming.frame_times,
    transcribed: z.boolean(),
    job_id: Id.nullable().meta({ description: 'The job whose review shows the clip.' }),
    pictures: SourcePictures,
  })
  .meta({ id: 'CutSource' })
export type CutSource = z.infer<typeof CutSource>

export const CutSummary = z
  .object({
    id: Id,
    project_id: Id.nullable(),
    name: z.string(),
    version: z.int(),
    range_count: z.int(),
    frames: z.int().meta({ description: 'Length on the timeline.' }),
    seconds: z.number(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'CutSummary' })
export type CutSummary = z.infer<typeof CutSummary>

export const CutPoints = z.object({ content_id: Id, frames: z.array(frameNumber) }).meta({
  id: 'CutPoints',
  description: 'Frames of a source where a cut works: its cut points and the edges of silences.',
})
export type CutPoints = z.infer<typeof CutPoints>

export const CutExportOptions = ExportOptions.pick({
  title: true,
  full_reel: true,
  media_path: true,
  record_start: true,
  handle_frames: true,
  audio: true,
  captions: true,
  fcpxml_version: true,
  bom: true,
  edl_part: true,
  line_length: true,
  lines: true,
  comments: true,
})
export type CutExportOptions = z.output<typeof CutExportOptions>

const CutReply = z.object({ cut: Cut, sources: z.array(CutSource) })

export const cutEndpoints = defineEndpoints('Cuts', 'key', {
  listCuts: {
    method: 'GET',
    path: '/cuts',
    summary: 'Cuts, last changed first',
    scope: 'content:read',
    query: z.strictObject({ project_id: Id.optional() }),
    reply: z.object({ cuts: z.array(CutSummary) }),
  },
  createCut: {
    method: 'POST',
    path: '/cuts',
    summary: 'Create a cut',
    description:
      'Rate, drop frame and start timecode are the project’s, else the first clip’s, unless given. Ranges may also be of clips in other projects of the account.',
    scope: 'content:write',
    body: z
      .strictObject({ ...cutSettings, ranges: CutRanges })
      .partial()
      .extend({ project_id: Id, name: cutSettings.name }),
    reply: CutReply,
    status: 201,
    creates: true,
    refusals: ['not_found', 'limit_reached'],
    example: {
      body: { project_id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34', name: 'Opening, take 3' },
    },
  },
  getCut: {
    method: 'GET',
    path: '/cuts/{id}',
    summary: 'One cut with what is known of its sources',
    scope: 'content:read',
    query: z.strictObject({
      version: z.coerce
        .number()
        .int()
        .min(1)
        .max(1e9)
        .optional()
        .meta({
          description: `An older version; the last ${cutLimits.versions} are kept.`,
        }),
    }),
    reply: CutReply,
  },
  listCutVersions: {
    method: 'GET',
    path: '/cuts/{id}/versions',
    summary: 'The versions that are kept, newest first',
    scope: 'content:read',
    reply: z.object({
      versions: z.array(
        z.object({ version: z.int(), name: z.string(), frames: z.int(), saved_at: Timestamp }),
      ),
    }),
  },
  saveCut: {
    method: 'PUT',
    path: '/cuts/{id}',
    summary: 'Save a cut',
    description:
      'Send the version that was read. If somebody saved meanwhile the answer is 409 with the saved version, and nothing is lost.',
    scope: 'content:write',
    body: z.strictObject({
      ...cutSettings,
      frame_size: cutSettings.frame_size.optional().meta({ description: 'Missing: as it was.' }),
      ranges: CutRanges,
      version: z.int().min(1).max(1e9),
    }),
    reply: CutReply,
    refusals: ['conflict'],
    example: {
      body: {
        name: 'Opening, take 4',
        frame_rate: '25',
        drop_frame: false,
        start_timecode: '01:00:00:00',
        target_seconds: null,
        ranges: [
          {
            id: 'b1a7c0de-2f4e-4a8b-8c1d-5e6f7a8b9c0d',
            content_id: '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34',
            in: 0,
            out: 50,
            name: 'Arrival',
            note: '',
            disabled: false,
            removed: [],
          },
        ],
        version: 1,
      },
    },
  },
  deleteCut: {
    method: 'DELETE',
    path: '/cuts/{id}',
    summary: 'Delete a cut with its versions and shared links',
    scope: 'content:write',
    reply: Done,
  },
  getCutTranscript: {
    method: 'GET',
    path: '/cuts/{id}/transcript',
    summary: 'The corrected words of all its sources, and where a cut works',
    description: 'Words and cut points in and within 10 seconds around its ranges.',
    scope: 'jobs:read',
    query: z.strictObject({
      content_id: Id.optional().meta({
        description: 'Instead all words of this clip, which need not be in the cut yet.',
      }),
    }),
    reply: z.object({ transcripts: z.array(CutTranscript), cut_points: z.array(CutPoints) }),
  },
  createCutTicket: {
    method: 'POST',
    path: '/cuts/{id}/ticket',
    summary: 'A ticket for this cut’s exports',
    description: 'For addresses that a browser opens by itself.',
    scope: 'jobs:read',
    reply: z.object({ ticket: z.string(), expires_at: Timestamp }),
    status: 201,
    changesNothing: true,
  },
  exportCut: {
    method: 'GET',
    path: '/cuts/{id}/export',
    summary: 'One timeline of many sources as a file',
    description:
      'Sources of another rate are placed by exact time; the header `X-Export-Notes` and the file say so.',
    auth: 'ticket',
    scope: 'jobs:read',
    ticket: 'cut-files',
    query: z.strictObject({
      format: z.enum(cutExportFormats),
      ticket: z.string().max(500).optional(),
      ...CutExportOptions.shape,
    }),
    rawReply: {
      // An ALE of clips with several rates is a zip with a file for each.
      contentType: [...typesOfExports(cutExportFormats), 'application/zip'],
      description: 'The file.',
    },
    refusals: ['conflict'],
  },
})
