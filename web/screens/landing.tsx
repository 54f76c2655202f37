import { Suspense, useEffect, useState } from 'react'
import type { CreditPackage } from '../../domain/money/catalogue.ts'
import { Calculator } from '../features/pricing/calculator.tsx'
import { HourlyPrices } from '../features/pricing/hourly-prices.tsx'
import { PackageList } from '../features/pricing/package-list.tsx'
import { part } from '../app/later.tsx'
import { currentSession } from '../session/session.tsx'
import { openSignIn } from '../session/sign-in-prompt.ts'
import { keepWantedPackage } from '../session/wanted-package.ts'
import { showToast } from '../ui/toast.tsx'
import { Closing } from './landing/closing.tsx'
import { DocsTeaser } from './landing/docs-teaser.tsx'
import { Features } from './landing/features.tsx'
import { Hero } from './landing/hero.tsx'
import { Problem } from './landing/problem.tsx'
import { Section } from './landing/section.tsx'
import { Steps } from './landing/steps.tsx'
import { Testimonials } from './landing/testimonials.tsx'

const BuyDialog = part(() => import('../features/payments/buy-dialog.tsx'), 'BuyDialog')

export function Landing() {
  useCancelledLogin()
  return (
    <>
      <Hero />
      <Problem />
      <Steps />
      <Features />
      <Testimonials />
      <Section
        id="calculator"
        name="Calculator"
        title="Know the cost before the run"
        lead="You pay for seconds of footage, not for seats or months. A quote is a ceiling: a job never costs more than what it was quoted, and what fails costs nothing."
      >
        <Calculator />
        <HourlyPrices />
      </Section>
      <Pricing />
      <DocsTeaser />
      <Closing />
    </>
  )
}

/** Says once that the provider sent the visitor back without an account; cleans the address. */
function useCancelledLogin(): void {
  useEffect(() => {
    if (!location.search.includes('login=cancelled')) return
    history.replaceState(history.state, '', '/')
    const message = 'You can log in whenever you like.'
    showToast({ type: 'info', title: 'Login cancelled', message })
  }, [])
}

function Pricing() {
  const [chosen, setChosen] = useState<CreditPackage | null>(null)
  const buy = (pack: CreditPackage) => {
    // Asked now: a click may come before the prerendered page knows who is signed in.
    if (currentSession().token) {
      setChosen(pack)
      return
    }
    keepWantedPackage(pack.id)
    openSignIn('login')
  }
  return (
    <Section
      id="pricing"
      name="Pricing"
      title="Prepaid credits, larger packages give more"
      lead="Purchased credits never expire. Every account with a verified e-mail gets $5 of free credits each month; those expire at the end of the month."
    >
      <PackageList onBuy={buy} />
      {chosen && (
        <Suspense fallback={null}>
          <BuyDialog of={chosen} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </Section>
  )
}
