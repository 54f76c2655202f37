import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallError } from '../../../contract/endpoint.ts'
import { currentSession } from '../../session.tsx'
import { showToast } from '../../ui/toast.tsx'
import { refreshLibrary } from './library.ts'
import { leaving, UploadCancelled, uploadFile } from './upload-file.ts'

export type UploadState =
  | { phase: 'idle' }
  | {
      phase: 'uploading'
      file: File
      index: number
      share: number
      isWaiting: boolean
      /** What this visit has sent, which is less than the share where an upload was resumed. */
      bytesPerSecond: number | null
    }
  | { phase: 'completed' }
  | { phase: 'failed' }

export interface Uploads {
  state: UploadState
  start: (files: readonly File[]) => void
  cancel: () => void
}

/** Uploads files one after another and tells how it goes; a failure of one does not stop the next. */
export function useUpload(): Uploads {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const controller = useRef<AbortController | null>(null)
  // Takes back the complaint that nothing was chosen, once something is sent.
  const withdraw = useRef<() => void>(() => undefined)
  const queries = useQueryClient()
  useEffect(() => () => controller.current?.abort(leaving), [])
  const start = useCallback(
    (files: readonly File[]) => {
      const problem = problemOf(files)
      withdraw.current()
      if (problem) {
        withdraw.current = showToast({ type: 'error', ...problem })
        return
      }
      controller.current = new AbortController()
      const { signal } = controller.current
      void sendAll(files, signal, setState).then((isWhole) => {
        controller.current = null
        setState({ phase: isWhole ? 'completed' : 'failed' })
        return refreshLibrary(queries)
      })
    },
    [queries],
  )
  const cancel = useCallback(() => controller.current?.abort(), [])
  return { state, start, cancel }
}

function problemOf(files: readonly File[]): { title: string; message: string } | null {
  if (files.length === 0) {
    return { title: 'No File Selected', message: 'Please select a file first' }
  }
  return currentSession().token
    ? null
    : { title: 'Authentication Required', message: 'Please log in first' }
}

async function sendAll(
  files: readonly File[],
  signal: AbortSignal,
  setState: (state: UploadState) => void,
): Promise<boolean> {
  let isWhole = true
  for (const [index, file] of files.entries()) {
    let shown: Extract<UploadState, { phase: 'uploading' }> = {
      phase: 'uploading',
      file,
      index,
      share: 0,
      isWaiting: false,
      bytesPerSecond: null,
    }
    const speed = createSpeed(file.size)
    const show = (change: Partial<typeof shown>) => {
      shown = { ...shown, ...change }
      if (!signal.aborted) setState(shown)
    }
    show({})
    try {
      await uploadFile(file, {
        token: currentSession().token ?? '',
        signal,
        onProgress: (share) => show({ share, bytesPerSecond: speed(share) }),
        onWaiting: (isWaiting) => show({ isWaiting }),
      })
    } catch (error) {
      isWhole = false
      tell(error)
      if (error instanceof UploadCancelled) break
    }
  }
  return isWhole
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

/** Section 8 of the specification, to the letter. */
function tell(error: unknown): void {
  if (error instanceof UploadCancelled) {
    showToast({ type: 'info', title: 'Upload Cancelled', message: 'Upload was cancelled' })
    return
  }
  const { status, body } = error instanceof CallError ? error : new CallError(0, {})
  if (status === 409) {
    const message = 'This file already exists in your library'
    showToast({ type: 'warning', title: 'Duplicate File', message })
    return
  }
  const message =
    status === 0
      ? 'Network error. Please check your connection and try again.'
      : (body.error ?? 'Upload failed. Please try again.')
  showToast({ type: 'error', title: 'Upload Failed', message })
}
