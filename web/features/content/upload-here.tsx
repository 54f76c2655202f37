import { useEffect, useRef } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { Button } from '../../ui/button.tsx'
import { DropZone } from './drop-zone.tsx'
import { useUploadDialog } from './upload-bar.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { forgetEnded, startUpload, useUploads } from './uploads.ts'

/** Uploads inside another dialog: what is dropped is sent at once, and the item is handed over. */
export function UploadHere({ onUploaded }: { onUploaded: (item: ContentItem) => void }) {
  const state = useUploads()
  const handOver = useRef(onUploaded)
  useEffect(() => {
    handOver.current = onUploaded
  })
  useUploadDialog()
  useEffect(() => {
    if (state.phase !== 'completed') return
    const [item] = state.items
    forgetEnded()
    if (item) handOver.current(item)
  }, [state])
  if (state.phase === 'uploading') return <UploadProgress state={state} />
  const failed = state.phase === 'failed' ? state.unsent.filter(({ reason }) => reason) : []
  const again = failed.flatMap(({ file, isDuplicate }) => (isDuplicate ? [] : [file]))
  return (
    <div className="flex flex-col gap-2">
      <DropZone onFiles={startUpload} />
      {failed.map(({ file, reason }) => (
        <p key={`${file.name} ${file.size} ${file.lastModified}`} className="text-xs text-bad">
          {file.name}: {reason}
        </p>
      ))}
      {again.length > 0 && (
        <Button className="self-start" onClick={() => startUpload(again)}>
          Try Again
        </Button>
      )}
    </div>
  )
}
