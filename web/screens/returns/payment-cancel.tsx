import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { supportAddress } from '../../app/support.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { MessagePage } from '../message-page.tsx'

const linkClass =
  'inline-block py-1 text-brand-ink underline underline-offset-2 pointer-coarse:py-2.5'

export function PaymentCancel() {
  const shown = useRef(false)
  useEffect(() => {
    if (shown.current) return
    shown.current = true
    showToast({ type: 'info', title: 'Payment cancelled', message: 'No charges were made' })
  }, [])
  return (
    <MessagePage
      label="Checkout"
      title="Payment Cancelled"
      actions={
        <>
          <ButtonLink to="/dashboard" look="primary">
            Back to Dashboard
          </ButtonLink>
          <ButtonLink to="/">Back to Home</ButtonLink>
        </>
      }
    >
      <p>No charges were made. Your balance and your saved cards are as they were.</p>
      <h2 className="mt-6 text-base font-semibold text-ink">Need help?</h2>
      <ul className="mt-1 text-base">
        <li>
          <a href={`mailto:${supportAddress}`} className={linkClass}>
            Contact support
          </a>
        </li>
        <li>
          <Link to="/#pricing" className={linkClass}>
            Compare the packages
          </Link>
        </li>
        <li>
          <Link to="/#docs" className={linkClass}>
            Read the documentation
          </Link>
        </li>
      </ul>
    </MessagePage>
  )
}
