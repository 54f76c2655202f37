/**
 * Uploads belong to the tab, not to the screen that starts them: they go on while screens come and
 * go, three files at a time, and a failure of one does not stop the next. Closing the tab is asked
 * about; the end of the session ends them.
 *
 * An entry is waiting, then sending, and gone once its file is in the library; one that did not
 * arrive stays as unsent until it is retried or removed (upload-rounds.ts).
 */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import type { Place } from '../../../contract/footage/content.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { isSidecar } from '../../../domain/file-kinds.ts'
import { api } from '../../app/api.ts'
import { currentSession } from '../../session/session.tsx'
import { showToast } from '../../ui/toast.tsx'
import { placesInFolders } from './folder-bins.ts'
import { leaving, UploadCancelled, uploadFile } from './upload-file.ts'
import { createSpeed, totalOf } from './upload-pace.ts'
import type { Pace } from './upload-pace.ts'
import { endRound, unsentOf } from './upload-rounds.ts'
import { createSignal } from '../../dom/signal.ts'

export interface UploadEntry {
  id: number
  file: File
  /** Where it goes, once the bins of its folder are there. */
  findPlace: (file: File) => Promise<Place>
  phase: 'waiting' | 'sending' | 'unsent'
  share: number
  /** The connection is lost; it goes on by itself. */
  isWaiting: boolean
  /** Bytes of this visit: fewer than the share where an upload was resumed. */
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
  | ({
      phase: 'uploading'
      /** One of those that are sent now. */
      file: File
      /** How many have arrived, of how many. */
      done: number
      count: number
      /** Share (0 to 1) of all bytes that have arrived. */
      share: number
      isWaiting: boolean
    } & Pace)
  | { phase: 'completed'; items: readonly ContentItem[] }
  | { phase: 'failed'; unsent: readonly UploadEntry[]; items: readonly ContentItem[] }

export type Unsent = Pick<UploadEntry, 'file' | 'reason' | 'isDuplicate' | 'itemId'>
export type Sending = Extract<UploadState, { phase: 'uploading' }>

const nowhere: Place = { project_id: null, bin_id: null }
const idle: UploadState = { phase: 'idle' }
const noEntries: readonly UploadEntry[] = []
let entries = noEntries
/** Arrived since the last time that nothing was on its way. */
let arrived: readonly ContentItem[] = []
/** Files that arrived, including those whose item could not be read. */
let done = { files: 0, bytes: 0 }
/** Bytes sent since then, and how fast. */
let moved = { bytes: 0, speed: createSpeed() }
let state: UploadState = idle
let lastId = 0
let isRunning = false
const filesAtATime = 3
/** Uploads under way, by the number of their entry. */
const sending = new Map<number, AbortController>()
/** The reason of a cancel that was shown already. */
const alongside = 'alongside'
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

/** Calls back for each file as soon as it is in the library. */
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
  { place = nowhere, isQuiet = false }: { place?: Place; isQuiet?: boolean } = {},
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
  const findPlace = placesInFolders(files, place)
  const known = new Set(active.map(({ file }) => file))
  const more = files
    .filter((file) => !known.has(file) && !isSidecar(file.name))
    .map((file) => {
      const before = entries.find((entry) => entry.file === file)
      return { ...newEntry(file, findPlace, isQuiet), itemId: before?.itemId ?? null }
    })
  entries = [...failed, ...active, ...more]
  sendNext()
}

/** Ends what is sent now and takes the waiting ones off the list. */
export function cancelUpload(): void {
  entries = entries.map((entry) =>
    entry.phase === 'waiting' ? { ...entry, phase: 'unsent' } : entry,
  )
  const [first, ...others] = sending.values()
  for (const controller of others) controller.abort(alongside)
  first?.abort()
}

/** Takes one file off the list and out of the library; one that is on its way is given up. */
export async function removeUpload(id: number): Promise<void> {
  sending.get(id)?.abort()
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
  const { file, findPlace, isQuiet, itemId } = entry
  const again = { ...newEntry(file, findPlace, isQuiet), itemId }
  entries = [...entries.filter((item) => item.id !== id), again]
  sendNext()
}

/** Forgets ended uploads; failed ones keep their cards. */
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
  begin()
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

/** Deletes an item that could not be read, so that another can take its place. */
async function deleteItem(id: string): Promise<void> {
  await api.deleteContent({ params: { id } }).catch((error: unknown) => {
    if (!(error instanceof CallError && error.code === 'not_found')) throw error
  })
}

function newEntry(file: File, findPlace: UploadEntry['findPlace'], isQuiet: boolean): UploadEntry {
  lastId += 1
  return {
    id: lastId,
    file,
    findPlace,
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

function begin(): void {
  arrived = []
  done = { files: 0, bytes: 0 }
  moved = { bytes: 0, speed: createSpeed() }
}

/** Fills the places of those that have ended; without any left the round is over. */
function sendNext(): void {
  const waiting = entries.filter(({ phase }) => phase === 'waiting')
  if (!isRunning) {
    isRunning = true
    begin()
    addEventListener('beforeunload', askBeforeLeaving)
  }
  for (const entry of waiting.slice(0, filesAtATime - sending.size)) void send(entry)
  if (sending.size === 0) {
    removeEventListener('beforeunload', askBeforeLeaving)
    isRunning = false
    settle()
  }
  announce()
}

async function send(entry: UploadEntry): Promise<void> {
  const controller = new AbortController()
  sending.set(entry.id, controller)
  const { size } = entry.file
  const speed = createSpeed()
  let before: number | null = null
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
      place: await entry.findPlace(entry.file),
      signal: controller.signal,
      onProgress(share) {
        moved.bytes += size * (share - (before ?? share))
        before = share
        show({ share, bytesPerSecond: speed(size * share) })
      },
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
    done = { files: done.files + 1, bytes: done.bytes + size }
    if (item) arrived = [...arrived, item]
  } catch (error) {
    const ending = describe(error, entry.isQuiet || controller.signal.reason === alongside)
    // The next person at this screen is not shown whose files these were.
    if (controller.signal.reason === leaving) entries = noEntries
    update(entry.id, { phase: 'unsent', ...ending })
  } finally {
    sending.delete(entry.id)
    sendNext()
  }
}

function update(id: number, part: Partial<UploadEntry>): void {
  entries = entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry))
  announce()
}

/** The state once nothing is on its way. */
function settle(): void {
  const unsent = unsentOf(entries)
  if (unsent.length > 0) state = { phase: 'failed', unsent, items: arrived }
  else state = done.files > 0 ? { phase: 'completed', items: arrived } : idle
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
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
  const running = entries.filter(({ phase }) => phase === 'sending')
  const [first] = running
  if (isRunning && first) {
    state = {
      phase: 'uploading',
      file: first.file,
      done: done.files,
      isWaiting: running.every(({ isWaiting }) => isWaiting),
      bytesPerSecond: moved.speed(moved.bytes),
      ...totalOf(entries, done),
    }
  }
  changed.announce()
}
