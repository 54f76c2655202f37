/**
 * Uploads belong to the tab, not to the screen that starts them: they go on while screens come and
 * go, one file after another, and a failure of one does not stop the next. Closing the tab is asked
 * about; the end of the session ends them.
 *
 * An entry is waiting, then sending, and gone once its file is in the library; one that did not
 * arrive stays as unsent until it is retried or removed (upload-rounds.ts).
 */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { isSidecar } from '../../../domain/file-kinds.ts'
import { api } from '../../app/api.ts'
import { currentSession } from '../../session/session.tsx'
import { showToast } from '../../ui/toast.tsx'
import { leaving, UploadCancelled, uploadFile } from './upload-file.ts'
import { endRound, unsentOf } from './upload-rounds.ts'
import { createSignal } from '../../dom/signal.ts'

export interface UploadEntry {
  id: number
  file: File
  projectId: string | null
  phase: 'waiting' | 'sending' | 'unsent'
  share: number
  /** The connection is lost; it goes on by itself. */
  isWaiting: boolean
  /** What this visit has sent, which is less than the share where an upload was resumed. */
  bytesPerSecond: number | null
  /** Why it is unsent; nothing where it was canceled. */
  reason: string | null
  /** It is in the library already: sending it again would change nothing. */
  isDuplicate: boolean
  /** A screen shows each entry, so that no toast has to. */
  isQuiet: boolean
  /** The item that the library has of it, where its bytes arrived and cannot be read. */
  itemId: string | null
  /** It failed in a round that is over. */
  isEarlier: boolean
}

export type UploadState =
  | { phase: 'idle' }
  | {
      phase: 'uploading'
      file: File
      /** Which file it is, and of how many. */
      index: number
      count: number
      share: number
      isWaiting: boolean
      bytesPerSecond: number | null
    }
  | { phase: 'completed'; items: readonly ContentItem[] }
  | { phase: 'failed'; unsent: readonly UploadEntry[]; items: readonly ContentItem[] }

export type Unsent = Pick<UploadEntry, 'file' | 'reason' | 'isDuplicate' | 'itemId'>
export type Sending = Extract<UploadState, { phase: 'uploading' }>

const idle: UploadState = { phase: 'idle' }
const noEntries: readonly UploadEntry[] = []
let entries = noEntries
/** What has arrived since the last time that nothing was on its way. */
let arrived: readonly ContentItem[] = []
/** Of them the items of some could not be read. */
let arrivedFiles = 0
let state: UploadState = idle
let lastId = 0
/** How many files of this round have ended, for "3 of 20". */
let ended = 0
let isRunning = false
let current: { id: number; controller: AbortController } | null = null
/** Takes back the complaint that nothing was chosen, once something is sent. */
let withdraw = (): void => undefined
const changed = createSignal()
const arrivals = new Set<(item: ContentItem) => void>()

export function useUploads(): UploadState {
  return useSyncExternalStore(
    changed.subscribe,
    () => state,
    () => idle,
  )
}

/** Each file that is not in the library yet. */
export function useUploadEntries(): readonly UploadEntry[] {
  return useSyncExternalStore(
    changed.subscribe,
    () => entries,
    () => noEntries,
  )
}

/** Calls back for each file at the moment that it is in the library. */
export function useArrivals(onArrival: (item: ContentItem) => void): void {
  const latest = useRef(onArrival)
  useEffect(() => {
    latest.current = onArrival
  })
  useEffect(() => {
    const take = (item: ContentItem): void => latest.current(item)
    arrivals.add(take)
    return () => void arrivals.delete(take)
  }, [])
}

