import { api as endpoints } from '../../../../contract/api.ts'
import { addressOf } from '../../../../contract/endpoint.ts'
import { currentApiAddress } from '../../../app/api-address.ts'
import { currentSession } from '../../../app/session.tsx'
import { showToast } from '../../../ui/toast.tsx'

/** Returns false when the export was refused; a toast has shown why. */
export async function downloadExport(
  jobId: string,
  query: Record<string, string>,
): Promise<boolean> {
  try {
    const address = addressOf(currentApiAddress(), endpoints.exportJob, {
      params: { id: jobId },
      query,
    })
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${currentSession().token ?? ''}` },
    })
    if (!response.ok) {
      const answer = (await response.json().catch(() => ({}))) as { message?: string }
      throw new Error(answer.message ?? 'The export could not be made. Please try again.')
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = fileNameOf(response) ?? `${jobId}.${query.format}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
    return true
  } catch (error) {
    showToast({
      type: 'error',
      title: 'Export Failed',
      message: error instanceof Error ? error.message : String(error),
    })
    return false
  }
}

function fileNameOf(response: Response): string | null {
  const header = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/.exec(header)?.[1] ?? null
}
