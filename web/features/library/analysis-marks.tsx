import { extractors, fullAnalysis } from '../../../contract/catalogue.ts'
import type { ContentItem } from '../../../contract/content.ts'
import { useRestingHint } from '../../ui/tooltip.tsx'

type Analysis = ContentItem['analysis']
type MarkState = Analysis[number]['state'] | 'none'

const words: Record<MarkState, string> = {
  done: 'done',
  running: 'running',
  failed: 'failed',
  skipped: 'does not apply',
  none: 'not run',
}

/**
 * Six marks in a fixed order, so that a row is read as a pattern, and one for each extractor that was
 * run beside the full analysis. Shape and colour differ.
 */
export function AnalysisMarks({ analysis }: { analysis: Analysis }) {
  const shown = extractors.filter(
    ({ id }) => fullAnalysis.includes(id) || analysis.some((state) => state.extractor === id),
  )
  const marks = shown.map(({ id, name }) => {
    const known = analysis.find((state) => state.extractor === id)
    const state: MarkState = known?.state ?? 'none'
    const percent = state === 'running' ? ` ${Math.round((known?.progress ?? 0) * 100)} %` : ''
    return { id, name, state, text: `${words[state]}${percent}`, message: known?.message ?? null }
  })
  const summary = marks.map(({ name, text }) => `${name}: ${text}`).join(', ')
  const { element, handlers, popup } = useRestingHint<HTMLSpanElement>(() => (
    <ul className="flex flex-col gap-1">
      {marks.map(({ id, name, state, text, message }) => (
        <li key={id} className="flex items-center gap-2">
          <Mark state={state} />
          <span className="grow pr-4">{name}</span>
          <span className="text-ink-3">{message ?? text}</span>
        </li>
      ))}
    </ul>
  ))
  return (
    <>
      <span
        ref={element}
        role="img"
        aria-label={summary}
        className="flex items-center gap-1"
        {...handlers}
      >
        {marks.map(({ id, state }) => (
          <Mark key={id} state={state} />
        ))}
      </span>
      {popup}
    </>
  )
}

function Mark({ state }: { state: MarkState }) {
  return (
    <svg viewBox="0 0 8 8" width="7" height="7" aria-hidden data-mark={state} className="shrink-0">
      {state === 'done' && <circle cx="4" cy="4" r="3.5" className="fill-ink-3" />}
      {state === 'none' && (
        <circle cx="4" cy="4" r="3" className="fill-none stroke-ink-3" strokeWidth="1" />
      )}
      {state === 'running' && (
        <>
          <circle cx="4" cy="4" r="3" className="fill-none stroke-brand-ink" strokeWidth="1" />
          <path d="M4 1a3 3 0 0 0 0 6z" className="fill-brand-ink" />
        </>
      )}
      {state === 'failed' && <path d="M4 0l4 4-4 4-4-4z" className="fill-bad" />}
      {state === 'skipped' && <path d="M0 3.5h8v1H0z" className="fill-ink-3" />}
    </svg>
  )
}
