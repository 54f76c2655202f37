import { api as endpoints } from '../../../../contract/api.ts'
import { saveFile } from '../../../app/save-file.ts'

/** Returns false when the export was refused; a toast has shown why. */
export async function downloadExport(
  jobId: string,
  query: Record<string, string>,
): Promise<boolean> {
  const fallback = 'The export could not be made. Please try again.'
  const saved = await saveFile(endpoints.exportJob, {
    name: `${jobId}.${query.format}`,
    params: { id: jobId },
    query,
    failure: { title: 'Export Failed', fallback },
  })
  return saved !== null
}
