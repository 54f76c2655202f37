import { Navigate, useLocation } from 'react-router'
import { rememberReturn } from '../../features/payments/keep-card.ts'

/** /profile/payment-methods: leads to the section, and keeps what a bank's page has confirmed. */
export function PaymentMethodsReturn() {
  const { search } = useLocation()
  rememberReturn(search)
  return <Navigate to="/profile#paymentmethods" replace />
}
