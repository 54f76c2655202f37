import { api as endpoints } from '../../../contract/api.ts'
import { saveFile } from '../../app/save-file.ts'

export async function downloadHistory(): Promise<void> {
  await saveFile(endpoints.downloadBillingHistory, { name: 'cutindex-transactions.csv' })
}

export async function downloadUsage(): Promise<void> {
  const query = { group: 'project' }
  await saveFile(endpoints.downloadUsage, { name: 'cutindex-usage.csv', query })
}
