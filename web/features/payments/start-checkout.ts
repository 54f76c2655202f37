import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { showToast } from '../../ui/toast.tsx'

/** Makes a checkout and sends the browser to it; false when that failed, after showing why. */
export async function startCheckout(creditPackageId: string): Promise<boolean> {
  const body = {
    credit_package_id: creditPackageId,
    success_url: `${location.origin}/payment/success`,
    cancel_url: `${location.origin}/payment/cancel`,
  }
  try {
    const { checkout_url } = await api.createCheckout({ body })
    if (!checkout_url) {
      showToast({ type: 'error', title: 'Error', message: 'Checkout URL not provided' })
      return false
    }
    location.assign(checkout_url)
    return true
  } catch (error) {
    showFailure(error, { title: 'Checkout Failed', fallback: 'Failed to create checkout session' })
    return false
  }
}