/** Begins with these files, or puts them behind those that are on their way. */
export function startUpload(
  files: readonly File[],
  { projectId = null, isQuiet = false }: { projectId?: string | null; isQuiet?: boolean } = {},
): void {
  const problem = problemOf(files)
  withdraw()
  if (problem) {
    withdraw = showToast({ type: 'error', ...problem })
    return
  }
  const sidecars = files.filter(({ name }) => isSidecar(name))
  if (sidecars.length > 0) {
    const left = sidecars.length === 1 ? sidecars[0]?.name : `${sidecars.length} camera files`
    const message = `${left} left out: cameras write them beside clips, and nothing is in them to analyse.`
    showToast({ type: 'info', title: 'Sidecars left out', message })
    if (sidecars.length === files.length) return
  }
  const active = entries.filter(({ phase }) => phase !== 'unsent')
  const unsent = entries.filter(({ phase, file }) => phase === 'unsent' && !files.includes(file))
  // A dialog shows the files of its own round only.
  const failed = isRunning || isQuiet ? unsent : endRound(unsent)
  const known = new Set(active.map(({ file }) => file))
  const more = files
    .filter((file) => !known.has(file) && !isSidecar(file.name))
    .map((file) => {
      const before = entries.find((entry) => entry.file === file)
      return { ...newEntry(file, projectId, isQuiet), itemId: before?.itemId ?? null }
    })
  entries = [...failed, ...active, ...more]
  if (isRunning) announce()
  else void sendAll()
}

/** Ends what is sent now and takes the waiting ones off the list. */
export function cancelUpload(): void {
  entries = entries.map((entry) =>
    entry.phase === 'waiting' ? { ...entry, phase: 'unsent' } : entry,
  )
  current?.controller.abort()
}

/** Takes one file off the list and out of the library; one that is on its way is given up. */
export async function removeUpload(id: number): Promise<void> {
  if (current?.id === id) current.controller.abort()
  const itemId = entries.find((entry) => entry.id === id)?.itemId
  entries = entries.filter((entry) => entry.id !== id)
  if (!isRunning) settle()
  announce()
  if (itemId) await deleteItem(itemId)
}

/** Puts one that did not arrive behind the others, once more. */
export function retryUpload(id: number): void {
  const entry = entries.find((item) => item.id === id)
  if (entry?.phase !== 'unsent') return
  const { file, projectId, isQuiet, itemId } = entry
  const again = { ...newEntry(file, projectId, isQuiet), itemId }
  entries = [...entries.filter((item) => item.id !== id), again]
  if (isRunning) announce()
  else void sendAll()
}

/** What has ended is no news any more; what failed keeps its card. */
export function forgetEnded(): void {
  if (isRunning) return
  forget(endRound(entries))
}

/** A person has read what failed, or is gone. */
export function dismissEnded(): void {
  if (!isRunning) forget(noEntries)
}

function forget(kept: readonly UploadEntry[]): void {
  entries = kept
  arrived = []
  arrivedFiles = 0
  state = idle
  announce()
}

/** Takes a file off the list of those that did not arrive; the others keep their reasons. */
export async function dropUnsent(file: File): Promise<void> {
  const entry = entries.find((item) => item.file === file && item.phase === 'unsent')
  if (entry) await removeUpload(entry.id)
}

/** Takes those that did not arrive off the list; what the library has of them stays in it. */
export function dismissUnsent(): void {
  entries = entries.filter(({ phase }) => phase !== 'unsent')
  if (!isRunning) settle()
  announce()
}

/** What could not be read makes room for what is sent in its place. */
async function deleteItem(id: string): Promise<void> {
  await api.deleteContent({ params: { id } }).catch((error: unknown) => {
    if (!(error instanceof CallError && error.code === 'not_found')) throw error
  })
}

function newEntry(file: File, projectId: string | null, isQuiet: boolean): UploadEntry {
  lastId += 1
  return {
    id: lastId,
    file,
    projectId,
    phase: 'waiting',
    share: 0,
    isWaiting: false,
    bytesPerSecond: null,
    reason: null,
    isDuplicate: false,
    isQuiet,
    itemId: null,
    isEarlier: false,
  }
}

function problemOf(files: readonly File[]): { title: string; message: string } | null {
  if (files.length === 0) {
    return { title: 'No File Selected', message: 'Please select a file first' }
  }
  return currentSession().token
    ? null
    : { title: 'Authentication Required', message: 'Please log in first' }
}

async function sendAll(): Promise<void> {
  isRunning = true
  arrived = []
  arrivedFiles = 0
  ended = 0
  addEventListener('beforeunload', askBeforeLeaving)
  for (;;) {
    const entry = entries.find(({ phase }) => phase === 'waiting')
    if (!entry) break
    await send(entry)
    ended += 1
  }
  removeEventListener('beforeunload', askBeforeLeaving)
  isRunning = false
  settle()
  announce()
}

