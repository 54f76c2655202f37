/** Where the media is on the editor's computer: asked once, kept with the account. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { TextField } from '../../ui/field.tsx'

export interface MediaFolder {
  /** Undefined while it is loaded, or where the server keeps none. */
  text: string | undefined
  isKnown: boolean
  /** Name of the project that has the folder; null: the account's folder. */
  projectName: string | null
  change: (text: string) => void
  /** Ends when the account knows it. */
  save: () => Promise<void>
}

export interface ProjectFolder {
  id: string
  name: string
  media_folder: string | null
}

const queryKey = keys.preferences

/** In a project that has a folder, that one is used and changed; else the account's. */
export function useMediaFolder(project: ProjectFolder | null): MediaFolder {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getPreferences(undefined, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  const [typed, setTyped] = useState<string | null>(null)
  const kept = project?.media_folder ?? data?.preferences.media_folder
  const text = typed ?? kept ?? ''
  return {
    text: data ? text : undefined,
    isKnown: typeof kept === 'string' && kept !== '',
    projectName: project?.media_folder ? project.name : null,
    change: setTyped,
    async save() {
      if (!data || typed === null || typed.trim() === (kept ?? '')) return
      const folder = typed.trim()
      if (project?.media_folder) {
        const body = { media_folder: folder === '' ? null : folder }
        await api.updateProject({ params: { id: project.id }, body }).catch(() => null)
        await queries.invalidateQueries({ queryKey: keys.projectOf })
        return
      }
      const saved = await api
        .savePreferences({ body: { media_folder: folder === '' ? null : folder } })
        // The file is wanted now; the folder is asked for again next time.
        .catch(() => null)
      if (saved) queries.setQueryData(queryKey, saved)
    },
  }
}

export function MediaFolderField({ folder }: { folder: MediaFolder }) {
  if (folder.text === undefined) return null
  return (
    <TextField
      label="Where is the media on your computer?"
      value={folder.text}
      placeholder="/Volumes/Media/Project or D:\Footage"
      onChange={(event) => folder.change(event.target.value)}
      hint={
        folder.isKnown
          ? `Kept for ${folder.projectName ? `the project ${folder.projectName}` : 'your account'}. Every export points here.`
          : 'The folder. We keep it for your account, so you enter it once.'
      }
    />
  )
}
