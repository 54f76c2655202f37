/** Facts of an item at a glance. */
import { extractors } from '../../../domain/money/catalogue.ts'
import type { ContentItem } from '../../app/answers.ts'
import { fileSize } from '../../app/file-size.ts'

type Media = NonNullable<ContentItem['media']>

export function factsOf(item: Pick<ContentItem, 'content_type' | 'file_size' | 'media'>): string[] {
  const { media } = item
  const kinds = { upload: null, youtube: 'YouTube', url: 'URL' }
  return [
    kinds[item.content_type],
    media && media.duration > 0 ? durationText(media.duration) : null,
    media?.width && media.height ? resolutionText(media) : null,
    media?.frame_rate && media.kind === 'video' ? rateText(media.frame_rate) : null,
    media?.pages ? `${media.pages} ${media.pages === 1 ? 'page' : 'pages'}` : null,
    // Another service may leave it out.
    typeof item.file_size === 'number' ? fileSize(item.file_size) : null,
  ].filter((fact) => fact !== null)
}

/** The analyses of an item in words; nothing where the server does not say. */
export function analysisText({ analysis = [] }: Pick<ContentItem, 'analysis'>): string | null {
  const named = (state: string): string =>
    extractors
      .filter(({ id }) => analysis.some((run) => run.extractor === id && run.state === state))
      .map(({ name }) => name)
      .join(', ')
  const [done, running, failed] = [named('done'), named('running'), named('failed')]
  const parts = [
    done && `Analysed: ${done}`,
    running && `Running: ${running}`,
    failed && `Failed: ${failed}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

function durationText(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** As a player shows it: a phone's upright clip is stored lying. */
function resolutionText({ width, height, rotation }: Media): string {
  return rotation % 180 === 0 ? `${width}×${height}` : `${height}×${width}`
}

function rateText(fraction: string): string {
  const [num = 0, den = 1] = fraction.split('/').map(Number)
  const rate = Math.round((num / den) * 1000) / 1000
  return `${rate} fps`
}
