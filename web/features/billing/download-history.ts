import { api as endpoints } from '../../../contract/api.ts'
import { saveFile } from '../../app/save-file.ts'

export function downloadHistory(): Promise<void> {
  return saveFile(endpoints.downloadBillingHistory, { name: 'cutindex-transactions.csv' })
}
