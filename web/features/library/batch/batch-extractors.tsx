import type { ReactNode } from 'react'
import type { BatchQuote } from '../../../../contract/footage/batches.ts'
import { extractors } from '../../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../../domain/money/money.ts'
import { counted, decimalsOf, sumMicros } from '../../../app/format.ts'

type Item = BatchQuote['items'][number]

/** The catalogue's summaries, as short as the column. */
const briefs: Record<ExtractorId, string> = {
  ffprobe: 'Streams and timecode',
  thumbnail: 'Poster, proxy, waveform',
  transcription: 'A time for every word',
  shots: 'Cuts, dissolves, fades',
  talking: 'Who visibly talks',
  cutpoints: 'Frames where a cut works',
  text: 'Titles, signs, slates',
}

const columns =
  'grid grid-cols-[24px_minmax(0,1fr)_72px_160px_80px] items-center gap-x-3 max-sm:grid-cols-[24px_minmax(0,1fr)_72px]'

/** The extractors with their prices over all clips, and how many clips each is new for. */
export function BatchExtractors({
  items,
  chosen,
  onChange,
  children,
}: {
  items: readonly Item[]
  chosen: readonly ExtractorId[]
  onChange: (chosen: readonly ExtractorId[]) => void
  /** Settings of what is chosen. */
  children?: ReactNode
}) {
  const rows = extractors.map((extractor) => {
    const lines = items.flatMap((item) =>
      item.lines.filter((line) => line.extractor === extractor.id),
    )
    return { extractor, lines, micros: sumMicros(lines.map((line) => line.usd)) }
  })
  const decimals = decimalsOf(rows.map((row) => row.micros))
  return (
    <fieldset className="min-w-0 md:border-r md:border-line md:py-3 md:pr-5">
      <legend className="sr-only">What to find</legend>
      <div aria-hidden className={`${columns} h-8 text-xs text-ink-3`}>
        <span className="col-start-2">Extractor</span>
        <span className="text-right max-sm:hidden">per second</span>
        <span className="max-sm:hidden">{counted(items.length, 'clip')}</span>
        <span className="text-right">Sum</span>
      </div>
      <ul className="divide-y divide-line">
        {rows.map(({ extractor, lines, micros }) => (
          <Row
            key={extractor.id}
            extractor={extractor}
            lines={lines}
            price={formatUsd(micros, decimals)}
            isOn={chosen.includes(extractor.id)}
            onToggle={() =>
              onChange(
                chosen.includes(extractor.id)
                  ? chosen.filter((id) => id !== extractor.id)
                  : [...chosen, extractor.id],
              )
            }
          />
        ))}
      </ul>
      {children}
      <p className="flex gap-4 border-t border-line pt-2 pl-9 text-xs text-ink-3 max-sm:hidden">
        {(['new', 'known', 'skipped'] as const).map((kind) => (
          <span key={kind} className="flex items-center gap-1.5">
            <span aria-hidden className={`h-1.5 w-3 rounded-[1px] ${fills[kind]}`} />
            {legend[kind]}
          </span>
        ))}
      </p>
    </fieldset>
  )
}

function Row({
  extractor,
  lines,
  price,
  isOn,
  onToggle,
}: {
  extractor: (typeof extractors)[number]
  lines: Item['lines']
  price: string
  isOn: boolean
  onToggle: () => void
}) {
  return (
    <li>
      <label className={`${columns} min-h-13 cursor-pointer py-1`}>
        <input
          type="checkbox"
          aria-label={extractor.name}
          checked={isOn}
          onChange={onToggle}
          className="size-4 accent-brand pointer-coarse:size-6"
        />
        <span className="min-w-0">
          <span className="block truncate text-sm font-medium">{extractor.name}</span>
          <span className="text-xs text-ink-3 sm:hidden">{isOn && wordsOf(lines)}</span>
          <span
            title={extractor.summary}
            className="block truncate text-xs text-ink-3 max-sm:hidden"
          >
            {briefs[extractor.id]}
          </span>
        </span>
        <span className="timecode text-right text-ink-3 max-sm:hidden">
          {formatUsd(extractor.microsPerSecond, 3)}
        </span>
        <span className="min-w-0 max-sm:hidden">{isOn && <Cells lines={lines} />}</span>
        <span className="timecode text-right">{isOn && price}</span>
      </label>
    </li>
  )
}

type Kind = 'new' | 'known' | 'skipped'
const fills: Record<Kind, string> = {
  new: 'bg-brand',
  known: 'bg-line-strong',
  skipped: 'border border-line-strong',
}
const legend: Record<Kind, string> = {
  new: 'new',
  known: 'known, $0.00',
  skipped: 'skipped, nothing to look at',
}

function kindOf(line: Item['lines'][number]): Kind {
  return line.skipped ? 'skipped' : line.reused ? 'known' : 'new'
}

function countsOf(lines: Item['lines']): Record<Kind, number> {
  const counts = { new: 0, known: 0, skipped: 0 }
  for (const line of lines) counts[kindOf(line)] += 1
  return counts
}

function wordsOf(lines: Item['lines']): string {
  const counts = countsOf(lines)
  return (['new', 'known', 'skipped'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(' · ')
}

const maxCells = 12

/** One cell for each clip while they can be told apart, and the counts in words. */
function Cells({ lines }: { lines: Item['lines'] }) {
  const counts = countsOf(lines)
  return (
    <>
      <span aria-hidden className="flex h-1.5 gap-px">
        {lines.length <= maxCells
          ? lines.map((line, index) => (
              // Cells have no identity beyond their place.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={index} className={`min-w-0 grow rounded-[1px] ${fills[kindOf(line)]}`} />
            ))
          : (['new', 'known', 'skipped'] as const)
              .filter((kind) => counts[kind] > 0)
              .map((kind) => (
                <span key={kind} className={fills[kind]} style={{ flexGrow: counts[kind] }} />
              ))}
      </span>
      <span className="mt-1 block truncate text-xs text-ink-3">{wordsOf(lines)}</span>
    </>
  )
}
