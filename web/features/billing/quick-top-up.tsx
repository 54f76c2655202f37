import { bonusPercent, quickTopUpPackages } from '../../../contract/catalogue.ts'
import type { CreditPackage } from '../../../contract/catalogue.ts'
import { formatUsd } from '../../../contract/money.ts'

/** The second and the third package, one press away. */
export function QuickTopUp({ onBuy }: { onBuy: (of: CreditPackage) => void }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {quickTopUpPackages.map((of) => (
        <button
          key={of.id}
          type="button"
          onClick={() => onBuy(of)}
          className="flex items-center gap-4 rounded-lg border border-line bg-raised px-4 py-3 text-left transition-colors duration-120 hover:border-line-strong hover:bg-hover"
        >
          <span className="timecode text-xl">{formatUsd(of.priceMicros, 0)}</span>
          <span className="grow">
            <span className="block font-medium">{formatUsd(of.creditsMicros)} credits</span>
            <span className="text-xs text-ink-3">{of.name}</span>
          </span>
          <span className="text-good">+{bonusPercent(of)}% bonus</span>
        </button>
      ))}
    </div>
  )
}
