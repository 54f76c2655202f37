/**
 * Uploads belong to the tab, not to the dialog that starts them: they go on while screens come and
 * go, one file after another, and a failure of one does not stop the next. Closing the tab is asked
 * about; the end of the session ends them.
 */
import { useSyncExternalStore } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { currentSession } from '../../app/session.tsx'
import { showToast } from '../../ui/toast.tsx'
import { leaving, UploadCancelled, uploadFile } from './upload-file.ts'

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
      /** What this visit has sent, which is less than the share where an upload was resumed. */
      bytesPerSecond: number | null
    }
  | { phase: 'completed'; items: readonly ContentItem[] }
  | { phase: 'failed'; unsent: readonly Unsent[] }

/** A file that is not in the library after all. */
export interface Unsent {
  file: File
  /** Nothing where it was canceled. */
  reason: string | null
  /** It is in the library already: sending it again would change nothing. */
  isDuplicate: boolean
}

export type Sending = Extract<UploadState, { phase: 'uploading' }>

const idle: UploadState = { phase: 'idle' }
let state: UploadState = idle
let queue: File[] = []
let controller: AbortController | null = null
/** Takes back the complaint that nothing was chosen, once something is sent. */
let withdraw = (): void => undefined
const listeners = new Set<() => void>()

export function useUploads(): UploadState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => idle,
  )
}

/** Begins with these files, or puts them behind those that are on their way. */
export function startUpload(files: readonly File[]): void {
  const problem = problemOf(files)
  withdraw()
  if (problem) {
    withdraw = showToast({ type: 'error', ...problem })
    return
  }
  queue.push(...files.filter((file) => !queue.includes(file)))
  if (!controller) void sendQueue()
}

export function cancelUpload(): void {
  controller?.abort()
}

/** What has ended is no longer told. */
export function forgetEnded(): void {
  if (!controller) change(idle)
}

/** Takes a file off the list of those that did not arrive; the others keep their reasons. */
export function dropUnsent(file: File): void {
  if (state.phase !== 'failed') return
  const unsent = state.unsent.filter((item) => item.file !== file)
  change(unsent.length > 0 ? { phase: 'failed', unsent } : idle)
}

function problemOf(files: readonly File[]): { title: string; message: string } | null {
  if (files.length === 0) {
    return { title: 'No File Selected', message: 'Please select a file first' }
  }
  return currentSession().token
    ? null
    : { title: 'Authentication Required', message: 'Please log in first' }
}

async function sendQueue(): Promise<void> {
  controller = new AbortController()
  const { signal } = controller
  addEventListener('beforeunload', askBeforeLeaving)
  const unsent: Unsent[] = []
  const items: ContentItem[] = []
  for (let index = 0; index < queue.length; index += 1) {
    const file = queue[index]
    if (!file) break
    if (signal.aborted) {
      unsent.push({ file, reason: null, isDuplicate: false })
      continue
    }
    try {
      const item = await send(file, index, controller)
      if (item) items.push(item)
    } catch (error) {
      unsent.push({ file, ...tell(error) })
    }
  }
  removeEventListener('beforeunload', askBeforeLeaving)
  controller = null
  queue = []
  change(unsent.length > 0 ? { phase: 'failed', unsent } : { phase: 'completed', items })
}

async function send(
  file: File,
  index: number,
  by: AbortController,
): Promise<ContentItem | undefined> {
  const speed = createSpeed(file.size)
  let shown: Sending = {
    phase: 'uploading',
    file,
    index,
    count: queue.length,
    share: 0,
    isWaiting: false,
    bytesPerSecond: null,
  }
  const show = (part: Partial<Sending>): void => {
    if (!currentSession().token) by.abort(leaving)
    shown = { ...shown, ...part, count: queue.length }
    if (!by.signal.aborted) change(shown)
  }
  show({})
  return uploadFile(file, {
    token: currentSession().token ?? '',
    signal: by.signal,
    onProgress: (share) => show({ share, bytesPerSecond: speed(share) }),
    onWaiting: (isWaiting) => show({ isWaiting }),
  })
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
function tell(error: unknown): Omit<Unsent, 'file'> {
  if (error instanceof UploadCancelled) {
    showToast({ type: 'info', title: 'Upload Cancelled', message: 'Upload was cancelled' })
    return { reason: null, isDuplicate: false }
  }
  const { status, body } = error instanceof CallError ? error : new CallError(0, {})
  // Our server has other conflicts too and names them; a plain 409 is the specification's duplicate.
  if (status === 409 && (body.code ?? 'duplicate') === 'duplicate') {
    const message = 'This file already exists in your library'
    showToast({ type: 'warning', title: 'Duplicate File', message })
    return { reason: message, isDuplicate: true }
  }
  const message =
    status === 0
      ? 'Network error. Please check your connection and try again.'
      : (body.error ?? 'Upload failed. Please try again.')
  showToast({ type: 'error', title: 'Upload Failed', message })
  return { reason: message, isDuplicate: false }
}

function change(next: UploadState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
