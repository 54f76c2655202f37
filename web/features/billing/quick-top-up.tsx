import { bonusPercent, quickTopUpPackages } from '../../../domain/money/catalogue.ts'
import type { CreditPackage } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'

/** The second and the third package, one press away. */
export function QuickTopUp({ onBuy }: { onBuy: (creditPackage: CreditPackage) => void }) {
  return (
    <div className="grid gap-2">
      {quickTopUpPackages.map((creditPackage) => (
        <button
          key={creditPackage.id}
          type="button"
          onClick={() => onBuy(creditPackage)}
          className="flex items-center gap-4 rounded-lg border border-line bg-raised px-4 py-3 text-left transition-colors duration-120 hover:border-line-strong hover:bg-hover"
        >
          <span className="timecode text-xl">{formatUsd(creditPackage.priceMicros, 0)}</span>
          <span className="grow">
            <span className="block font-medium">
              {formatUsd(creditPackage.creditsMicros)} credits
            </span>
            <span className="text-xs text-ink-3">{creditPackage.name}</span>
          </span>
          <span className="text-good">+{bonusPercent(creditPackage)}% bonus</span>
        </button>
      ))}
    </div>
  )
}
