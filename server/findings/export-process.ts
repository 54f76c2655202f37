/** Makes exports beside the event loop: a long timeline takes seconds to write and to read back. */
import { exportFile, ExportRefused } from '../../engine/export.ts'
import type { ExportOrder } from '../../engine/export.ts'
import { serve } from '../../engine/processes/serve.ts'
import type { ExportOutcome } from './make-export.ts'

serve({ run })

function run(order: ExportOrder): ExportOutcome {
  try {
    return { status: 'made', file: exportFile(order) }
  } catch (error) {
    if (error instanceof ExportRefused) return { status: 'refused', message: error.message }
    throw error
  }
}
