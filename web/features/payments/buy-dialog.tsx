import { useEffect, useState } from 'react'
import type { CreditPackage } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { startCheckout } from './start-checkout.ts'

/** Confirms a purchase, then leaves for the payment provider's hosted checkout. */
export function BuyDialog({ of, onClose }: { of: CreditPackage | null; onClose: () => void }) {
  const [phase, setPhase] = useState<'asking' | 'processing' | 'leaving'>('asking')
  const isHeld = phase === 'processing'
  const confirm = async () => {
    if (!of) return
    setPhase('processing')
    setPhase((await startCheckout(of.id)) ? 'leaving' : 'asking')
  }
  const close = () => {
    setPhase('asking')
    onClose()
  }
  // The page may be left in vain, by Stop, or come back as it was, by Back.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) setPhase('asking')
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
  return (
    <Dialog
      open={of !== null}
      onClose={() => !isHeld && close()}
      title="Buy credits"
      description="You pay on the payment provider's page; card data never reaches us."
      footer={
        <>
          <Button onClick={close} disabled={isHeld}>
            Cancel
          </Button>
          <Button look="primary" busy={phase !== 'asking'} onClick={() => void confirm()}>
            {phase !== 'asking' ? 'Processing...' : 'Continue to checkout'}
          </Button>
        </>
      }
    >
      {of && (
        <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-base">
          <dt className="text-ink-2">Package</dt>
          <dd className="text-right font-medium">{of.name}</dd>
          <dt className="text-ink-2">Price</dt>
          <dd className="timecode text-right">{formatUsd(of.priceMicros)}</dd>
          {of.bonusMicros > 0 && (
            <>
              <dt className="text-ink-2">Bonus</dt>
              <dd className="timecode text-right text-good">
                {formatUsd(of.bonusMicros)} ({of.bonusText})
              </dd>
            </>
          )}
          <dt className="border-t border-line pt-1.5 font-medium">Credits</dt>
          <dd className="timecode border-t border-line pt-1.5 text-right font-medium">
            {formatUsd(of.creditsMicros)}
          </dd>
        </dl>
      )}
    </Dialog>
  )
}
