import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { counted } from '../../app/format.ts'
import { useUploadDialog } from '../../features/content/upload-bar.tsx'
import { forgetEnded, useArrivals, useUploads } from '../../features/content/uploads.ts'
import { addClip } from '../../features/library/clips.ts'
import { projectsKey } from '../../features/library/projects.ts'
import type { Selection } from '../../features/library/selection.ts'
import { showToast } from '../../ui/toast.tsx'

/** The end of an upload is news once, however often the screen is opened. */
let reported: ReturnType<typeof useUploads> | null = null

/** Shows uploads as cards: arrived files join the clips, and the end is one sentence. */
export function useUploadsHere(selection: Selection, hasDialog: boolean): void {
  const queries = useQueryClient()
  const state = useUploads()
  const select = useRef(selection.selectAll)
  useEffect(() => {
    select.current = selection.selectAll
  })
  useUploadDialog()
  useArrivals((item) => {
    // Our own server's items have every field.
    addClip(queries, item as ContentItem)
    void queries.invalidateQueries({ queryKey: projectsKey })
  })
  useEffect(() => {
    if (hasDialog || state === reported) return
    if (state.phase !== 'completed' && state.phase !== 'failed') return
    reported = state
    const { items } = state
    const unsent = state.phase === 'failed' ? state.unsent : []
    const duplicates = unsent.filter((entry) => entry.isDuplicate).length
    const failed = unsent.filter((entry) => entry.reason && !entry.isDuplicate).length
    if (state.phase === 'completed') forgetEnded()
    if (items.length + duplicates + failed === 0) return
    const chosen = items.map((item) => ({ id: item.id, seconds: item.media?.duration ?? null }))
    showToast({
      type: failed > 0 ? 'error' : duplicates > 0 ? 'warning' : 'success',
      title: items.length > 0 ? `${counted(items.length, 'clip')} added` : 'Nothing was added',
      message: [
        duplicates > 0 && `${counted(duplicates, 'file')} already in your library.`,
        failed > 0 && `${counted(failed, 'file')} failed: see the cards.`,
        duplicates + failed === 0 && 'Analyse it now.',
      ]
        .filter(Boolean)
        .join(' '),
      ...(items.length > 0 && {
        action: { label: 'Select', run: () => select.current(chosen) },
      }),
    })
  }, [state, hasDialog])
}
