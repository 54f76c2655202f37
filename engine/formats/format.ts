/** An export format is one object: it writes files, checks them, and says what it carries. */
import type { ExportOptions } from '../../contract/footage/export-options.ts'
import type { CutExport } from '../timeline/build-cut.ts'
import type { JobExport } from '../timeline/build-job.ts'
import type { SyncExport } from '../timeline/build-sync.ts'
import type { Carries, Timeline } from '../timeline/timeline.ts'

export type ExportOrder = JobExport | CutExport | SyncExport

/** Several files are sent as one zip. */
export type NamedFiles = [name: string, body: string][]
export type ExportBody = string | Uint8Array | NamedFiles

export interface ExportInput {
  timeline: Timeline
  /** Options of the order, with defaults for those that it omits. */
  options: ExportOptions
  order: ExportOrder
}

export interface Format extends Carries {
  /** Returns the job options from which the timeline is built. */
  jobOptions?(options: ExportOptions): ExportOptions
  /** Findings without a timeline, which documents have too. It checks what it writes. */
  writeFindings?(order: JobExport): string
  write(input: ExportInput): ExportBody
  /** Reads a file back and throws if it differs from the input. */
  check(body: ExportBody, input: ExportInput): void
}

/** Markers that a timeline has unless others are asked for. */
export const timelineMarkers = ['cutpoints', 'lip-flap', 'slates'] as const
/** Default markers of lists that contain nothing else. */
export const listMarkers = ['shots', 'cutpoints', 'removals', 'lip-flap', 'text', 'slates'] as const
