import { useEffect, useRef, useState } from 'react'
import { creditPackages } from '../../domain/money/catalogue.ts'
import type { CreditPackage } from '../../domain/money/catalogue.ts'
import { BuyDialog } from '../features/payments/buy-dialog.tsx'
import { PackageList } from '../features/pricing/package-list.tsx'
import { forgetWantedPackage, wantedPackage } from '../session/wanted-package.ts'
import { Dialog } from '../ui/dialog.tsx'

export interface BuyCredits {
  /** Asks to confirm one package. */
  buy: (pack: CreditPackage) => void
  /** Shows all packages. */
  viewAll: () => void
  dialogs: React.ReactNode
}

/** Goes on with the package that was chosen before the login, once. */
export function useWantedPackage(buy: BuyCredits['buy']): void {
  const latest = useRef(buy)
  useEffect(() => {
    const wanted = creditPackages.find(({ id }) => id === wantedPackage())
    forgetWantedPackage()
    if (wanted) latest.current(wanted)
  }, [])
}

/** The two dialogs of buying: all packages, and the confirmation of one. */
export function useBuyCredits(): BuyCredits {
  const [chosen, setChosen] = useState<CreditPackage | null>(null)
  const [isListed, setListed] = useState(false)
  const buy = (pack: CreditPackage) => {
    setListed(false)
    setChosen(pack)
  }
  return {
    buy,
    viewAll: () => setListed(true),
    dialogs: (
      <>
        <Dialog
          open={isListed}
          onClose={() => setListed(false)}
          title="Credit packages"
          description="Purchased credits never expire. Larger packages give more."
          width="wide"
        >
          <PackageList onBuy={buy} />
        </Dialog>
        <BuyDialog of={chosen} onClose={() => setChosen(null)} />
      </>
    ),
  }
}
