/**
 * Findings of the engine, by extractor: the JSON of `analyse --json`, of a job's results and of the
 * JSON export.
 *
 * Time: a frame number is an ordinal in presentation order, 0-based, after edit lists. A range is
 * half open: `end_frame` is the first frame that no longer belongs to it. `*_time` is the exact
 * time in seconds as a fraction ("1001/30000"), on the clock whose zero is the start of frame 0
 * (of the first sample where there is no picture). `start` and `end` are the same times as plain
 * seconds, for reading only. Media without a picture counts frames at 25 per second.
 */
import * as z from 'zod'
import type { ExtractorId } from '../money/catalogue.ts'

export const Fraction = z
  .string()
  .regex(/^-?\d+\/[1-9]\d*$/)
  .meta({
    id: 'Fraction',
    description: 'An exact number as numerator/denominator.',
    example: '1001/30000',
  })

const frame = z.int().min(0)
const score = z.number().min(0).max(1)

const span = {
  start_frame: frame,
  end_frame: frame,
  start_time: Fraction,
  end_time: Fraction,
  start: z.number(),
  end: z.number(),
}
export const Span = z.object(span).meta({ id: 'Span', description: 'A half-open range of frames.' })
export type Span = z.infer<typeof Span>

export const AudioTrack = z
  .object({
    index: z.int(),
    codec: z.string(),
    channels: z.int(),
    layout: z.string().nullable(),
    sample_rate: z.int(),
    language: z.string().nullable(),
    title: z.string().nullable(),
  })
  .meta({ id: 'AudioTrack' })

export const Media = z
  .object({
    kind: z.enum(['video', 'audio', 'image', 'document', 'other']),
    container: z.string().nullable(),
    duration: z.number(),
    duration_time: Fraction,
    frames: z.int(),
    frame_rate: Fraction.nullable(),
    variable_frame_rate: z.boolean(),
    time_base: Fraction.nullable(),
    start_timecode: z.string().nullable(),
    time_reference: z
      .object({ samples: z.int().min(1), sample_rate: z.int().min(1) })
      .optional()
      .meta({
        description:
          'Samples since midnight at which the file of a sound recorder begins; `start_timecode` is the same to 1/25 s.',
      }),
    drop_frame: z.boolean(),
    reel: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    rotation: z.int(),
    pixel_aspect: Fraction.nullable(),
    field_order: z
      .enum(['progressive', 'upper', 'lower'])
      .nullable()
      .optional()
      .meta({ description: 'The field that is shown first; null where nothing is known.' }),
    video_codec: z.string().nullable(),
    pixel_format: z.string().nullable().optional().meta({ description: 'As FFmpeg names it.' }),
    audio: z.array(AudioTrack),
    pages: z.int().nullable().meta({ description: 'Pages of a document, for pricing.' }),
  })
  .meta({ id: 'Media' })
export type Media = z.infer<typeof Media>

const ConformNote = z.object({
  severity: z.enum(['ok', 'note', 'warning']),
  code: z.string(),
  message: z.string(),
})

const DocumentFacts = z
  .object({
    format: z.string(),
    pages: z.int(),
    characters: z.int().nullable(),
    words: z.int().nullable(),
    title: z.string().nullable(),
    author: z.string().nullable(),
    text: z.array(z.string()).meta({ description: 'By page; empty where it cannot be read.' }),
  })
  .meta({ id: 'DocumentFacts', description: 'Of a document, in place of streams.' })

export const FfprobeFindings = z
  .object({
    format: z.record(z.string(), z.unknown()),
    streams: z.array(z.record(z.string(), z.unknown())),
    color: z.object({
      primaries: z.string().nullable(),
      transfer: z.string().nullable(),
      matrix: z.string().nullable(),
      range: z.string().nullable(),
      bit_depth: z.int().nullable(),
      hdr: z.boolean(),
    }),
    conform: z
      .array(ConformNote)
      .meta({ description: 'Will it conform? What an editor should know.' }),
    document: DocumentFacts.nullable().optional(),
    frame_times: z
      .array(z.object({ frame, time: Fraction }))
      .optional()
      .meta({
        description:
          'Where the rate varies: frames between which all others lie on a straight line.',
      }),
  })
  .meta({ id: 'FfprobeFindings' })

const StoredFile = z.string().meta({ description: 'A name for /jobs/{id}/files/{name}.' })

