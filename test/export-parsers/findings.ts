/** Findings for export tests: whole, schema-checked, and exact at any rate. */
import { Findings } from '../../domain/findings/findings.ts'
import type { Media, ShotChange, Span } from '../../domain/findings/findings.ts'

export interface Change {
  type: ShotChange['type']
  start: number
  end: number
  score?: number
}

export interface MadeFindings {
  rate?: string
  dropFrame?: boolean
  startTimecode?: string | null
  frames?: number
  audio?: number[]
  changes?: Change[]
  candidates?: Change[]
  words?: {
    text: string
    start: number
    end: number
    speaker?: string
    speakerConfidence?: number
  }[]
  points?: { frame: number; score: number; reasons?: string[] }[]
  removals?: { kind: 'silence' | 'filler'; start: number; end: number; text?: string }[]
  lipFlap?: [number, number][]
  soundDelaySeconds?: number
  /** Frames of a line of text, and of a slate with its clap. */
  lines?: { text: string; start: number; end: number }[]
  slates?: { scene: string; take: string; start: number; end: number; clap: number }[]
  media?: Partial<Media>
  /** The exact time of a frame, for a variable rate. */
  timeOf?: (frame: number) => [number, number]
}

export function makeFindings(wanted: MadeFindings = {}): Findings {
  const rate = wanted.rate ?? '25/1'
  const frames = wanted.frames ?? 1000
  const time = wanted.timeOf ?? constant(rate)
  const span = (start: number, end: number): Span => spanOf(time, start, end)
  const changes = (wanted.changes ?? []).map((change) => changeOf(change, span))
  const candidates = (wanted.candidates ?? wanted.changes ?? []).map((change) =>
    changeOf(change, span),
  )
  const words = (wanted.words ?? []).map((word) => ({
    ...span(word.start, word.end),
    text: word.text,
    confidence: 0.9,
    speaker: word.speaker ?? null,
    ...(word.speakerConfidence === undefined ? {} : { speaker_confidence: word.speakerConfidence }),
  }))
  return Findings.parse({
    media: mediaOf(wanted, rate, frames, time),
    shots: { changes, candidates, threshold: 0.5, shots: [], black: [], freeze: [], flashes: [] },
    transcription: {
      language: 'en',
      language_confidence: 1,
      text: words.map((word) => word.text).join(' '),
      words,
      sentences: [],
      paragraphs: [],
      model: 'test',
      word_times: 'aligned',
    },
    talking: {
      speech: [],
      silence: [],
      talking: [],
      lip_flap: (wanted.lipFlap ?? []).map(([start, end]) => ({
        ...span(start, end),
        face: null,
        score: 0.8,
      })),
      voice_only: [],
      sound_delay_seconds: wanted.soundDelaySeconds ?? null,
      faces: [],
    },
    cutpoints: {
      points: (wanted.points ?? []).map((point) => ({
        frame: point.frame,
        time: span(point.frame, point.frame).start_time,
        seconds: span(point.frame, point.frame).start,
        score: point.score,
        reasons: point.reasons ?? ['pause'],
      })),
      removals: (wanted.removals ?? []).map((removal) => ({
        ...span(removal.start, removal.end),
        kind: removal.kind,
        text: removal.text ?? null,
      })),
      curve: { bytes: '', frames: 0 },
    },
    ...(wanted.lines || wanted.slates ? { text: textOf(wanted, span) } : {}),
  })
}

function textOf(wanted: MadeFindings, span: (start: number, end: number) => Span) {
  const box = { x: 0.1, y: 0.7, width: 0.3, height: 0.1 }
  const value = (text: string) => ({ text, confidence: 0.9 })
  return {
    lines: (wanted.lines ?? []).map(({ text, start, end }) => ({
      ...span(start, end),
      ...{ text, box, confidence: 0.9, on_slate: false },
    })),
    slates: (wanted.slates ?? []).map(({ scene, take, start, end, clap }) => {
      const at = span(clap, clap)
      const time = { frame: clap, time: at.start_time, seconds: at.start }
      return {
        ...span(start, end),
        ...{ scene: value(scene), take: value(take), roll: value('A004'), camera: value('B') },
        ...{ date: value('2024-03-07'), timecode: null, clip_name: `${scene}-${take}-B` },
        ...{ box, confidence: 0.9 },
        clap: { ...time, confidence: 0.9, heard: true, seen: true },
      }
    }),
    frames_read: 1,
  }
}

type TimeOf = NonNullable<MadeFindings['timeOf']>

function constant(rate: string): TimeOf {
  const [num, den] = rate.split('/').map(Number) as [number, number]
  return (frame) => [frame * den, num]
}

function spanOf(time: TimeOf, start: number, end: number): Span {
  const [from, to] = [time(start), time(end)]
  return {
    start_frame: start,
    end_frame: end,
    start_time: `${from[0]}/${from[1]}`,
    end_time: `${to[0]}/${to[1]}`,
    start: from[0] / from[1],
    end: to[0] / to[1],
  }
}

function changeOf(change: Change, span: (start: number, end: number) => Span): ShotChange {
  return { ...span(change.start, change.end), type: change.type, score: change.score ?? 0.9 }
}

function mediaOf(wanted: MadeFindings, rate: string, frames: number, time: TimeOf): Media {
  const end = time(frames)
  return {
    kind: 'video',
    container: 'mov',
    duration: end[0] / end[1],
    duration_time: `${end[0]}/${end[1]}`,
    frames,
    frame_rate: rate,
    variable_frame_rate: wanted.timeOf !== undefined,
    time_base: '1/90000',
    start_timecode: wanted.startTimecode ?? null,
    drop_frame: wanted.dropFrame ?? false,
    reel: null,
    width: 1920,
    height: 1080,
    rotation: 0,
    pixel_aspect: '1/1',
    video_codec: 'h264',
    audio: (wanted.audio ?? [2]).map((channels, index) => ({
      index: index + 1,
      codec: 'pcm_s16le',
      channels,
      layout: null,
      sample_rate: 48_000,
      language: null,
      title: null,
    })),
    pages: null,
    ...wanted.media,
  }
}
