import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { isUsable, useLibrary } from '../features/content/library.ts'
import { UploadHere } from '../features/content/upload-here.tsx'
import { CreateJobDialog } from '../features/jobs/create-job-dialog.tsx'

/** The dialog of a new job, with the library to choose from and the way to add to it. */
export function CreateJob({
  contentUrl,
  onClose,
  onBuyCredits,
  children,
}: {
  contentUrl?: string
  onClose: () => void
  onBuyCredits: () => void
  children?: ReactNode
}) {
  const navigate = useNavigate()
  const library = useLibrary()
  return (
    <CreateJobDialog
      library={library.items.filter(isUsable)}
      contentUrl={contentUrl}
      upload={(onUploaded) => !library.isPending && <UploadHere onUploaded={onUploaded} />}
      onClose={onClose}
      onCreated={(id) => void navigate(`/jobs/${id}`)}
      onBuyCredits={onBuyCredits}
    >
      {children}
    </CreateJobDialog>
  )
}
