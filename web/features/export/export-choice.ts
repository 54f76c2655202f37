/** Remembers what was chosen for each person and project, and makes it a query. */
import { editors, fileTypes } from '../../../domain/export-formats.ts'
import type { EditorId, ExportSetting, FileType } from '../../../domain/export-formats.ts'
import { standardRates } from '../../../domain/time/timecode.ts'
import type { ExportSettings, ExportSubject } from '../../saved/export-file.ts'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'
import { currentSession } from '../../session/session.tsx'

/** As chosen; empty is the preset. */
export interface ExportChoice {
  editor: EditorId
  format: FileType
  which: string
  rate: string
  start: string
  handles: string
  names: string
  isCutsOnly: boolean
  hasMarkers: boolean
  hasComments: boolean
  hasCaptions: boolean
  isEnglish: boolean
}

export function formatsFor({ formats }: ExportSubject, editor: EditorId): readonly FileType[] {
  if (editor === 'files') return formats
  const takes: readonly FileType[] = editors.find(({ id }) => id === editor)?.takes ?? []
  return takes.filter((format) => formats.includes(format))
}

/** The format stays where the other editor takes it too. */
export function firstFormat(subject: ExportSubject, editor: EditorId, wanted?: FileType): FileType {
  const formats = formatsFor(subject, editor).filter((format) => !subject.missing?.[format])
  return wanted && formats.includes(wanted) ? wanted : (formats[0] ?? subject.formats[0]!)
}

export function firstChoice(subject: ExportSubject): ExportChoice {
  const saved = read(subject)
  const editor = editors.find(({ id }) => id === saved.editor)?.id ?? 'premiere'
  return {
    editor,
    format: firstFormat(subject, editor, saved.format),
    which: subject.settings.firstPart ?? '',
    ...{ rate: '', start: '', names: '', isEnglish: false, hasCaptions: false },
    handles: typeof saved.handles === 'string' ? saved.handles : '0',
    isCutsOnly: saved.isCutsOnly === true,
    hasMarkers: saved.hasMarkers !== false,
    hasComments: true,
  }
}

type Remembered = Pick<ExportChoice, 'editor' | 'format' | 'handles' | 'isCutsOnly' | 'hasMarkers'>

function read(subject: ExportSubject): Partial<Remembered> {
  try {
    return JSON.parse(readLocal(keyOf(subject)) ?? '{}') as Partial<Remembered>
  } catch {
    return {}
  }
}

export function rememberChoice(subject: ExportSubject, choice: ExportChoice): void {
  const { editor, format, handles, isCutsOnly, hasMarkers } = choice
  const kept: Remembered = { editor, format, handles, isCutsOnly, hasMarkers }
  writeLocal(keyOf(subject), JSON.stringify(kept))
}

function keyOf({ project }: ExportSubject): string {
  return `export-${currentSession().user?.id ?? ''}-${project?.id ?? 'none'}`
}

/** The settings that the subject has and the format carries. */
export function offered(
  { settings }: ExportSubject,
  { format, which }: Pick<ExportChoice, 'format' | 'which'>,
): ExportSettings {
  const carried: readonly ExportSetting[] = fileTypes[format].carries
  const has = (setting: ExportSetting): boolean => carried.includes(setting)
  // Texts and tables of a clip hold everything, whatever its timeline is cut into.
  const isTimed = has('sequence') || !settings.parts
  const part = settings.parts?.find(({ value }) => value === which)
  const { parts, rate, start, fixed, hasSlates, ...rest } = settings
  return {
    ...(has('sequence') && { parts, rate, start, fixed, hasSlates }),
    transitions: has('transitions') ? rest.transitions : 0,
    hasHandles: isTimed && has('handles') && (part ?? rest).hasHandles,
    hasMarkers: has('markers') && rest.hasMarkers,
    comments: isTimed && has('comments') ? rest.comments : 0,
    hasCaptions: has('captions') && rest.hasCaptions,
    language: has('language') ? rest.language : undefined,
    hasMedia: has('media') && rest.hasMedia,
  }
}

/** A choice made for another format, and not to be seen with this one, does not count. */
export function queryOf(
  subject: ExportSubject,
  choice: ExportChoice,
): { format: FileType } & Record<string, string> {
  const { format } = choice
  const set = offered(subject, choice)
  const standard = set.rate && standardRates.find(({ label }) => label === choice.rate)
  const handles = Number(choice.handles)
  return {
    format,
    ...subject.decided?.(format),
    ...(set.parts && choice.which && { which: choice.which }),
    ...(standard && { frame_rate: standard.rate, drop_frame: String(standard.dropFrame) }),
    ...(set.start && choice.start && { [set.start.option]: choice.start.trim() }),
    ...(set.hasHandles && handles > 0 && { handle_frames: String(handles) }),
    ...(set.hasSlates && choice.names && { clip_names: choice.names }),
    ...(set.transitions && choice.isCutsOnly && { transitions: 'cuts' }),
    ...(set.hasMarkers && !choice.hasMarkers && { markers: '[]' }),
    ...(set.comments && choice.hasComments && { comments: 'true' }),
    ...(set.hasCaptions && choice.hasCaptions && { captions: 'true' }),
    ...(set.language && choice.isEnglish && { caption_language: 'english' }),
  }
}
