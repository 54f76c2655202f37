/** Makes exports beside the event loop: a long timeline takes seconds to write and to read back. */
import { exportFindings, ExportRefused } from '../../engine/export.ts'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'
import { serveOrders } from '../process/serve-orders.ts'

export type ExportOutcome =
  | { status: 'made'; file: ExportedFile }
  /** A sentence for the person. */
  | { status: 'refused'; message: string }

serveOrders((input: ExportInput): ExportOutcome => {
  try {
    return { status: 'made', file: exportFindings(input) }
  } catch (error) {
    if (error instanceof ExportRefused) return { status: 'refused', message: error.message }
    throw error
  }
})
