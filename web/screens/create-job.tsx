import { useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { isUsable, useItemsNamed, useLibrary } from '../features/content/library.ts'
import { UploadHere } from '../features/content/upload-here.tsx'
import { CreateJobDialog } from '../features/analyse/create-job.tsx'
import { TextField } from '../ui/field.tsx'

/** So many names are read at a glance. */
const shownWithoutSearch = 10

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
  const [name, setName] = useState('')
  const items = useItemsNamed(name)
  return (
    <CreateJobDialog
      library={items.filter(isUsable)}
      contentUrl={contentUrl}
      search={
        library.items.length > shownWithoutSearch && (
          <TextField
            label="Search your library"
            type="search"
            placeholder="Part of the name"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )
      }
      upload={(onUploaded) =>
        !library.isPending && name === '' && <UploadHere onUploaded={onUploaded} />
      }
      onClose={onClose}
      onCreated={(id) => void navigate(`/jobs/${id}`)}
      onBuyCredits={onBuyCredits}
    >
      {children}
    </CreateJobDialog>
  )
}
