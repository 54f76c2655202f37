/** Makes exports beside the event loop: a long timeline takes seconds to write and to read back. */
import { exportCut } from '../../engine/export-cut.ts'
import type { CutExportInput, ExportedCut } from '../../engine/export-cut.ts'
import { exportSync } from '../../engine/export-sync.ts'
import type { SyncExportInput } from '../../engine/export-sync.ts'
import { exportFindings, ExportRefused } from '../../engine/export.ts'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'
import { serveOrders } from '../ground/process-pool-server.ts'

export type ExportOrder = ExportInput | CutExportInput | SyncExportInput

export type ExportOutcome =
  | { status: 'made'; file: ExportedFile }
  | { status: 'made-cut'; file: ExportedCut }
  /** A sentence for the person. */
  | { status: 'refused'; message: string }

serveOrders((input: ExportOrder): ExportOutcome => {
  try {
    if ('sync' in input) return { status: 'made-cut', file: exportSync(input) }
    if ('cut' in input) return { status: 'made-cut', file: exportCut(input) }
    return { status: 'made', file: exportFindings(input) }
  } catch (error) {
    if (error instanceof ExportRefused) return { status: 'refused', message: error.message }
    throw error
  }
})
