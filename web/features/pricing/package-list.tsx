import {
  bonusPercent,
  creditPackages,
  fullAnalysisMicrosPerSecond,
} from '../../../domain/money/catalogue.ts'
import type { CreditPackage } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

/** The credit packages, side by side where there is room. */
export function PackageList({ onBuy }: { onBuy: (creditPackage: CreditPackage) => void }) {
  return (
    <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      {creditPackages.map((creditPackage) => (
        <PackageCard key={creditPackage.id} of={creditPackage} onBuy={() => onBuy(creditPackage)} />
      ))}
    </ul>
  )
}

function PackageCard({ of, onBuy }: { of: CreditPackage; onBuy: () => void }) {
  const percent = bonusPercent(of)
  const minutes = Math.floor(of.creditsMicros / fullAnalysisMicrosPerSecond / 60)
  return (
    <li className="flex flex-col bg-panel p-5">
      <div className="flex h-5 items-center justify-between">
        <h3 className="text-xs font-medium tracking-wider text-ink-2">{of.name}</h3>
        {of.popular && <Badge tone="brand">Popular</Badge>}
        {of.bestValue && <Badge tone="good">Best value</Badge>}
      </div>
      <p className="timecode mt-5 text-2xl font-medium">{formatUsd(of.priceMicros, 0)}</p>
      <dl className="mt-4 mb-6 grid grid-cols-[1fr_auto] gap-y-1 border-t border-line pt-4 [&_dd]:text-right">
        <dt className="text-ink-3">Credits</dt>
        <dd className="timecode">{formatUsd(of.creditsMicros)}</dd>
        <dt className="text-ink-3">Bonus</dt>
        <dd className="timecode whitespace-nowrap">
          {percent > 0 ? (
            <span className="text-good">
              {formatUsd(of.bonusMicros)} <span className="tracking-tight">(+{percent}%)</span>
            </span>
          ) : (
            'none'
          )}
        </dd>
        <dt className="text-ink-3">Covers</dt>
        <dd className="timecode whitespace-nowrap">{minutes.toLocaleString('en-US')} min</dd>
      </dl>
      {/* The lower edge is one line, whatever stands above it. */}
      <Button
        look={of.popular || of.bestValue ? 'primary' : 'secondary'}
        size="md"
        onClick={onBuy}
        aria-label={`Buy Now: ${of.name}, ${formatUsd(of.priceMicros, 0)}`}
        className="mt-auto w-full"
      >
        Buy Now
      </Button>
    </li>
  )
}
