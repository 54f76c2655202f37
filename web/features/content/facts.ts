/** Facts of an item at a glance. */
import { extractors, fullAnalysisMicrosPerSecond } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import type { ContentItem } from '../../app/answers.ts'
import { rateText } from '../../clips/clip-text.ts'
import { fileSize } from '../../app/file-size.ts'
import { counted } from '../../app/format.ts'

const kinds = { upload: '', youtube: 'YouTube', url: 'URL' }
const problems = {
  checking: 'Checking',
  unreachable: 'Unreachable',
  not_media: 'Not media',
  refused: 'Cannot be analysed',
}

export function factsOf(item: ContentItem): string[] {
  const { media = null } = item
  return [
    kinds[item.content_type],
    rateText({ media }),
    media?.pages ? counted(media.pages, 'page') : '',
    // Another service may leave it out.
    typeof item.file_size === 'number' ? fileSize(item.file_size) : '',
  ].filter(Boolean)
}

export type Look = 'done' | 'running' | 'failed' | 'none'

/** Where an item stands, in words; nothing where the server does not say. */
export function stateOf(item: ContentItem): { look: Look; text: string } | null {
  const { analysis, check, media } = item
  if (check && check.state !== 'ready') {
    const look = check.state === 'checking' ? 'running' : 'failed'
    return { look, text: problems[check.state] }
  }
  if (!analysis) return null
  const running = analysis.find(({ state }) => state === 'running')
  if (running) {
    const runs = analysis.filter((run) => run.job_id === running.job_id && run.state !== 'skipped')
    const sum = runs.reduce((all, run) => all + (run.state === 'running' ? run.progress : 1), 0)
    return { look: 'running', text: `Analysing, ${Math.floor((sum / runs.length) * 100)} %` }
  }
  const named = (state: string): string =>
    extractors
      .filter(({ id }) => analysis.some((run) => run.extractor === id && run.state === state))
      .map(({ name }) => name)
      .join(', ')
  const [done, failed] = [named('done'), named('failed')]
  const parts = [done && `Analysed: ${done}`, failed && `Failed: ${failed}`].filter(Boolean)
  if (parts.length > 0) return { look: failed ? 'failed' : 'done', text: parts.join(' · ') }
  const price = Math.ceil(media?.duration ?? 0) * fullAnalysisMicrosPerSecond
  return { look: 'none', text: price > 0 ? `Not analysed · ${formatUsd(price)}` : 'Not analysed' }
}
