/** Prices a job, as a pure function of its media and extractors. */
import type { Stretch } from '../../domain/job-options.ts'
import { extractorIds, extractors as catalogue } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Micros } from '../../domain/money/money.ts'
import { parseRate } from '../../domain/time/timecode.ts'
import { Refusal } from '../ground/refusal.ts'

export interface PriceLine {
  extractor: ExtractorId
  microsPerSecond: Micros
  seconds: number
  micros: Micros
  reused: boolean
  applies: boolean
}

export function parseWorkflow(workflow: string): ExtractorId[] {
  const ids = workflow.split(',').map((id) => id.trim())
  if (ids.every((id) => id === '')) throw wrongWorkflow('Please select at least one extractor')
  const seen = new Set<string>()
  return ids.map((id) => {
    const known = extractorIds.find((extractor) => extractor === id)
    if (id === '') throw wrongWorkflow('The workflow holds an empty extractor id.')
    if (!known) {
      const all = extractorIds.join(', ')
      throw wrongWorkflow(`There is no extractor "${id.slice(0, 50)}". Known are: ${all}.`)
    }
    if (seen.has(id)) throw wrongWorkflow(`The extractor "${id}" is named twice.`)
    seen.add(id)
    return known
  })
}

function wrongWorkflow(message: string): Refusal {
  return new Refusal('invalid', message, { field: 'workflow' })
}

/** Length of what a job looks at, rounded up: an image counts one, a document one for each page. */
export function mediaSeconds(media: Media, stretch: Stretch): number {
  if (media.kind === 'document') return Math.max(1, media.pages ?? 1)
  if (media.kind === 'image' || media.kind === 'other') return 1
  const start = stretch.in ?? 0
  const end = Math.min(stretch.out ?? media.duration, media.duration)
  if (start >= media.duration || start >= end) {
    throw new Refusal('invalid', 'The in point must be before the out point and the end.', {
      field: 'in',
    })
  }
  return roundUp(end - start)
}

/** 8K at 60 fps. A second of more pixels than this counts as more seconds. */
const pixelsPerSecond = 2_000_000_000

/** Seconds to pay for, rounded up, for so many seconds of a medium. */
export function countedSeconds(media: Media, seconds: number): number {
  return roundUp(Math.max(seconds, pixelsIn(media, seconds) / pixelsPerSecond))
}

/** Pixels to decode in so many seconds. Sound may last longer than the frames do. */
function pixelsIn(media: Media, seconds: number): number {
  if (media.kind !== 'video') return 0
  const average = media.duration > 0 ? media.frames / media.duration : 0
  const rate = media.frame_rate && !media.variable_frame_rate ? parseRate(media.frame_rate) : null
  const perSecond = Math.max(average, rate ? Number(rate.num) / Number(rate.den) : 0)
  const frames = Math.min(media.frames, Math.ceil(seconds * perSecond))
  return frames * (media.width ?? 0) * (media.height ?? 0)
}

/** Up to the next whole second; what is less than a microsecond is the float's, not the media's. */
export function roundUp(seconds: number): number {
  return Math.max(1, Math.ceil(Math.round(seconds * 1e6) / 1e6))
}

export function priceLines(
  ids: readonly ExtractorId[],
  input: {
    seconds: number
    applies: (id: ExtractorId) => boolean
    isReused: (id: ExtractorId) => boolean
    /** The sample costs nobody anything. */
    isFree: boolean
  },
): PriceLine[] {
  return ids.map((extractor) => {
    const { microsPerSecond } = priceOf(extractor)
    const applies = input.applies(extractor)
    const reused = applies && input.isReused(extractor)
    const seconds = applies ? input.seconds : 0
    const micros = applies && !reused && !input.isFree ? seconds * microsPerSecond : 0
    return { extractor, microsPerSecond, seconds, micros, reused, applies }
  })
}

function priceOf(id: ExtractorId): { microsPerSecond: Micros } {
  const price = catalogue.find((extractor) => extractor.id === id)
  if (!price) throw new Error(`The catalogue lacks ${id}.`)
  return price
}

export function totalMicros(lines: readonly { micros: Micros }[]): Micros {
  return lines.reduce((sum, line) => sum + line.micros, 0)
}
