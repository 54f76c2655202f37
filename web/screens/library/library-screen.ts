import { useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ContentItem, Place } from '../../../contract/footage/content.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { binPath, useBins } from '../../features/library/bins/bins.ts'
import { useClipChanges } from '../../features/library/clip-changes.ts'
import { useClips } from '../../features/library/clips.ts'
import { searchFieldId } from '../../features/library/filters/filter-row.tsx'
import { useLibraryFilters } from '../../features/library/filters/filters.ts'
import type { LibraryFilters } from '../../features/library/filters/filters.ts'
import { libraryShortcuts } from '../../features/library/library-shortcuts.ts'
import { useProjects } from '../../features/library/projects.ts'
import { useSavedFilters } from '../../features/library/filters/saved-filters.ts'
import { useSelection } from '../../features/library/selection.ts'
import { useNarrow } from '../../dom/narrow.ts'
import { useShortcuts } from '../../keys/shortcuts.tsx'

type Open =
  | 'add'
  | 'analyse'
  | 'delete'
  | 'export'
  | 'keywords'
  | 'move'
  | 'newProject'
  | 'places'
  | 'saveFilter'
  | 'settings'
  | 'shortcuts'
  | 'sync'

export type LibraryScreen = ReturnType<typeof useLibraryScreen>

export function useLibraryScreen() {
  const filters = useLibraryFilters()
  const projects = useProjects()
  const saved = useSavedFilters()
  const clips = useClips(filters.filter)
  const selection = useSelection(clips.clips)
  const bins = useBins()
  const changes = useClipChanges(bins)
  const isNarrow = useNarrow()
  const [open, setOpen] = useState<Open | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const close = useCallback(() => setOpen(null), [])
  const selectAll = useSelectAll(filters, selection.selectAll)
  const ids = [...selection.ids]
  const projectOf = (id: string | null | undefined) =>
    projects.projects.find((item) => item.id === id) ?? null
  const project = projectOf(filters.filter.project_id)
  const path = binPath(bins, filters.filter.bin_id)
  const [projectId, binId] = [project?.id ?? null, path.at(-1)?.id ?? null]
  const place = useMemo<Place>(() => ({ project_id: projectId, bin_id: binId }), [projectId, binId])
  const nameOf = ({ project_id, bin_id }: Place) =>
    binPath(bins, bin_id).at(-1)?.name ?? projectOf(project_id)?.name ?? null
  const shortcuts = libraryShortcuts({
    hasSelection: ids.length > 0,
    analyse: () => setOpen('analyse'),
    move: () => setOpen('move'),
    keywords: () => setOpen('keywords'),
    rate: (rating) => changes.mark(ids, { rating }),
    export: () => setOpen('export'),
    remove: () => setOpen('delete'),
    rename: () => setRenaming(ids[0] ?? null),
    upload: () => setOpen('add'),
    find: () => document.getElementById(searchFieldId)?.focus(),
    selectAll: () => void selectAll(),
    clear: selection.clear,
    changeView: () => filters.set({ view: filters.view === 'grid' ? 'list' : null }),
    help: () => setOpen('shortcuts'),
  })
  useShortcuts(shortcuts)
  return {
    filters,
    projects,
    saved,
    clips,
    selection,
    changes,
    isNarrow,
    open,
    setOpen,
    close,
    renaming,
    setRenaming,
    ids,
    bins,
    path,
    project,
    place,
    nameOf,
    projectOf,
    move: (target: Place, moved = ids) => void changes.move(moved, target, nameOf(target)),
    shortcuts,
  }
}

export function useOpenClip(): (clip: ContentItem) => void {
  const navigate = useNavigate()
  return useCallback((clip) => void navigate(`/library/${clip.id}`), [navigate])
}

function useSelectAll(
  { filter }: LibraryFilters,
  onSelect: (items: readonly { id: string; seconds: number | null }[]) => void,
): () => Promise<void> {
  return async () => {
    try {
      const { items } = await api.listContentIds({ query: filter })
      onSelect(items)
    } catch (error) {
      showFailure(error, { title: 'Not selected' })
    }
  }
}
