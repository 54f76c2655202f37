/** SRT and WebVTT: the same captions, two notations. Zero is the first frame of the timeline. */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { frameTime } from '../../../domain/time/timecode.ts'
import { multiply, rational, round } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { withSoundTail } from '../../timeline/grid.ts'
import { oneLine } from '../../timeline/names.ts'
import { expectEqual, fail } from '../compare.ts'
import type { ExportInput, Format } from '../format.ts'
import type { Cue } from './cues.ts'
import { readCues } from './read-cues.ts'
import { captionsOf } from './words.ts'

type Separator = ',' | '.'

export const srt: Format = subtitles(
  ',',
  () => '',
  (cue) => cue.lines.join('\n'),
)

export const vtt: Format = subtitles(
  '.',
  (notes) =>
    `WEBVTT\n\n${notes.length > 0 ? `NOTE ${notes.join(' ').replaceAll('-->', '->')}\n\n` : ''}`,
  ({ speaker, lines }) =>
    (speaker === null ? '' : `<v ${escapeVtt(oneLine(speaker))}>`) +
    lines.map(escapeVtt).join('\n'),
)

function subtitles(
  separator: Separator,
  headOf: (notes: readonly string[]) => string,
  textOf: (cue: Cue) => string,
): Format {
  return {
    anyRate: true,
    jobOptions: followSource,
    write(input) {
      const { cues, rate } = timedCues(input)
      const blocks = cues.map((cue, index) => {
        const times = [cue.start, cue.end].map((frame) => clock(frame, rate, separator))
        return `${index + 1}\n${times.join(' --> ')}\n${textOf(cue)}\n`
      })
      return headOf(input.timeline.notes) + blocks.join('\n')
    },
    check(body: string, input) {
      const { cues, rate } = timedCues(input)
      compareCues(readCues(body, separator), cues, { rate, withText: separator === ',' })
    },
  }
}

/** Captions follow the source unless a shortened timeline is asked for. */
function followSource(options: ExportOptions): ExportOptions {
  return isShortened(options)
    ? options
    : { ...options, which: undefined, selects: undefined, accepted: undefined }
}

function isShortened({ which }: ExportOptions): boolean {
  return which === 'selects' || which === 'removals-kept'
}

/**
 * Captions in seconds of the media, whose sound may outlast its video and whose rate may be a
 * little off.
 */
function timedCues(input: ExportInput): { cues: Cue[]; rate: Rational } {
  const { timeline, options, order } = input
  if (!('findings' in order) || isShortened(options)) {
    return { cues: captionsOf(input), rate: timeline.format.rate }
  }
  const source = timeline.sources[0]!
  const grid = withSoundTail(source.grid, order.findings)
  const more = grid.frames - source.grid.frames
  const longer = { ...source, grid }
  const items = timeline.tracks[0]!.items.map((item) => ({ ...item, source: longer }))
  const last = items.at(-1)!
  last.sourceOut += more
  last.recordOut += more
  const whole = {
    ...timeline,
    frames: timeline.frames + more,
    sources: [longer],
    tracks: [{ items, angle: null }],
  }
  return { cues: captionsOf({ ...input, timeline: whole }), rate: grid.playedRate }
}

/** Captions that were read back are those that were meant, in order and never two at once. */
function compareCues(
  read: ReturnType<typeof readCues>,
  cues: readonly Cue[],
  { rate, withText }: { rate: Rational; withText: boolean },
): void {
  expectEqual('the number of captions', read.length, cues.length)
  cues.forEach((cue, index) => {
    const got = read[index]!
    expectEqual(`caption ${index + 1}: start`, got.startMs, milliseconds(cue.start, rate))
    expectEqual(`caption ${index + 1}: end`, got.endMs, milliseconds(cue.end, rate))
    if (withText) expectEqual(`caption ${index + 1}: text`, got.text, cue.lines.join('\n'))
    if (got.endMs <= got.startMs) fail(`caption ${index + 1} has no length`)
    const next = read[index + 1]
    if (next && next.startMs < got.endMs) fail(`captions ${index + 1} and ${index + 2} overlap`)
  })
}

/** The millisecond nearest to the start of a frame. */
function milliseconds(frame: number, rate: Rational): number {
  return Number(round(multiply(frameTime(frame, rate), rational(1000))))
}

function clock(frame: number, rate: Rational, separator: ',' | '.'): string {
  const total = milliseconds(frame, rate)
  const rest = String(total % 1000).padStart(3, '0')
  return `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}${separator}${rest}`
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0')
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
