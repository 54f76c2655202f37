import { api as endpoints } from '../../../contract/api.ts'
import { addressOf } from '../../../contract/endpoint.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { currentSession } from '../../app/session.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Fetches the CSV with the bearer header that a plain link could not carry, and saves it. */
export async function downloadHistory(): Promise<void> {
  try {
    const address = addressOf(currentApiAddress(), endpoints.downloadBillingHistory)
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${currentSession().token ?? ''}` },
    })
    if (!response.ok) throw new Error('The history could not be downloaded. Please try again.')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = 'cutindex-transactions.csv'
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
  } catch (error) {
    showToast({
      type: 'error',
      title: 'Download Failed',
      message: error instanceof Error ? error.message : String(error),
    })
  }
}
