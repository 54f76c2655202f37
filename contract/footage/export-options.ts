/**
 * Options of an export. Every field also reads from a query string: numbers and switches
 * as text, lists as JSON text or comma-separated.
 */
import * as z from 'zod'
import { defaultMinPartFrames } from '../../domain/findings/tighten.ts'
import { parseRate } from '../../domain/time/timecode.ts'

export const fcpxmlVersions = ['1.9', '1.10', '1.11', '1.12', '1.13', '1.14'] as const

export const markerKinds = [
  'shots',
  'cutpoints',
  'removals',
  'lip-flap',
  'voice-only',
  'talking',
  'sentences',
  'flashes',
  'black',
  'freeze',
  'text',
  'slates',
] as const
export type MarkerKind = (typeof markerKinds)[number]

export const csvSections = [
  'all',
  'shots',
  'changes',
  'cutpoints',
  'removals',
  'words',
  'sentences',
  'speech',
  'silence',
  'talking',
  'lip_flap',
  'voice_only',
  'black',
  'freeze',
  'flashes',
  'selects',
  'text',
  'slates',
] as const
export type CsvSection = (typeof csvSections)[number]

/** A half-open range of frames that the editor chose. */
const Select = z
  .object({
    start_frame: z.coerce.number().int().min(0),
    end_frame: z.coerce.number().int().min(1),
    name: z.string().max(200).optional(),
  })
  .refine((select) => select.end_frame > select.start_frame, {
    message: 'A select ends after it starts',
  })
export type ExportSelect = z.infer<typeof Select>

const limits = { listItems: 20_000, listText: 2_000_000 } as const

function toggle(description: string, initial: boolean) {
  return z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
    .transform((value) => value === true || value === 'true' || value === '1')
    .default(initial)
    .meta({ description })
}

function list<Item extends z.ZodType>(item: Item, description: string) {
  const items = z.array(item).max(limits.listItems)
  return z
    .union([items, z.string().max(limits.listText)], {
      // The sentence about the item, which a union of types would hide.
      error: (issue) => (issue as { errors?: z.core.$ZodIssue[][] }).errors?.[0]?.[0]?.message,
    })
    .transform((value, context): z.output<Item>[] => {
      const parsed = items.safeParse(typeof value === 'string' ? listOf(value) : value)
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues) {
        context.addIssue({ code: 'custom', message: issue.message, path: issue.path })
      }
      return z.NEVER
    })
    .optional()
    .meta({ description })
}

const frames = z.coerce.number().int().min(0)
const timecode = z
  .string()
  .regex(/^\d\d:\d\d:\d\d[:;.,]\d{2,3}$/, 'A timecode looks like 01:00:00:00')

export const ExportOptions = z
  .object({
    title: z.string().max(200).optional().meta({ description: 'Name of the timeline and file.' }),
    reel: z.string().max(64).optional().meta({
      description: 'Reel instead of the source’s own, which is the metadata’s or the file name.',
    }),
    full_reel: toggle('Keep a reel longer than eight characters.', false),
    media_path: z.string().max(2000).optional().meta({
      description:
        'Where the media is on the editor’s computer: the file, or its folder with a final slash. Preset: the `media_folder` of the clip’s project, else of the account.',
    }),
    frame_rate: z
      .string()
      .refine((text) => parseRate(text) !== null, 'Not a frame rate')
      .optional()
      .meta({
        description: 'Rate of the timeline: "25", "29.97", "30000/1001". Preset: the source’s.',
      }),
    drop_frame: z
      .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
      .transform((value) => value === true || value === 'true' || value === '1')
      .optional()
      .meta({ description: 'Drop-frame timecode (29.97 and 59.94 only). Preset: the source’s.' }),
    start_timecode: timecode
      .optional()
      .meta({ description: 'Timecode of the source’s first frame. Preset: the source’s.' }),
    record_start: timecode.optional().meta({
      description:
        'Timecode where the timeline starts. Preset: the source’s, 01:00:00:00 for selects.',
    }),
    which: z.enum(['shots', 'cutpoints', 'selects', 'removals-kept']).optional().meta({
      description: 'The pieces that the timeline is cut into. Preset: the first kind that exists.',
    }),
    threshold: z.coerce.number().min(0).max(1).optional().meta({
      description: 'Shot changes at or above this score, chosen again from all candidates.',
    }),
    min_score: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .meta({ description: 'Cut points at or above this score.' }),
    accepted: list(frames, 'Cut points the editor accepted: if there are any, only these count.'),
    rejected: list(frames, 'Cut points the editor rejected.'),
    accepted_shots: list(frames, 'Frames that become a shot change whatever their score.'),
    rejected_shots: list(frames, 'First frames of shot changes to leave out.'),
    selects: list(Select, 'Ranges the editor chose.'),
    remove: list(
      z.enum(['silence', 'filler']),
      'Kinds of range that removals-kept takes out. Preset: both.',
    ),
    handle_frames: z.coerce.number().int().min(0).max(10_000).optional().meta({
      description: 'Frames kept around each select, or around what removals-kept keeps. Preset: 0.',
    }),
    min_part_frames: z.coerce
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .meta({
        description: `The shortest part that removals-kept leaves. Preset: ${defaultMinPartFrames}.`,
      }),
    clip_names: z.enum(['numbers', 'slate']).default('numbers').meta({
      description: 'Clips named by their number, or by the slate that was read before them.',
    }),
    transitions: z
      .enum(['effects', 'cuts'])
      .default('effects')
      .meta({ description: 'Dissolves and wipes as such, or as a cut in their middle.' }),
    markers: list(
      z.enum(markerKinds),
      'Kinds of marker. Preset by format; an empty list means none.',
    ),
    markers_on: z.enum(['timeline', 'clips']).default('timeline'),
    comments: toggle('Comments of shared links as markers, beside the others.', false),
    audio: toggle('Audio tracks in the timeline.', true),
    captions: toggle('The transcript as captions (FCPXML).', false),
    fcpxml_version: z.enum(fcpxmlVersions).default('1.11'),
    section: z.enum(csvSections).default('all').meta({ description: 'Rows of the CSV.' }),
    bom: toggle('A byte-order mark, for spreadsheets that need one (CSV).', false),
    edl_part: z.coerce.number().int().min(1).max(1000).optional().meta({
      description: 'Only this part of the EDL, 999 events each, for systems that stop there.',
    }),
    caption_language: z.enum(['spoken', 'english']).default('spoken').meta({
      description:
        'Subtitles and captions in the language that is spoken, or in English where the job was run with `translate`.',
    }),
    line_length: z.coerce.number().int().min(16).max(80).default(42),
    lines: z.coerce.number().int().min(1).max(3).default(2),
  })
  .meta({ id: 'ExportOptions' })
export type ExportOptions = z.output<typeof ExportOptions>
export type ExportOptionsInput = z.input<typeof ExportOptions>

/** A list of a query string; text that is no JSON stays one item, which the schema refuses. */
function listOf(text: string): unknown[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  if (!trimmed.startsWith('[')) return trimmed.split(',').map((item) => item.trim())
  try {
    const value: unknown = JSON.parse(trimmed)
    return Array.isArray(value) ? value : [value]
  } catch {
    return [trimmed]
  }
}
