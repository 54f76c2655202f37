import { useId } from 'react'
import { extractors, fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classes } from '../../ui/classes.ts'

const presets: readonly { label: string; ids: readonly ExtractorId[] }[] = [
  { label: 'Full analysis', ids: fullAnalysis },
  { label: 'Shots', ids: ['ffprobe', 'thumbnail', 'shots'] },
  { label: 'Transcript', ids: ['ffprobe', 'transcription'] },
]

/** Chooses extractors: a usual set at one press, or each by itself. */
export function ExtractorChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly ExtractorId[]
  error: string | undefined
  onChange: (next: readonly ExtractorId[]) => void
}) {
  const errorId = useId()
  const toggle = (id: ExtractorId, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((item) => item !== id))
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">What to find</legend>
      <div className="mb-2 grid grid-cols-3 gap-px overflow-hidden rounded-lg border border-line bg-line">
        {presets.map((preset) => (
          <Preset
            key={preset.label}
            preset={preset}
            isChosen={isSame(preset.ids, chosen)}
            onChoose={() => onChange(preset.ids)}
          />
        ))}
      </div>
      <div className="divide-y divide-line rounded-lg border border-line">
        {extractors.map((item, index) => (
          <div key={item.id} className="flex items-center gap-3 px-3 py-1">
            <Checkbox
              className="grow"
              label={item.name}
              hint={item.summary}
              checked={chosen.includes(item.id)}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error && index === 0 ? errorId : undefined}
              onChange={(event) => toggle(item.id, event.target.checked)}
            />
            <span className="timecode shrink-0 text-xs text-ink-3">
              {formatUsd(item.microsPerSecond, 3)}/sec
            </span>
          </div>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1 text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Preset({
  preset,
  isChosen,
  onChoose,
}: {
  preset: (typeof presets)[number]
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classes(
        'flex flex-col items-center px-2 py-1.5 transition-colors duration-120 focus-visible:-outline-offset-2',
        isChosen ? 'bg-brand-wash text-brand-ink' : 'bg-panel text-ink-2 hover:bg-hover',
      )}
    >
      <span className="font-medium">{preset.label}</span>
      <span className="figures text-xs">{formatUsd(priceOf(preset.ids), 3)}/sec</span>
    </button>
  )
}

function priceOf(ids: readonly ExtractorId[]): number {
  return extractors
    .filter((item) => ids.includes(item.id))
    .reduce((sum, item) => sum + item.microsPerSecond, 0)
}

function isSame(a: readonly ExtractorId[], b: readonly ExtractorId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id))
}
