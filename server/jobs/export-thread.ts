/** Makes exports beside the event loop: a long timeline takes seconds to write and to read back. */
import { parentPort } from 'node:worker_threads'
import { exportFindings, ExportRefused } from '../../engine/export.ts'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'

export interface ExportOrder {
  id: number
  input: ExportInput
}

export type ExportOutcome =
  | { status: 'made'; file: ExportedFile }
  /** A sentence for the person. */
  | { status: 'refused'; message: string }
  | { status: 'failed'; fault: string }

parentPort?.on('message', ({ id, input }: ExportOrder) => {
  parentPort?.postMessage({ id, outcome: make(input) }, [])
})

function make(input: ExportInput): ExportOutcome {
  try {
    return { status: 'made', file: exportFindings(input) }
  } catch (error) {
    if (error instanceof ExportRefused) return { status: 'refused', message: error.message }
    return { status: 'failed', fault: String(error instanceof Error ? error.stack : error) }
  }
}
