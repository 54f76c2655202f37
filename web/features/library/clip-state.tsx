import {
  extractors,
  fullAnalysis,
  fullAnalysisMicrosPerSecond,
} from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { counted } from '../../app/format.ts'
import { classes } from '../../ui/classes.ts'
import { useRestingHint } from '../../ui/tooltip.tsx'

type State = ContentItem['analysis'][number]['state'] | 'none'

const words: Record<State, string> = {
  done: 'done',
  running: 'running',
  failed: 'failed',
  skipped: 'does not apply',
  none: 'not run',
}

/** A mark and words for where the analysis of a clip is; what each extractor did is its hint. */
export function ClipState({ clip, onRetry }: { clip: ContentItem; onRetry: () => void }) {
  const { state, text, message } = stateOf(clip)
  const rows = rowsOf(clip)
  const { element, handlers, popup } = useRestingHint<HTMLSpanElement>(() => (
    <ul className="flex flex-col gap-1">
      {rows.map((row) => (
        <li key={row.id} className="flex items-center gap-2">
          <Mark state={row.state} />
          <span className="grow pr-4">{row.name}</span>
          <span className="text-ink-3">{row.message ?? row.text}</span>
        </li>
      ))}
    </ul>
  ))
  const isBad = state === 'failed'
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-ink-2">
      <span
        ref={element}
        role="img"
        aria-label={rows.map(({ name, text: how }) => `${name}: ${how}`).join(', ')}
        className="shrink-0"
        {...handlers}
      >
        <Mark state={state} />
      </span>
      <span className={classes('truncate', isBad && 'text-bad')} title={message ?? undefined}>
        {text}
      </span>
      {isBad && clip.check.state === 'ready' && (
        <button
          type="button"
          tabIndex={-1}
          className="shrink-0 text-bad underline pointer-coarse:min-h-11"
          onClick={(event) => {
            event.stopPropagation()
            onRetry()
          }}
        >
          Retry
        </button>
      )}
      {popup}
    </span>
  )
}

function rowsOf({ analysis }: ContentItem) {
  return extractors
    .filter(({ id }) => fullAnalysis.includes(id) || analysis.some((run) => run.extractor === id))
    .map(({ id, name }) => {
      const run = analysis.find((other) => other.extractor === id)
      const state: State = run?.state ?? 'none'
      const share = run?.progress ?? 0
      // One that waits for its turn, or for what others find, has not moved yet.
      const text =
        state !== 'running' ? words[state] : share > 0 ? `${Math.floor(share * 100)} %` : 'waiting'
      return { id, name, state, text, message: run?.message ?? null }
    })
}

/** How the card says it: "418 words · 2 people", "Analysing, 62 %", "Not analysed · $0.35". */
function stateOf(clip: ContentItem): { state: State; text: string; message: string | null } {
  const { check, analysis } = clip
  const problem = problems[check.state]
  if (problem) {
    const state = check.state === 'checking' ? 'running' : 'failed'
    return { state, text: problem, message: check.message }
  }
  if (analysis.some(({ state }) => state === 'running')) {
    // Ended extractors count as whole, so that the number never falls when one ends.
    const shares = analysis.map(({ state, progress }) => (state === 'running' ? progress : 1))
    const share = shares.reduce((sum, part) => sum + part, 0) / shares.length
    return { state: 'running', text: `Analysing, ${Math.floor(share * 100)} %`, message: null }
  }
  const failed = analysis.find(({ state }) => state === 'failed')
  if (failed) {
    const name = extractors.find(({ id }) => id === failed.extractor)?.name
    return { state: 'failed', text: `${name} failed`, message: failed.message }
  }
  if (analysis.length === 0) return { state: 'none', text: unanalysed(clip), message: null }
  return { state: 'done', text: whatIsIn(analysis), message: null }
}

/** Why there is nothing to analyse yet, or ever. */
const problems: Record<ContentItem['check']['state'], string> = {
  ready: '',
  not_media: 'Can’t be analysed',
  refused: 'File can’t be read',
  unreachable: 'Unreachable',
  checking: 'Checking…',
}

function unanalysed({ media }: ContentItem): string {
  if (media?.kind !== 'video') return 'Not analysed'
  const price = Math.ceil(media.duration) * fullAnalysisMicrosPerSecond
  return `Not analysed · ${formatUsd(price)}`
}

function whatIsIn(analysis: ContentItem['analysis']): string {
  const run = (id: string) => analysis.find(({ extractor }) => extractor === id)
  const [speech, shots, people] = [run('transcription'), run('shots'), run('talking')]
  const parts = [
    speech && (speech.count ? counted(speech.count, 'word') : 'No speech'),
    people?.count ? (people.count === 1 ? '1 person' : `${people.count} people`) : '',
    shots?.count && !speech?.count ? counted(shots.count, 'shot') : '',
  ]
  return parts.filter(Boolean).join(' · ') || 'Analysed'
}

function Mark({ state }: { state: State }) {
  return (
    <svg viewBox="0 0 7 7" width={7} height={7} aria-hidden className={looks[state]}>
      <path d={shapes[state]} />
    </svg>
  )
}

const looks: Record<State, string> = {
  done: 'fill-ink-3',
  none: 'fill-none stroke-ink-3',
  running: 'fill-brand-ink stroke-brand-ink',
  failed: 'fill-bad',
  skipped: 'fill-ink-3',
}

const shapes: Record<State, string> = {
  done: 'M.3 3.5a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0',
  none: 'M.7 3.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0',
  // A ring, and its left half filled: the way there and back leaves nothing inside on the right.
  running: 'M3.5 .7a2.8 2.8 0 0 0 0 5.6zM3.5 .7a2.8 2.8 0 0 1 0 5.6a2.8 2.8 0 0 0 0-5.6',
  failed: 'M3.5 0l3.5 3.5l-3.5 3.5l-3.5-3.5z',
  skipped: 'M0 3h7v1h-7z',
}