/** How the stills of a sprite lie in it. */
export const spriteFields = {
  tile_width: z.int(),
  tile_height: z.int(),
  columns: z.int(),
  rows: z.int(),
  interval_frames: z.int(),
  count: z.int(),
}

export const ThumbnailFindings = z
  .object({
    poster: StoredFile.nullable(),
    stills: z.array(
      z.object({ frame, time: Fraction, file: StoredFile, shot: z.int().nullable() }),
    ),
    sprite: z
      .object({
        file: z.array(StoredFile),
        vtt: StoredFile,
        ...spriteFields,
        start_frame: frame.optional(),
      })
      .nullable(),
    proxy: z
      .object({
        file: StoredFile,
        width: z.int().nullable().meta({ description: 'Null where there is only sound.' }),
        height: z.int().nullable(),
        frame_rate: Fraction,
        frames: z.int(),
        start_frame: frame.optional().meta({ description: 'Its first frame, of the media.' }),
      })
      .nullable(),
    waveform: z
      .object({
        file: StoredFile,
        peaks_per_second: z.int(),
        channels: z.int(),
        count: z.int(),
        start: z
          .number()
          .optional()
          .meta({ description: 'Seconds of the media at the first peak.' }),
      })
      .nullable()
      .meta({ description: 'Signed 8-bit minimum and maximum in turn, in a binary file.' }),
    missing: z
      .array(z.enum(['poster', 'stills', 'sprite', 'proxy', 'waveform']))
      .optional()
      .meta({ description: 'Parts that could not be made; absent where all of them were.' }),
  })
  .meta({ id: 'ThumbnailFindings' })

export const Word = z
  .object({
    ...span,
    text: z.string(),
    confidence: score,
    speaker: z
      .string()
      .nullable()
      .meta({
        description:
          'The face that is seen to say it, where `talking` was run too and one is seen; otherwise the ' +
          'voice, where several are heard.',
      }),
    speaker_confidence: score.nullable().optional().meta({
      description: 'How sure the speaker is; below 0.8 it is shown with a question mark.',
    }),
  })
  .meta({ id: 'Word' })
export type Word = z.infer<typeof Word>

const Passage = z.object({ ...span, text: z.string(), first_word: z.int(), last_word: z.int() })

const Translation = z
  .object({
    language: z.literal('en'),
    text: z.string(),
    words: z.array(z.object({ ...span, text: z.string() })).meta({
      description: 'Placed where their meaning is spoken, to about half a second.',
    }),
  })
  .meta({ id: 'Translation' })

export const TranscriptionFindings = z
  .object({
    language: z.string().nullable(),
    language_confidence: score.nullable(),
    text: z.string(),
    words: z.array(Word),
    sentences: z.array(Passage),
    paragraphs: z.array(Passage),
    model: z.string(),
    word_times: z.enum(['aligned', 'model', 'mixed', 'none']),
    translation: Translation.optional().meta({
      description: 'In English, where it was asked for and another language is spoken.',
    }),
    audio_track: z.int().nonnegative().optional().meta({
      description: 'Which audio track was heard, from 0, where the first held no voice.',
    }),
  })
  .meta({ id: 'TranscriptionFindings' })

export const ShotChange = z
  .object({ ...span, type: z.enum(['cut', 'dissolve', 'fade', 'wipe']), score })
  .meta({
    id: 'ShotChange',
    description:
      'A cut: both frames are the first frame of the new shot. Gradual: first blended, first clean. ' +
      'The score of a cut is about the share of such cuts that are true on edited footage.',
  })
export type ShotChange = z.infer<typeof ShotChange>

export const Shot = z
  .object({
    ...span,
    index: z.int(),
    transition: z.enum(['start', 'cut', 'dissolve', 'fade', 'wipe']),
    transition_range: Span.optional().meta({
      description: 'The frames that blend where the shot does not begin with a cut.',
    }),
    motion: z.enum(['still', 'low', 'medium', 'high']),
    motion_level: z.number(),
    black: z.boolean(),
    frozen: z.boolean(),
  })
  .meta({
    id: 'Shot',
    description: 'It starts at the edit point: a cut, or the middle of the transition into it.',
  })
export type Shot = z.infer<typeof Shot>

