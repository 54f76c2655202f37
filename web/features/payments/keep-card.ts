import { api, messageOf } from '../../api.ts'
import { showToast } from '../../ui/toast.tsx'

const returnKey = 'confirmed-setup-intent'

/** Tells the server which setup the provider has confirmed; false when that failed and was told. */
export async function keepCard(setupIntentId: string): Promise<boolean> {
  try {
    await api.confirmSetupIntent({ body: { setup_intent_id: setupIntentId } })
    showToast({
      type: 'success',
      title: 'Success',
      message: 'Payment method added successfully',
    })
    return true
  } catch (error) {
    showToast({
      type: 'error',
      title: 'Error',
      message: messageOf(error, 'Failed to save payment method'),
    })
    return false
  }
}

/** A bank's own page leads back here by address; the setup's id waits for the card list. */
export function rememberReturn(search: string): void {
  const answer = new URLSearchParams(search)
  const id = answer.get('setup_intent')
  if (id && answer.get('redirect_status') === 'succeeded') sessionStorage.setItem(returnKey, id)
}

export function takeReturn(): string | null {
  const id = sessionStorage.getItem(returnKey)
  sessionStorage.removeItem(returnKey)
  return id
}
