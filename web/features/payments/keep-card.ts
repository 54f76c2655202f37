import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { showToast } from '../../ui/toast.tsx'
import { readTab, writeTab } from '../../dom/browser-storage.ts'

const returnKey = 'bank-answer'

/** Sends the setup that the provider confirmed; false when that failed, after showing why. */
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
    showFailure(error, { fallback: 'Failed to save payment method' })
    return false
  }
}

interface BankAnswer {
  setupIntentId: string
  isConfirmed: boolean
}

/** A bank's own page leads back here by address; its answer waits for the card list. */
export function rememberReturn(search: string): void {
  const query = new URLSearchParams(search)
  const setupIntentId = query.get('setup_intent')
  if (!setupIntentId) return
  const isConfirmed = query.get('redirect_status') === 'succeeded'
  writeTab(returnKey, JSON.stringify({ setupIntentId, isConfirmed }))
}

/** Keeps the card that the bank has confirmed, or says that it has not; true when cards changed. */
export async function settleReturn(): Promise<boolean> {
  const kept = readTab(returnKey)
  if (!kept) return false
  const answer = JSON.parse(kept) as BankAnswer
  if (answer.isConfirmed) {
    const isKept = await keepCard(answer.setupIntentId)
    // Where our server could not take it, the next visit of the list tries again.
    if (isKept) writeTab(returnKey, null)
    return isKept
  }
  writeTab(returnKey, null)
  showToast({ type: 'error', title: 'Error', message: 'Failed to add payment method' })
  return false
}
