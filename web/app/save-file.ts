import { currentApiAddress } from './api-address.ts'
import { currentSession } from './session.tsx'
import { addressOf } from '../../contract/endpoint.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { showToast } from '../ui/toast.tsx'

/** Fetches a file with the bearer header that a plain link could not carry, and saves it. */
export async function saveFile(
  endpoint: Pick<Endpoint, 'path'>,
  file: {
    name: string
    params?: Record<string, string>
    query?: Record<string, string>
  },
): Promise<void> {
  try {
    const response = await fetch(addressOf(currentApiAddress(), endpoint, file), {
      headers: { authorization: `Bearer ${currentSession().token ?? ''}` },
    })
    if (!response.ok) throw new Error('The file could not be downloaded. Please try again.')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = file.name
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