async function send(entry: UploadEntry): Promise<void> {
  const controller = new AbortController()
  current = { id: entry.id, controller }
  const speed = createSpeed(entry.file.size)
  const show = (part: Partial<UploadEntry>): void => {
    if (!currentSession().token) controller.abort(leaving)
    if (!controller.signal.aborted) update(entry.id, part)
  }
  show({ phase: 'sending' })
  try {
    if (entry.itemId) await deleteItem(entry.itemId)
    update(entry.id, { itemId: null })
    const item = await uploadFile(entry.file, {
      token: currentSession().token ?? '',
      projectId: entry.projectId,
      signal: controller.signal,
      onProgress: (share) => show({ share, bytesPerSecond: speed(share) }),
      onWaiting: (isWaiting) => show({ isWaiting }),
    })
    if (item) for (const listener of arrivals) listener(item)
    if (item?.check?.state === 'refused') {
      const reason = item.check.message ?? 'This file can’t be read.'
      if (!entry.isQuiet) {
        const message = `${entry.file.name}: ${reason}`
        showToast({ type: 'error', title: 'File can’t be read', message })
      }
      update(entry.id, { phase: 'unsent', reason, itemId: item.id })
      return
    }
    entries = entries.filter(({ id }) => id !== entry.id)
    arrivedFiles += 1
    if (item) arrived = [...arrived, item]
  } catch (error) {
    const ending = describe(error, entry.isQuiet)
    // The next person at this screen is not shown whose files these were.
    if (controller.signal.reason === leaving) entries = noEntries
    update(entry.id, { phase: 'unsent', ...ending })
  } finally {
    current = null
  }
}

function update(id: number, part: Partial<UploadEntry>): void {
  entries = entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry))
  announce()
}

/** What the whole is once nothing is on its way. */
function settle(): void {
  const unsent = unsentOf(entries)
  if (unsent.length > 0) state = { phase: 'failed', unsent, items: arrived }
  else state = arrivedFiles > 0 ? { phase: 'completed', items: arrived } : idle
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

const speedAfterMs = 2000

/** The mean speed since the first piece; a resumed upload starts with what was there before. */
function createSpeed(sizeBytes: number): (share: number) => number | null {
  let first: { share: number; atMs: number } | null = null
  return (share) => {
    const atMs = performance.now()
    first ??= { share, atMs }
    if (atMs - first.atMs < speedAfterMs) return null
    return ((share - first.share) * sizeBytes * 1000) / (atMs - first.atMs)
  }
}

/** Section 8 of the specification, to the letter. The toast passes; what it said is kept. */
function describe(error: unknown, isQuiet: boolean): Pick<UploadEntry, 'reason' | 'isDuplicate'> {
  const show: typeof showToast = (toast) => (isQuiet ? () => undefined : showToast(toast))
  if (error instanceof UploadCancelled) {
    show({ type: 'info', title: 'Upload Cancelled', message: 'Upload was cancelled' })
    return { reason: null, isDuplicate: false }
  }
  const { code, body } = error instanceof CallError ? error : new CallError(0, {})
  if (code === 'duplicate') {
    const message = 'This file already exists in your library'
    show({ type: 'warning', title: 'Duplicate File', message })
    return { reason: message, isDuplicate: true }
  }
  const message =
    code === 'network'
      ? 'Network error. Please check your connection and try again.'
      : (body.error ?? 'Upload failed. Please try again.')
  show({ type: 'error', title: 'Upload Failed', message })
  return { reason: message, isDuplicate: false }
}

function announce(): void {
  const sending = entries.find(({ phase }) => phase === 'sending')
  if (isRunning && sending) {
    const waiting = entries.filter(({ phase }) => phase === 'waiting').length
    const { file, share, isWaiting, bytesPerSecond } = sending
    const count = ended + 1 + waiting
    state = { phase: 'uploading', index: ended, count, file, share, isWaiting, bytesPerSecond }
  }
  changed.announce()
}
