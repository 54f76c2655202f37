import { api as endpoints } from '../../../contract/api.ts'
import { saveFile } from '../../app/save-file.ts'

export function downloadHistory(): Promise<void> {
  return saveFile(endpoints.downloadBillingHistory, { name: 'cutindex-transactions.csv' })
}

export function downloadUsage(): Promise<void> {
  const query = { group: 'project' }
  return saveFile(endpoints.downloadUsage, { name: 'cutindex-usage.csv', query })
}
