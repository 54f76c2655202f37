/**
 * Avid Log Exchange: clips with tape, timecode and tracks, as Media Composer imports them into a bin.
 * One file has one rate. Fields are separated by tabs, so no field holds one.
 */
import { expectEqual, fail } from '../compare.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { sourceTimecodes } from '../edl/times.ts'
import { oneLine } from '../timeline/names.ts'

export interface AleRow {
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
/** Written only where a slate gave one of them. */
const slateColumns: ReadonlySet<keyof AleRow> = new Set(['camera', 'cameraRoll', 'shootDate'])

function columnsFor(rows: readonly AleRow[]): Column[] {
  return allColumns.filter(
    ([, field]) => !slateColumns.has(field) || rows.some((row) => row[field]),
  )
}

/** Where a clip lies on its tape. */
export function aleTimes(start: number, end: number, format: TimecodeFormat) {
  const [from = '', to = ''] = sourceTimecodes(start, end, format)
  return { start: from, end: to, duration: toTimecode(end - start, format) }
}

export function makeAle(
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
  const body = `${lines.join('\r\n')}\r\n`
  check(body, rows, columns)
  return body
}

/** "V", "VA1A2", "A1": the tracks that a clip has. */
export function aleTracks(media: { hasVideo: boolean; channels: number }): string {
  const sound = Array.from({ length: media.channels }, (_, index) => `A${index + 1}`)
  return `${media.hasVideo ? 'V' : ''}${sound.join('')}`
}

/** What the camera's notes say of scene and take, where the file carries them. */
export function sceneAndTake(format: Record<string, unknown> | undefined): {
  scene: string
  take: string
} {
  const tags = Object.entries((format?.['tags'] ?? {}) as Record<string, unknown>)
  const tag = (name: string): string => {
    const found = tags.find(([key]) => key.toLowerCase().split(/[.:]/).at(-1) === name)
    return typeof found?.[1] === 'string' ? found[1] : ''
  }
  return { scene: tag('scene'), take: tag('take') }
}

function videoFormat(height: number | null): string {
  if (height === 1080 || height === 720) return String(height)
  if (height === 576) return 'PAL'
  return height === 480 || height === 486 ? 'NTSC' : 'CUSTOM'
}

function check(body: string, rows: readonly AleRow[], columns: readonly Column[]): void {
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
