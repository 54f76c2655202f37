import { Check, Minus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { fromUsdNumber, formatUsd } from '../../../../domain/money/money.ts'
import { NotEnough } from '../../../app/analyse/quote-line.tsx'
import { SpeechFields } from '../../../app/analyse/speech-fields.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { JobProgress } from '../job-progress.tsx'
import { priceText } from './find-rows.ts'
import type { FindRow } from './find-rows.ts'
import type { Finding } from './use-finding.ts'

interface Props {
  finding: Finding
  onRetry: () => void
  onBuyCredits: () => void
}

const railId = 'what-to-find'
const rowId = 'what-to-find-row'

/** Goes to what can be chosen, or opens it. */
export function showWhatToFind(): void {
  const row = document.getElementById(rowId)
  if (row?.checkVisibility()) row.click()
  else document.querySelector<HTMLElement>(`#${railId} :is(input, button)`)?.focus()
}

/** The extractors of a clip beside its picture; where there is no room, one row that opens them. */
export function WhatToFind(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const { rows, chosen } = props.finding
  const running = rows.find(({ state }) => state === 'running')
  return (
    <>
      <section
        id={railId}
        aria-label="What to find"
        className="flex min-h-0 flex-col border-r border-line bg-panel max-[1100px]:hidden min-[1100px]:col-start-1 min-[1100px]:row-start-1"
      >
        <Rail {...props} />
      </section>
      <button
        id={rowId}
        type="button"
        onClick={() => setOpen(true)}
        className="flex min-h-11 items-center gap-2 border-t border-line bg-panel px-3 text-left min-[900px]:col-start-1 min-[900px]:row-start-3 min-[1100px]:hidden"
      >
        <span className="font-semibold">What to find</span>
        <span className="min-w-0 grow truncate text-ink-2">
          {running && `${running.name} ${running.note}`}
        </span>
        {chosen.length > 0 && (
          <span className="text-brand-ink">
            {chosen.length} chosen{priceText(chosen)}
          </span>
        )}
      </button>
      <Drawer title="What to find" open={isOpen} onClose={() => setOpen(false)}>
        <Rail {...props} />
      </Drawer>
    </>
  )
}

function Rail({ finding, onRetry, onBuyCredits }: Props) {
  const { job, rows, isRunning } = finding
  return (
    <>
      <h2 className="flex h-9 shrink-0 items-center border-b border-line px-3 font-semibold">
        <span className="grow">What to find</span>
        <Kbd>W</Kbd>
      </h2>
      <ul className="min-h-0 grow divide-y divide-line overflow-y-auto">
        {rows.map((row) => (
          <Row key={row.id} row={row} finding={finding} onRetry={onRetry} />
        ))}
      </ul>
      {job && isRunning ? (
        <JobProgress job={job} />
      ) : (
        <Foot finding={finding} onBuyCredits={onBuyCredits} />
      )}
    </>
  )
}

function Row({ row, finding, onRetry }: { row: FindRow; finding: Finding; onRetry: () => void }) {
  const { state, name, note } = row
  const isOffered = finding.offered.includes(row)
  const isRefused = state === 'failed' || state === 'incomplete'
  return (
    <li className="relative px-3 py-1">
      <label className="grid min-h-9 grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-2">
        {isOffered && !finding.isRunning ? (
          <input
            type="checkbox"
            aria-label={name}
            checked={finding.chosen.includes(row)}
            onChange={() => finding.toggle(row.id)}
            className="size-4 accent-brand pointer-coarse:size-6"
          />
        ) : (
          <StateMark row={row} />
        )}
        <span className="min-w-0">
          <span className="block font-medium">{name}</span>
          <span
            title={note}
            className={`block text-xs ${isRefused ? 'text-bad' : 'truncate text-ink-3'}`}
          >
            {note}
          </span>
        </span>
        {row.usd !== null && (state === 'new' || row.usd > 0 || state === 'skipped') && (
          <span className="timecode text-xs text-ink-2">
            {formatUsd(fromUsdNumber(row.usd), row.usd === 0 ? 2 : 3)}
          </span>
        )}
      </label>
      {isRefused && finding.job?.status === 'completed' && (
        <Button aria-label={`Retry ${name}`} onClick={onRetry} className="mt-1 ml-7">
          Retry
        </Button>
      )}
      {state === 'running' && <Progress label={`Progress of ${row.id}`} value={row.progress} />}
    </li>
  )
}

/** Read aloud as words, seen as a shape. */
function StateMark({ row: { state } }: { row: FindRow }) {
  return (
    <span className="grid place-items-center">
      <span className="sr-only">{state === 'known' ? 'done' : state}</span>
      {(state === 'done' || state === 'known') && (
        <Check size={15} aria-hidden className="text-ink-2" />
      )}
      {state === 'skipped' && <Minus size={15} aria-hidden className="text-ink-3" />}
      {(state === 'failed' || state === 'incomplete') && (
        <span aria-hidden className="size-2.5 rotate-45 bg-bad" />
      )}
      {(state === 'waiting' || state === 'new') && (
        <span aria-hidden className="size-3 rounded-full border border-ink-3" />
      )}
      {state === 'running' && (
        <span
          aria-hidden
          className="size-3 rounded-full border border-brand bg-[linear-gradient(90deg,var(--brand)_50%,transparent_50%)]"
        />
      )}
    </span>
  )
}

function Foot({ finding, onBuyCredits }: { finding: Finding; onBuyCredits: () => void }) {
  const { quote, chosen, offered, isTooDear, isPlacing, speech } = finding
  const isSpoken = chosen.some(({ id }) => id === 'transcription')
  const answer = quote.data?.quote
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      {isSpoken && (
        <details>
          <summary className="cursor-pointer text-xs text-ink-2">Speakers and language</summary>
          <div className="pt-2 [&_.grid]:grid-cols-1!">
            <SpeechFields choice={speech} onChange={finding.setSpeech} />
          </div>
        </details>
      )}
      {quote.error && <p className="text-xs text-bad">{quote.error.message}</p>}
      {answer && isTooDear && (
        <NotEnough availableUsd={answer.available_usd} onBuyCredits={onBuyCredits} />
      )}
      {!quote.error && (
        <p className="flex gap-2 text-xs text-ink-3">
          <span className="grow">
            {offered.length === 0 ? 'Nothing is left to find.' : `${chosen.length} chosen`}
          </span>
          {offered.length > 0 && <span>paid when done</span>}
        </p>
      )}
      <Button
        look={finding.job ? 'secondary' : 'primary'}
        size="md"
        busy={isPlacing}
        disabled={chosen.length === 0 || isTooDear || !answer}
        onClick={finding.analyse}
      >
        <Sparkles size={14} aria-hidden /> Analyse{chosen.length > 0 && priceText(chosen)}
        <Kbd>Ctrl ↵</Kbd>
      </Button>
    </div>
  )
}
