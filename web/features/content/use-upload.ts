import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallError } from '../../../contract/endpoint.ts'
import { currentSession } from '../../session.tsx'
import { showToast } from '../../ui/toast.tsx'
import { refreshLibrary } from './library.ts'
import { leaving, UploadCancelled, uploadFile } from './upload-file.ts'

export type UploadState =
  | { phase: 'idle' }
  | { phase: 'uploading'; file: File; index: number; share: number; isWaiting: boolean }
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
  const queries = useQueryClient()
  useEffect(() => () => controller.current?.abort(leaving), [])
  const start = useCallback(
    (files: readonly File[]) => {
      const problem = problemOf(files)
      if (problem) {
        showToast({ type: 'error', ...problem })
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
    let shown = { phase: 'uploading' as const, file, index, share: 0, isWaiting: false }
    const show = (change: Partial<typeof shown>) => {
      shown = { ...shown, ...change }
      if (!signal.aborted) setState(shown)
    }
    show({})
    try {
      await uploadFile(file, {
        token: currentSession().token ?? '',
        signal,
        onProgress: (share) => show({ share }),
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
