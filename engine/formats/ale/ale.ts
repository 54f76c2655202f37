/**
 * Avid Log Exchange: clips with tape, timecode and tracks, as Media Composer imports them into a
 * bin. A job has a row for each clip of its timeline, a cut one for each source. One file has one
 * rate: sources of several come as a file for each. Fields are separated by tabs, so no field holds
 * one.
 */
import { slateBefore } from '../../../domain/findings/slates.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { slatesOnGrid } from '../../timeline/build-job.ts'
import type { JobExport } from '../../timeline/build-job.ts'
import { listFrame } from '../../timeline/list-frames.ts'
import { fileNameOf, oneLine } from '../../timeline/names.ts'
import type { Source, Timeline } from '../../timeline/timeline.ts'
import { expectEqual, fail } from '../compare.ts'
import { sourceTimecodes } from '../edl/times.ts'
import type { ExportInput, Format, NamedFiles } from '../format.ts'

export const ale: Format = {
  write(input) {
    const files = filesOf(input).map(({ rows, format, height }): NamedFiles[number] => [
      fileNameOf(input.timeline.title, ` ${rateLabel(format.rate)} fps.ale`),
      writeRows(rows, { format, height }),
    ])
    return files.length === 1 ? files[0]![1] : files
  },
  check(body: string | NamedFiles, input) {
    const written = typeof body === 'string' ? [body] : body.map(([, file]) => file)
    filesOf(input).forEach(({ rows }, index) => checkRows(written[index] ?? '', rows))
  },
}

interface AleRow {
  name: string
  tracks: string
  start: string
  end: string
  duration: string
  tape: string
  scene: string
  take: string
  camera?: string
  cameraRoll?: string
  shootDate?: string
  file: string
  comments: string
}

type Column = [string, keyof AleRow]

const allColumns: Column[] = [
  ['Name', 'name'],
  ['Tracks', 'tracks'],
  ['Start', 'start'],
  ['End', 'end'],
  ['Duration', 'duration'],
  ['Tape', 'tape'],
  ['Scene', 'scene'],
  ['Take', 'take'],
  ['Camera', 'camera'],
  ['Camroll', 'cameraRoll'],
  ['Shoot Date', 'shootDate'],
  ['Source File', 'file'],
  ['Comments', 'comments'],
]
/** Columns that are written only if a slate gave one of them. */
const slateColumns: ReadonlySet<keyof AleRow> = new Set(['camera', 'cameraRoll', 'shootDate'])

function columnsFor(rows: readonly AleRow[]): Column[] {
  return allColumns.filter(
    ([, field]) => !slateColumns.has(field) || rows.some((row) => row[field]),
  )
}

interface AleFile {
  rows: AleRow[]
  format: TimecodeFormat
  height: number | null
}

function filesOf({ timeline, order }: ExportInput): AleFile[] {
  if ('findings' in order) return [clipFile(timeline, order)]
  const byRate = Map.groupBy(timeline.sources, (source) =>
    rateLabel(formatOf(timeline, source).rate),
  )
  return [...byRate.values()].map((sources) => ({
    rows: sources.map((source) => wholeRow(source, formatOf(timeline, source))),
    format: formatOf(timeline, sources[0]!),
    height: sources.find((source) => source.hasVideo)?.media.height ?? null,
  }))
}

/** The timecode format of a source: video counts at its own rate, sound at that of the cut. */
function formatOf({ format }: Timeline, { media, grid }: Source): TimecodeFormat {
  return media.kind === 'video' ? grid.format : format
}

function wholeRow(source: Source, format: TimecodeFormat): AleRow {
  const [start, end] = [0, source.grid.frames].map((frame) => listFrame(source, frame, format))
  return {
    ...rowOf(source, [start!, end!], format),
    name: source.name,
    file: source.path,
    comments: source.offline ? 'offline' : '',
  }
}

/**
 * The fields that the camera wrote into the file come before those that were read off the slate.
 */
function clipFile({ sources, tracks, notes }: Timeline, { findings }: JobExport): AleFile {
  const source = sources[0]!
  const { grid } = source
  const written = sceneAndTake(findings.ffprobe?.format)
  const slates = slatesOnGrid(findings, grid)
  const rows = tracks[0]!.items.map(({ name, sourceIn, sourceOut }) => {
    const slate = slateBefore(slates, sourceOut)
    return {
      ...rowOf(source, [grid.startFrame + sourceIn, grid.startFrame + sourceOut], grid.format),
      name,
      scene: written.scene || (slate?.scene?.text ?? ''),
      take: written.take || (slate?.take?.text ?? ''),
      camera: slate?.camera?.text ?? '',
      cameraRoll: slate?.roll?.text ?? '',
      shootDate: slate?.date?.text ?? '',
      file: source.name,
      comments: notes.join(' '),
    }
  })
  return { rows, format: grid.format, height: source.media.height }
}

/** One row: the clip's range on its tape and its tracks, such as "V", "VA1A2" or "A1". */
function rowOf(source: Source, [from, to]: [number, number], format: TimecodeFormat) {
  const [start = '', end = ''] = sourceTimecodes(from, to, format)
  const sound = Array.from({ length: source.channels }, (_, index) => `A${index + 1}`)
  return {
    tracks: `${source.hasVideo ? 'V' : ''}${sound.join('')}`,
    start,
    end,
    duration: toTimecode(to - from, format),
    tape: source.tape,
    scene: '',
    take: '',
  }
}

function writeRows(
  rows: readonly AleRow[],
  media: { format: TimecodeFormat; height: number | null },
): string {
  const columns = columnsFor(rows)
  const lines = [
    'Heading',
    'FIELD_DELIM\tTABS',
    `VIDEO_FORMAT\t${videoFormat(media.height)}`,
    'AUDIO_FORMAT\t48kHz',
    `FPS\t${rateLabel(media.format.rate)}`,
    '',
    'Column',
    columns.map(([name]) => name).join('\t'),
    '',
    'Data',
    ...rows.map((row) => columns.map(([, field]) => oneLine(row[field] ?? '')).join('\t')),
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** Scene and take from the camera's own metadata, if the file has them. */
function sceneAndTake(format: Record<string, unknown> | undefined): {
  scene: string
  take: string
} {
  const tags = Object.entries((format?.['tags'] ?? {}) as Record<string, unknown>)
  const tag = (name: string): string => {
    const value = tags.find(([key]) => key.toLowerCase().split(/[.:]/).at(-1) === name)?.[1]
    return typeof value === 'string' ? value : ''
  }
  return { scene: tag('scene'), take: tag('take') }
}

function videoFormat(height: number | null): string {
  if (height === 1080 || height === 720) return String(height)
  if (height === 576) return 'PAL'
  return height === 480 || height === 486 ? 'NTSC' : 'CUSTOM'
}

function checkRows(body: string, rows: readonly AleRow[]): void {
  const columns = columnsFor(rows)
  const [head, data] = body.split('\r\nData\r\n')
  const names = head?.split('\r\nColumn\r\n')[1]?.trimEnd().split('\t') ?? fail('no columns')
  const read = (data ?? '').split('\r\n').slice(0, -1)
  expectEqual('the number of clips', read.length, rows.length)
  rows.forEach((row, index) => {
    const fields = read[index]!.split('\t')
    expectEqual(`clip ${index + 1}: columns`, fields.length, names.length)
    for (const [name, field] of columns) {
      expectEqual(
        `clip ${index + 1}: ${name}`,
        fields[names.indexOf(name)],
        oneLine(row[field] ?? ''),
      )
    }
  })
}
