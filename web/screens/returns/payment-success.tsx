import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { timings } from '../../../domain/money/catalogue.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { formatUsd, fromUsdNumber } from '../../../domain/money/money.ts'
import { reportPurchase } from '../../app/analytics.ts'
import { throwConfetti } from '../../features/payments/confetti.ts'
import { usePaymentSession } from '../../features/payments/payment-status.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { MessagePage } from '../message-page.tsx'
import { readTab, writeTab } from '../../dom/browser-storage.ts'

const next = [
  'Credits are added to your balance.',
  'You can create jobs with them at once.',
  'The purchase is in your billing history.',
  'Purchased credits have no expiration.',
]

const ownerWaitMs = 1000

export function PaymentSuccess() {
  const [query] = useSearchParams()
  const sessionId = query.get('session_id')
  const owner = useCheckoutOwner(sessionId)
  usePurchaseReport(query, owner === 'own')
  useEffect(() => (owner === 'own' ? throwConfetti() : undefined), [owner])
  if (owner === 'foreign' && sessionId) return <ForeignSession sessionId={sessionId} />
  return (
    <div className="measure flex grow flex-col justify-center py-12">
      <div className="mx-auto w-full max-w-140">
        <CircleCheck size={32} className="text-good" aria-hidden />
        <h1 className="mt-3 text-2xl font-semibold tracking-tight">Payment Successful!</h1>
        <CreditState sessionId={sessionId} />
        {sessionId && <SessionId id={sessionId} />}
        <h2 className="mt-8 text-base font-semibold">What's next</h2>
        <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-5">
          {next.map((line) => (
            <li key={line} className="text-base text-ink-2">
              {line}
            </li>
          ))}
        </ul>
        <Countdown />
      </div>
    </div>
  )
}

type Owner = 'unknown' | 'own' | 'foreign'

/** Decides once: only a "not yours" within a second counts; the payment is a fact without it. */
function useCheckoutOwner(sessionId: string | null): Owner {
  const { isLoading, error } = usePaymentSession(sessionId)
  const [owner, setOwner] = useState<Owner>('unknown')
  if (owner === 'unknown' && !isLoading) setOwner(isOfOthers(error) ? 'foreign' : 'own')
  useEffect(() => {
    if (owner !== 'unknown') return undefined
    const timer = setTimeout(() => setOwner('own'), ownerWaitMs)
    return () => clearTimeout(timer)
  }, [owner])
  return owner
}

/** The truth about the credit: it comes with the provider's own message, not with this page. */
function CreditState({ sessionId }: { sessionId: string | null }) {
  const { data, error } = usePaymentSession(sessionId)
  let text = 'The payment provider is confirming the payment; the credits follow in a moment.'
  let waiting = true
  if (!sessionId) {
    text = 'Thank you. Your balance on the dashboard shows the credits once they are booked.'
    waiting = false
  } else if (data?.status === 'credited') {
    text = `${formatUsd(fromUsdNumber(data.credits_usd))} of credits have been added to your balance.`
    waiting = false
  } else if (data?.status === 'canceled') {
    text = 'This checkout was canceled. No charges were made.'
    waiting = false
  } else if (error) {
    text = 'We can’t check this payment right now. If you paid, the credits will still be added.'
    waiting = false
  }
  return (
    <p role="status" className="mt-3 flex items-center gap-2 text-md text-ink-2">
      {waiting && <Spinner size={16} />}
      {text}
    </p>
  )
}

/** Our server answers so for a checkout of another account; one without this call says no code. */
function isOfOthers(error: Error | null): boolean {
  return error instanceof CallError && error.status === 404 && error.body.code === 'not_found'
}

function ForeignSession({ sessionId }: { sessionId: string }) {
  return (
    <MessagePage
      label="Payment"
      title="This payment is not in your account"
      actions={
        <>
          <ButtonLink to="/dashboard" look="primary">
            Go to Dashboard
          </ButtonLink>
          <ButtonLink to="/profile#billing">Billing history</ButtonLink>
        </>
      }
    >
      <p>
        Nothing was added to your balance. If you paid with another account, log in with that one.
      </p>
      <SessionId id={sessionId} />
    </MessagePage>
  )
}

function SessionId({ id }: { id: string }) {
  return (
    <p className="mt-2 flex items-center gap-1 text-xs text-ink-3">
      Session
      <code className="min-w-0 truncate" title={id}>
        {id}
      </code>
      <CopyButton text={id} label="Copy the session id" />
    </p>
  )
}

/** Counts to the dashboard; the pointer or the keyboard on it holds the clock. */
function Countdown() {
  const navigate = useNavigate()
  const [seconds, setSeconds] = useState<number>(timings.successCountdownSeconds)
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = hovered || focused
  useEffect(() => {
    if (held) return undefined
    if (seconds === 0) {
      void navigate('/dashboard', { replace: true })
      return undefined
    }
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds, held, navigate])
  return (
    <div
      data-testid="countdown"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="mt-8 rounded-lg border border-line bg-panel p-4"
    >
      <p className="text-ink-2">
        Going to the dashboard in <span className="timecode text-ink">{seconds}</span> s
        {held && ' (paused)'}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink to="/dashboard" look="primary">
          Go to Dashboard
        </ButtonLink>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </div>
    </div>
  )
}

const reportedKey = 'purchase-reported'

/** Reports the purchase once, if the query names package and price: a reload is no purchase. */
/** `isOwn` as far as the service says. */
function usePurchaseReport(query: URLSearchParams, isOwn: boolean): void {
  const packageType = query.get('package_type')
  const amount = query.get('amount')
  const sessionId = query.get('session_id')
  const reported = useRef(false)
  useEffect(() => {
    if (!isOwn || reported.current || !packageType || !amount) return
    const amountUsd = Number.parseFloat(amount)
    if (!Number.isFinite(amountUsd)) return
    reported.current = true
    if (sessionId && readTab(reportedKey) === sessionId) return
    if (sessionId) writeTab(reportedKey, sessionId)
    reportPurchase({ packageType, amountUsd })
  }, [isOwn, packageType, amount, sessionId])
}
