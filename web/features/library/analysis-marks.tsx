import { extractors, fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ContentItem } from '../../../contract/footage/content.ts'
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

/** Six marks in a fixed order, read as a pattern, and one for each other extractor that was run. */
export function AnalysisMarks({ analysis }: { analysis: Analysis }) {
  const shown = extractors.filter(
    ({ id }) => fullAnalysis.includes(id) || analysis.some((state) => state.extractor === id),
  )
  const marks = shown.map(({ id, name }) => {
    const known = analysis.find((state) => state.extractor === id)
    const state: MarkState = known?.state ?? 'none'
    const share = known?.progress ?? 0
    // One that waits for its turn, or for what others find, has not moved yet.
    const text =
      state !== 'running' ? words[state] : share > 0 ? `${Math.floor(share * 100)} %` : 'waiting'
    return { id, name, state, text, message: known?.message ?? null }
  })
  const summary = marks.map(({ name, text }) => `${name}: ${text}`).join(', ')
  const { element, handlers, popup } = useRestingHint<HTMLSpanElement>(() => (
    <ul className="flex flex-col gap-1">
      {marks.map(({ id, name, state, text, message }) => (
        <li key={id} className="flex items-center gap-2">
          <Marks states={[state]} />
          <span className="grow pr-4">{name}</span>
          <span className="text-ink-3">{message ?? text}</span>
        </li>
      ))}
    </ul>
  ))
  return (
    <>
      <span ref={element} role="img" aria-label={summary} className="shrink-0" {...handlers}>
        <Marks states={marks.map(({ state }) => state)} />
      </span>
      {popup}
    </>
  )
}

const markSize = 7
const markStep = 11

/** One drawing for all: a hundred clips with six each would be as many elements as the page has. */
function Marks({ states }: { states: readonly MarkState[] }) {
  const width = markStep * (states.length - 1) + markSize
  return (
    <svg
      viewBox={`0 0 ${width} ${markSize}`}
      width={width}
      height={markSize}
      aria-hidden
      data-marks={states.join(' ')}
      className="block"
    >
      {states.map((state, index) => (
        // The marks have a fixed order.
        // oxlint-disable-next-line react/no-array-index-key
        <path key={index} d={shapeOf(state, index * markStep)} className={looks[state]} />
      ))}
    </svg>
  )
}

const looks: Record<MarkState, string> = {
  done: 'fill-ink-3',
  none: 'fill-none stroke-ink-3',
  running: 'fill-brand-ink stroke-brand-ink',
  failed: 'fill-bad',
  skipped: 'fill-ink-3',
}

function shapeOf(state: MarkState, x: number): string {
  const circle = (radius: number): string =>
    `M${x + 3.5 - radius} 3.5a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0`
  switch (state) {
    case 'done':
      return circle(3.2)
    case 'none':
      return circle(2.8)
    // A ring, and its left half filled: the way there and back leaves nothing inside on the right.
    case 'running':
      return `M${x + 3.5} .7a2.8 2.8 0 0 0 0 5.6zM${x + 3.5} .7a2.8 2.8 0 0 1 0 5.6a2.8 2.8 0 0 0 0-5.6`
    case 'failed':
      return `M${x + 3.5} 0l3.5 3.5l-3.5 3.5l-3.5-3.5z`
    case 'skipped':
      return `M${x} 3h7v1h-7z`
    default:
      return state satisfies never
  }
}
