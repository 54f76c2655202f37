import { useId } from 'react'
import { extractors, fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { decimalsOf, sumMicros } from '../../app/format.ts'
import { classes } from '../../ui/classes.ts'
import { TextField } from '../../ui/field.tsx'
import { isTime } from './analysis.ts'
import type { Analysis, QuotedLine } from './analysis.ts'
import { SpeechFields } from '../../app/analyse/speech-fields.tsx'

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
  'grid grid-cols-[24px_minmax(0,1fr)_76px_140px_72px] items-center gap-x-3 max-sm:grid-cols-[24px_minmax(0,1fr)_72px]'

const presets: readonly { label: string; ids: readonly ExtractorId[] }[] = [
  { label: 'Full analysis', ids: fullAnalysis },
  { label: 'Shots', ids: ['ffprobe', 'thumbnail', 'shots'] },
  { label: 'Transcript', ids: ['ffprobe', 'transcription'] },
]

export interface FindFields {
  analysis: Analysis
  onChange: (change: Partial<Analysis>) => void
  /** The lines of the quote; empty while there is none. */
  lines: readonly QuotedLine[]
  clipCount: number
  errorOf?: (field: 'extractors' | 'part') => string | undefined
}

/** Lists the extractors with prices and how many clips each is new for, and settings below. */
export function ExtractorList({ analysis, onChange, lines, clipCount, errorOf }: FindFields) {
  const { chosen } = analysis
  const errorId = useId()
  const error = errorOf?.('extractors')
  const rows = extractors.map((extractor) => {
    const own = lines.filter((line) => line.extractor === extractor.id)
    return { extractor, own, micros: sumMicros(own.map((line) => line.usd)) }
  })
  const decimals = decimalsOf(rows.map((row) => row.micros))
  const toggle = (id: ExtractorId) => () =>
    onChange({
      chosen: chosen.includes(id) ? chosen.filter((item) => item !== id) : [...chosen, id],
    })
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">What to find</legend>
      <Presets chosen={chosen} onChoose={(ids) => onChange({ chosen: ids })} />
      <ul className="divide-y divide-line">
        {rows.map(({ extractor, own, micros }, index) => (
          <Row
            key={extractor.id}
            extractor={extractor}
            lines={own}
            micros={micros}
            decimals={decimals}
            isOn={chosen.includes(extractor.id)}
            errorId={error && index === 0 ? errorId : undefined}
            onToggle={toggle(extractor.id)}
          />
        ))}
      </ul>
      {error && (
        <p id={errorId} className="mt-1 text-xs text-bad">
          {error}
        </p>
      )}
      {clipCount > 1 && <Legend />}
      <div className="flex flex-col gap-3 border-t border-line pt-3">
        {chosen.includes('transcription') && (
          <SpeechFields
            choice={analysis.speech}
            speakersLabel={clipCount > 1 ? 'Speakers in each clip' : 'Speakers'}
            onChange={(speech) => onChange({ speech })}
          />
        )}
        {clipCount === 1 && (
          <RangeFields analysis={analysis} error={errorOf?.('part')} onChange={onChange} />
        )}
      </div>
    </fieldset>
  )
}

/** A usual set at one press. */
function Presets({
  chosen,
  onChoose,
}: {
  chosen: readonly ExtractorId[]
  onChoose: (ids: readonly ExtractorId[]) => void
}) {
  return (
    <div className="mb-1 grid grid-cols-3 gap-px overflow-hidden rounded-lg border border-line bg-line">
      {presets.map(({ label, ids }) => {
        const isChosen = ids.length === chosen.length && ids.every((id) => chosen.includes(id))
        const micros = extractors
          .filter((item) => ids.includes(item.id))
          .reduce((sum, item) => sum + item.microsPerSecond, 0)
        return (
          <button
            key={label}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(ids)}
            className={classes(
              'flex flex-col items-center px-2 py-1.5 transition-colors duration-120 focus-visible:-outline-offset-2',
              isChosen ? 'bg-brand-wash text-brand-ink' : 'bg-panel text-ink-2 hover:bg-hover',
            )}
          >
            <span className="font-medium">{label}</span>
            <span className="figures text-xs">{formatUsd(micros, 3)}/sec</span>
          </button>
        )
      })}
    </div>
  )
}

/** A long recording can be tried on a short passage of it. */
function RangeFields({
  analysis: { from, to },
  error,
  onChange,
}: Pick<FindFields, 'analysis' | 'onChange'> & { error: string | undefined }) {
  const errorOf = (text: string) => (isTime(text) ? undefined : error)
  return (
    <details>
      <summary className="cursor-pointer text-ink-2">Analyse a range</summary>
      <div className="mt-2 grid grid-cols-2 gap-3">
        <TextField
          label="From"
          placeholder="0:00"
          hint="Like 90, 1:30 or 1:02:03."
          value={from}
          error={errorOf(from)}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextField
          label="To"
          placeholder="The end"
          value={to}
          error={errorOf(to)}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
    </details>
  )
}

function Legend() {
  return (
    <p className="flex gap-4 border-t border-line py-2 pl-9 text-xs text-ink-3 max-sm:hidden">
      {(['new', 'known', 'skipped'] as const).map((kind) => (
        <span key={kind} className="flex items-center gap-1.5">
          <span aria-hidden className={`h-1.5 w-3 rounded-[1px] ${fills[kind]}`} />
          {legend[kind]}
        </span>
      ))}
    </p>
  )
}

function Row({
  extractor,
  lines,
  micros,
  decimals,
  isOn,
  errorId,
  onToggle,
}: {
  extractor: (typeof extractors)[number]
  lines: readonly QuotedLine[]
  micros: number
  decimals: 2 | 3
  isOn: boolean
  errorId: string | undefined
  onToggle: () => void
}) {
  return (
    <li>
      <label className={`${columns} min-h-11 cursor-pointer py-0.5`}>
        <input
          type="checkbox"
          aria-label={extractor.name}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
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
        <span className="timecode text-right text-xs text-ink-3 max-sm:hidden">
          {formatUsd(extractor.microsPerSecond, 3)}/sec
        </span>
        <span className="min-w-0 max-sm:hidden">{isOn && <Cells lines={lines} />}</span>
        {isOn && micros > 0 && (
          <span className="timecode text-right">{formatUsd(micros, decimals)}</span>
        )}
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

function kindOf(line: QuotedLine): Kind {
  return line.skipped ? 'skipped' : line.reused ? 'known' : 'new'
}

function countsOf(lines: readonly QuotedLine[]): Record<Kind, number> {
  const counts = { new: 0, known: 0, skipped: 0 }
  for (const line of lines) counts[kindOf(line)] += 1
  return counts
}

function wordsOf(lines: readonly QuotedLine[]): string {
  const counts = countsOf(lines)
  return (['new', 'known', 'skipped'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(' · ')
}

const maxCells = 12

/** One cell for each clip while they can be told apart, and the counts in words. */
function Cells({ lines }: { lines: readonly QuotedLine[] }) {
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
