import { useState } from 'react'
import {
  calculator,
  extractors,
  freeTierMicros,
  fullAnalysis,
  fullAnalysisMicrosPerSecond,
  syncPrice,
} from '../../../domain/money/catalogue.ts'
import type { ExtractorPrice } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { controlClass } from '../../ui/field.tsx'
import { Slider } from '../../ui/slider.tsx'

const costDecimals = 3
const presets = [
  { label: '30 s spot', seconds: 30 },
  { label: '5 min scene', seconds: 300 },
  { label: '22 min episode', seconds: 1320 },
  { label: '1 h interview', seconds: 3600 },
]

/** The price of a full analysis while the slider moves, and its parts. */
export function Calculator() {
  const [seconds, setSeconds] = useState<number>(calculator.defaultSeconds)
  const costMicros = seconds * fullAnalysisMicrosPerSecond
  const freeSeconds = Math.floor(freeTierMicros / fullAnalysisMicrosPerSecond)
  return (
    <div className="grid overflow-hidden rounded-lg border border-line bg-panel lg:grid-cols-2">
      <div className="flex flex-col p-5 sm:p-6">
        <div className="flex items-baseline justify-between gap-4">
          <label className="flex items-center gap-2 text-ink-3">
            Length of the footage
            <input
              type="number"
              min={calculator.minSeconds}
              max={calculator.maxSeconds}
              value={seconds}
              onChange={(event) => setSeconds(withinLimits(event.target.valueAsNumber))}
              className={`${controlClass} timecode max-w-20 text-right`}
            />
            s
          </label>
          <p className="timecode text-lg">{formatLength(seconds)}</p>
        </div>
        <Slider
          label="Length in seconds"
          valueText={`${seconds} seconds`}
          min={calculator.minSeconds}
          max={calculator.maxSeconds}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.target.value))}
          className="mt-3"
        />
        <div className="timecode mt-1 flex justify-between text-xs text-ink-3">
          <span>{calculator.minSeconds} s</span>
          <span>{calculator.maxSeconds} s</span>
        </div>
        <div className="mt-4 flex flex-wrap gap-1.5">
          {presets.map((preset) => (
            <button
              key={preset.seconds}
              type="button"
              onClick={() => setSeconds(preset.seconds)}
              className="h-7 rounded-full border border-line px-3 text-xs text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:h-11"
            >
              {preset.label}
            </button>
          ))}
        </div>
        <div className="mt-auto pt-8">
          <p className="text-ink-3">Full analysis</p>
          <output className="timecode block text-3xl font-medium" aria-live="polite">
            {formatUsd(costMicros, costDecimals)}
          </output>
          <p className="mt-1 text-ink-2">
            {seconds} s × {formatUsd(fullAnalysisMicrosPerSecond, costDecimals)} per second. The{' '}
            {formatUsd(freeTierMicros, 0)} of free credits cover {freeSeconds} s each month.
          </p>
        </div>
      </div>
      <PriceList seconds={seconds} />
    </div>
  )
}

/** The price of each extractor of a full analysis, their sum, and possible additions. */
function PriceList({ seconds }: { seconds: number }) {
  return (
    <div className="border-t border-line p-5 sm:p-6 lg:border-t-0 lg:border-l">
      <table className="w-full text-left">
        <caption className="pb-2 text-left text-ink-3">
          {extractors.length} extractors, of which a full analysis runs {fullAnalysis.length}. A job
          runs the ones you choose.
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Extractor</th>
            <th scope="col">Per second</th>
            <th scope="col">For this length</th>
          </tr>
        </thead>
        <tbody>
          {extractors
            .filter(({ id }) => fullAnalysis.includes(id))
            .map((extractor) => (
              <PriceRow key={extractor.id} extractor={extractor} seconds={seconds} />
            ))}
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="py-2.5 pr-2 font-medium">
              Full analysis
            </th>
            <td className="timecode py-2.5 pr-2 text-right whitespace-nowrap">
              {formatUsd(fullAnalysisMicrosPerSecond, costDecimals)}/s
            </td>
            <td className="timecode py-2.5 text-right">
              {formatUsd(seconds * fullAnalysisMicrosPerSecond, costDecimals)}
            </td>
          </tr>
          {extractors
            .filter(({ id }) => !fullAnalysis.includes(id))
            .map((extractor) => (
              <PriceRow key={extractor.id} extractor={extractor} seconds={seconds} />
            ))}
        </tbody>
      </table>
      <p className="border-t border-line pt-2.5 text-ink-3">
        {syncPrice.name}: {formatUsd(syncPrice.microsPerSecond, costDecimals)} per second and clip.
      </p>
    </div>
  )
}

function PriceRow({ extractor, seconds }: { extractor: ExtractorPrice; seconds: number }) {
  const { name, id, microsPerSecond } = extractor
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2.5 pr-2 font-normal">
        {name}
        {!fullAnalysis.includes(id) && <span className="text-ink-3">, on request</span>}
      </th>
      <td className="timecode py-2.5 pr-2 text-right whitespace-nowrap text-ink-3">
        {formatUsd(microsPerSecond, costDecimals)}/s
      </td>
      <td className="timecode w-24 py-2.5 text-right">
        {formatUsd(seconds * microsPerSecond, costDecimals)}
      </td>
    </tr>
  )
}

function withinLimits(seconds: number): number {
  if (!Number.isFinite(seconds)) return calculator.minSeconds
  return Math.max(calculator.minSeconds, Math.min(calculator.maxSeconds, Math.round(seconds)))
}

function formatLength(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
