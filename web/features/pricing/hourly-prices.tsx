import {
  extractors,
  freeTierMicros,
  fullAnalysisMicrosPerSecond,
} from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'

const tasks: readonly ExtractorId[] = ['shots', 'talking', 'transcription']
const hourSeconds = 3600

/** An hour of footage: one task alone beside the full analysis, which few need for all of it. */
export function HourlyPrices() {
  const prices = [
    ...extractors
      .filter(({ id }) => tasks.includes(id))
      .map(({ name, microsPerSecond }) => ({ name, microsPerSecond })),
    { name: 'Full analysis', microsPerSecond: fullAnalysisMicrosPerSecond },
  ].toSorted((a, b) => a.microsPerSecond - b.microsPerSecond)
  return (
    <div className="mt-6">
      <h3 className="text-base font-semibold">One hour of footage</h3>
      <p className="mt-0.5 text-ink-2">
        Run one task on everything, then the full analysis on what you keep.
      </p>
      <dl className="mt-3 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
        {prices.map(({ name, microsPerSecond }, index) => (
          <div key={name} className="bg-panel p-4">
            <dt className={index === prices.length - 1 ? 'font-medium' : 'text-ink-3'}>{name}</dt>
            <dd className="timecode mt-1 text-lg">{formatUsd(microsPerSecond * hourSeconds)}</dd>
            <dd className="text-xs text-ink-3">{freeMinutes(microsPerSecond)} free each month</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** How much of it the month's free credit covers. */
function freeMinutes(microsPerSecond: number): string {
  const seconds = Math.floor(freeTierMicros / microsPerSecond)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
