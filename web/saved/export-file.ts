/** Describes to the Export dialog a thing that can be exported, and fetches its file. */
import { api as endpoints } from '../../contract/api.ts'
import type { FileType } from '../../domain/export-formats.ts'
import { saveFile } from '../app/save-file.ts'

/** `ids` are of clips. */
export type Exported = { job: string } | { cut: string } | { sync: string } | { ids: string[] }

export interface ExportSubject {
  exported: Exported
  title: string
  formats: readonly FileType[]
  /** Uses of a format that differ here. */
  uses?: Partial<Record<FileType, string>>
  /** Reasons why a format cannot be had. */
  missing?: Partial<Record<FileType, string>>
  /** Names the content; a part names its own. */
  holds: string
  /** Sources that are missing or conformed; the export stays possible. */
  doubts?: readonly string[]
  project: { id: string; name: string; media_folder: string | null } | null
  /** Saves first, since exports are made from what the server knows; false where that failed. */
  prepare?: () => Promise<boolean>
  /** Query parameters that the screen has decided. */
  decided?: (format: FileType) => Record<string, string>
  settings: ExportSettings
}

/** Settings of one thing; one that is missing is not offered. */
export interface ExportSettings {
  /** Pieces that the timeline can be cut into. */
  parts?: readonly ExportPart[] | undefined
  firstPart?: string
  /** The rate that is the preset, where another can be chosen. */
  rate?: string | undefined
  /** The start that is the preset, and the option that changes it. */
  start?: { preset: string; option: 'start_timecode' | 'record_start'; hint: string } | undefined
  /** Rate and size, where they are fixed. */
  fixed?: string | undefined
  hasSlates?: boolean | undefined
  /** Transitions that were found. */
  transitions?: number | undefined
  hasHandles?: boolean | undefined
  hasMarkers?: boolean | undefined
  comments?: number | undefined
  hasCaptions?: boolean | undefined
  /** The language that is spoken, where there is a translation. */
  language?: string | undefined
  hasMedia?: boolean | undefined
}

export interface ExportPart {
  value: string
  label: string
  holds: string
  hasHandles?: boolean
}

export interface NotedFile {
  name: string
  /** Lines on sources that were conformed, offline or left out, as the file itself says it. */
  notes: readonly string[]
}

/** Returns null when the export was refused; a toast has shown why. */
export async function exportFile(
  exported: Exported,
  query: { format: FileType } & Record<string, string>,
): Promise<NotedFile | null> {
  const failure = {
    title: 'Export Failed',
    fallback: 'The export could not be made. Please try again.',
  }
  const saved = await saveFile(...callOf(exported, query, failure))
  if (!saved) return null
  const notes = decodeURIComponent(saved.headers.get('x-export-notes') ?? '')
  return { name: saved.name, notes: notes.split('\n').filter(Boolean) }
}

function callOf(
  exported: Exported,
  query: { format: FileType },
  failure: { title: string; fallback: string },
): Parameters<typeof saveFile> {
  const { format } = query
  if ('ids' in exported) {
    const body = { content_ids: exported.ids, format }
    return [endpoints.exportManyContent, { name: `CutIndex ${format}.zip`, body, failure }]
  }
  const [endpoint, id] =
    'job' in exported
      ? [endpoints.exportJob, exported.job]
      : 'cut' in exported
        ? [endpoints.exportCut, exported.cut]
        : [endpoints.exportSync, exported.sync]
  return [endpoint, { name: `${id}.${format}`, params: { id }, query: { ...query }, failure }]
}
