/** Makes exports beside the event loop: a long timeline takes seconds to write and to read back. */
import { exportCut } from '../../engine/export-cut.ts'
import { exportSync } from '../../engine/export-sync.ts'
import { exportFindings, ExportRefused } from '../../engine/export.ts'
import { serve } from '../../engine/processes/serve.ts'
import type { ExportOrder, ExportOutcome } from './make-export.ts'

serve({ run })

function run(input: ExportOrder): ExportOutcome {
  try {
    if ('sync' in input) return { status: 'made-cut', file: exportSync(input) }
    if ('cut' in input) return { status: 'made-cut', file: exportCut(input) }
    return { status: 'made', file: exportFindings(input) }
  } catch (error) {
    if (error instanceof ExportRefused) return { status: 'refused', message: error.message }
    throw error
  }
}