export const ShotsFindings = z
  .object({
    changes: z.array(ShotChange).meta({ description: 'Changes at or above the threshold.' }),
    candidates: z.array(ShotChange).meta({
      description: 'Every scored change, so that the threshold can be moved without a new run.',
    }),
    threshold: score,
    shots: z.array(Shot),
    black: z.array(Span),
    freeze: z.array(Span),
    flashes: z.array(Span),
  })
  .meta({ id: 'ShotsFindings' })

export const TalkingFindings = z
  .object({
    speech: z.array(Span).meta({
      description: 'Turns of speech; a pause of less than a second belongs to its turn.',
    }),
    silence: z.array(Span).meta({
      description: 'Where nothing is heard and no voice is, pauses within a turn included.',
    }),
    talking: z.array(z.object({ ...span, face: z.string().nullable(), score })),
    lip_flap: z.array(z.object({ ...span, face: z.string().nullable(), score })),
    voice_only: z.array(Span),
    faces: z.array(
      z.object({
        id: z.string(),
        spans: z.array(Span),
        talking_seconds: z.number(),
      }),
    ),
    sound_delay_seconds: z.number().nullable().optional().meta({
      description:
        'How late the sound of the whole file is against its mouths (negative: early); null where none was found.',
    }),
    lip_sync: z.enum(['in_sync', 'out_of_sync', 'unclear']).nullable().optional().meta({
      description:
        'Whether the sound follows the mouths; `unclear` where too little of them is seen speaking to judge, null where no mouth speaks or no voice is heard.',
    }),
  })
  .meta({ id: 'TalkingFindings' })

export const CutPoint = z
  .object({ frame, time: Fraction, seconds: z.number(), score, reasons: z.array(z.string()) })
  .meta({ id: 'CutPoint' })
export type CutPoint = z.infer<typeof CutPoint>

export const CutpointsFindings = z
  .object({
    points: z.array(CutPoint),
    removals: z.array(
      z.object({ ...span, kind: z.enum(['silence', 'filler']), text: z.string().nullable() }),
    ),
    curve: z.object({
      bytes: z.string().meta({ description: 'Base64: the cut score of each frame, 0 to 255.' }),
      frames: z.int(),
    }),
  })
  .meta({ id: 'CutpointsFindings' })

const Box = z
  .object({ x: score, y: score, width: score, height: score })
  .meta({ id: 'Box', description: 'A part of the picture, as fractions of its width and height.' })

export const TextLine = z
  .object({
    ...span,
    text: z.string(),
    confidence: score,
    box: Box,
    on_slate: z.boolean().meta({ description: 'It stands on one of the slates.' }),
  })
  .meta({ id: 'TextLine' })
export type TextLine = z.infer<typeof TextLine>

const SlateValue = z
  .object({ text: z.string(), confidence: score })
  .nullable()
  .meta({ id: 'SlateValue' })

export const Slate = z
  .object({
    ...span,
    scene: SlateValue,
    take: SlateValue,
    roll: SlateValue,
    camera: SlateValue,
    date: SlateValue,
    timecode: SlateValue,
    clip_name: z.string().nullable().meta({ description: 'Scene, take and camera: `12A-3-A`.' }),
    box: Box,
    confidence: score,
    clap: z
      .object({
        frame,
        time: Fraction,
        seconds: z.number(),
        confidence: score,
        heard: z.boolean().meta({ description: 'An attack of the sound is there.' }),
        seen: z.boolean().meta({ description: 'Motion above the slate ends there.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Slate' })
export type Slate = z.infer<typeof Slate>

export const TextFindings = z
  .object({
    lines: z.array(TextLine),
    slates: z.array(Slate),
    frames_read: z.int().meta({ description: 'Pictures that were read.' }),
  })
  .meta({ id: 'TextFindings' })

export const findingsByExtractor = {
  ffprobe: FfprobeFindings,
  thumbnail: ThumbnailFindings,
  transcription: TranscriptionFindings,
  shots: ShotsFindings,
  talking: TalkingFindings,
  cutpoints: CutpointsFindings,
  text: TextFindings,
} satisfies Record<ExtractorId, z.ZodType>

export const Findings = z
  .object({ media: Media, ...z.object(findingsByExtractor).partial().shape })
  .meta({ id: 'Findings' })
export type Findings = z.infer<typeof Findings>
export type FindingsOf<Id extends keyof typeof findingsByExtractor> = z.infer<
  (typeof findingsByExtractor)[Id]
>
