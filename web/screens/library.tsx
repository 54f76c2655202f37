import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Project } from '../../contract/footage/projects.ts'
import { api } from '../app/api.ts'
import { showFailure } from '../app/failures.ts'
import { counted } from '../app/format.ts'
import { keys } from '../app/queries.ts'
import { AddContentDialog } from '../features/content/add-content-dialog.tsx'
import { DropAnywhere } from '../features/content/drop-anywhere.tsx'
import { ExportDialog } from '../features/export/export-dialog.tsx'
import { UploadCards } from '../features/content/upload-cards.tsx'
import { startUpload, useUploadEntries } from '../features/content/uploads.ts'
import { BatchDialog } from '../features/library/batch/batch-dialog.tsx'
import { BatchStrip } from '../features/library/batch/batch-strip.tsx'
import { useClipChanges } from '../features/library/clip-changes.ts'
import { ClipGrid } from '../features/library/clip-grid.tsx'
import { useClips, useLiveClips } from '../features/library/clips.ts'
import { clipsExport } from '../features/library/export-subject.ts'
import { dragClips } from '../features/library/drag.ts'
import { SyncDialog } from '../features/syncs/sync-dialog.tsx'
import { FilterRow, searchFieldId } from '../features/library/filters/filter-row.tsx'
import { useLibraryFilters } from '../features/library/filters/filters.ts'
import type { LibraryFilters } from '../features/library/filters/filters.ts'
import { LibraryHeader } from '../features/library/library-header.tsx'
import { gridKeys, libraryShortcuts } from '../features/library/library-shortcuts.ts'
import { EmptyLibrary, LoadingClips } from '../features/library/library-states.tsx'
import { ProjectDialog } from '../features/library/project-dialog.tsx'
import { useProjects } from '../features/library/projects.ts'
import { SaveFilterDialog } from '../features/library/filters/save-filter.tsx'
import { useSavedFilters } from '../features/library/filters/saved-filters.ts'
import { useSelection } from '../features/library/selection.ts'
import { moveButtonId, SelectionBar } from '../features/library/selection-bar.tsx'
import { Sidebar } from '../features/library/sidebar.tsx'
import { AlertDialog } from '../ui/alert-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { useNarrow } from '../dom/narrow.ts'
import { ShortcutsDialog, useShortcuts } from '../keys/shortcuts.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import { TrySample } from './dashboard/try-sample.tsx'
import { useUploadsHere } from './library/uploads-here.ts'

type Open =
  | 'add'
  | 'analyse'
  | 'delete'
  | 'export'
  | 'newProject'
  | 'places'
  | 'saveFilter'
  | 'settings'
  | 'shortcuts'
  | 'sync'

/** /library: every clip of the account, and what is done with many of them at once. */
export function Library() {
  const library = useLibraryScreen()
  const { filters, projects, project, projectOf, selection, ids, isNarrow, setOpen } = library
  const [placedId, setPlacedId] = useState<string | null>(null)
  const [cardWidth, setCardWidth] = useState(188)
  const onBatchEnd = useRefreshBatches()
  useLiveClips(onBatchEnd)
  useUploadsHere(selection, library.open === 'add')
  const { clips } = library
  return (
    <div className="grid h-[calc(100dvh-49px)] min-h-0 max-sm:h-[calc(100dvh-93px)] md:grid-cols-[220px_minmax(0,1fr)]">
      <h1 className="sr-only">Library</h1>
      <aside className="min-h-0 overflow-y-auto border-r border-line max-md:hidden">
        <Places library={library} />
      </aside>
      <Drawer title="Projects" open={library.open === 'places'} onClose={library.close}>
        <Places library={library} />
      </Drawer>
      <section aria-label="Clips" className="relative flex min-h-0 min-w-0 flex-col">
        <LibraryHeader
          project={project}
          filters={filters}
          total={clips.isPending || clips.isError ? null : clips.total}
          cardWidth={cardWidth}
          onCardWidth={setCardWidth}
          onOpen={setOpen}
        />
        <BatchStrip placedId={placedId} onShowFailed={() => filters.set({ analysed: 'failed' })} />
        <FilterRow filters={filters} onSave={() => setOpen('saveFilter')} />
        <Clips library={library} cardWidth={isNarrow ? 140 : cardWidth} />
        <SelectionBar
          selection={selection}
          shownCount={clips.clips.filter((clip) => selection.ids.has(clip.id)).length}
          projects={projects.projects}
          onAnalyse={() => setOpen('analyse')}
          onMove={(target) => library.move(target)}
          onNewProject={() => setOpen('newProject')}
          onRename={() => library.setRenaming(ids[0] ?? null)}
          onExport={() => setOpen('export')}
          onSync={ids.length > 1 ? () => setOpen('sync') : undefined}
          onDelete={() => setOpen('delete')}
        />
      </section>
      <DropAnywhere
        place={project?.name ?? 'your library'}
        placeAt={(target) => {
          const id = dropProject(target)
          return id === 'none' ? 'no project' : (projectOf(id)?.name ?? null)
        }}
        onFiles={(files, target) => {
          const id = dropProject(target)
          const projectId = id === null ? (project?.id ?? null) : (projectOf(id)?.id ?? null)
          startUpload(files, { projectId, isQuiet: true })
        }}
      />
      <Dialogs library={library} onPlaced={setPlacedId} />
    </div>
  )
}

type LibraryScreen = ReturnType<typeof useLibraryScreen>

function useLibraryScreen() {
  const filters = useLibraryFilters()
  const projects = useProjects()
  const saved = useSavedFilters()
  const clips = useClips(filters.filter)
  const selection = useSelection(clips.clips)
  const changes = useClipChanges()
  const isNarrow = useNarrow()
  const [open, setOpen] = useState<Open | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const close = useCallback(() => setOpen(null), [])
  const selectAll = useSelectAll(filters, selection.selectAll)
  const ids = [...selection.ids]
  const projectOf = (id: string | null | undefined) =>
    projects.projects.find((item) => item.id === id) ?? null
  const shortcuts = libraryShortcuts({
    hasSelection: ids.length > 0,
    analyse: () => setOpen('analyse'),
    move: () => document.getElementById(moveButtonId)?.click(),
    export: () => setOpen('export'),
    remove: () => setOpen('delete'),
    rename: () => setRenaming(ids[0] ?? null),
    upload: () => setOpen('add'),
    find: () => document.getElementById(searchFieldId)?.focus(),
    selectAll: () => void selectAll(),
    clear: selection.clear,
    changeView: () => filters.set({ view: filters.view === 'grid' ? 'list' : null }),
    goToProject: (index) => {
      const target = projects.projects[index]
      if (target) filters.set({ project_id: target.id, analysed: null })
    },
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
    project: projectOf(filters.filter.project_id),
    projectOf,
    move: (target: Project | null, moved = ids) => void changes.move(moved, target),
    shortcuts,
  }
}

function Places({ library }: { library: LibraryScreen }) {
  const { filters, projects, saved, selection, close, setOpen } = library
  return (
    <Sidebar
      filter={filters.filter}
      query={filters.query}
      projects={projects}
      filters={saved}
      onShow={(change) => {
        selection.clear()
        filters.set(change)
        close()
      }}
      onShowSaved={({ filter }) => {
        selection.clear()
        filters.show(filter)
        close()
      }}
      onNewProject={() => setOpen('newProject')}
      onDrop={(dropped, target) => library.move(target, dropped)}
    />
  )
}

function Clips({ library, cardWidth }: { library: LibraryScreen; cardWidth: number }) {
  const { filters, clips, selection, changes, ids, isNarrow, open, setOpen, project } = library
  const uploads = useUploadEntries()
  const openClip = useOpenClip()
  const view = isNarrow ? 'grid' : filters.view
  if (clips.isPending) return <LoadingClips view={view} columnWidth={cardWidth} />
  if (clips.isError && clips.clips.length === 0) {
    return (
      <div className="p-4">
        <LoadFailure onRetry={() => void clips.refetch()} />
      </div>
    )
  }
  if (clips.clips.length === 0 && uploads.length === 0) {
    return (
      <EmptyLibrary
        isFiltered={filters.active.length > 0}
        place={project?.name ?? 'your library'}
        sample={<TrySample />}
        onClear={filters.clear}
        onUpload={() => setOpen('add')}
      />
    )
  }
  const onKey = (clip: ContentItem, event: KeyboardEvent) => {
    if (event.key === 'Enter') openClip(clip)
    else if (event.key === ' ' || event.key === 'x') selection.choose(clip.id, 'toggle')
    else if (event.key === 'F2') library.setRenaming(clip.id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <ClipGrid
      clips={clips.clips}
      view={view}
      cardWidth={cardWidth}
      isSelected={selection.isSelected}
      renaming={library.renaming}
      projectName={(id) => library.projectOf(id)?.name ?? ''}
      head={(columns) => open !== 'add' && <UploadCards columns={columns} />}
      hasMore={clips.hasNextPage}
      isLoadingMore={clips.isFetchingNextPage}
      hasFailedMore={clips.isFetchNextPageError}
      onMore={() => void clips.fetchNextPage()}
      onChoose={selection.choose}
      onLasso={selection.chooseMany}
      onOpen={openClip}
      onTap={(clip) => {
        if (ids.length > 0) selection.choose(clip.id, 'toggle')
        else openClip(clip)
      }}
      onRename={(clip, name) => {
        library.setRenaming(null)
        if (name !== clip.file_name) changes.rename(clip, name)
      }}
      onDrag={(clip, event) => dragClips(event, selection.isSelected(clip.id) ? ids : [clip.id])}
      onKey={onKey}
    />
  )
}

function Dialogs({
  library,
  onPlaced,
}: {
  library: LibraryScreen
  onPlaced: (batchId: string) => void
}) {
  const { open, close, ids, project, filters, selection, saved } = library
  const buyCredits = useBuyCredits()
  return (
    <>
      {open === 'add' && <AddContentDialog projectId={project?.id ?? null} onClose={close} />}
      {open === 'analyse' && (
        <BatchDialog
          ids={ids}
          project={project}
          onClose={close}
          onPlaced={(id) => {
            onPlaced(id)
            selection.clear()
          }}
          onBuyCredits={buyCredits.viewAll}
        />
      )}
      {open === 'sync' && (
        <SyncDialog ids={ids} onClose={close} onBuyCredits={buyCredits.viewAll} />
      )}
      {open === 'export' && (
        <ExportDialog subject={clipsExport(ids, selection.seconds, project)} onClose={close} />
      )}
      {open === 'saveFilter' && (
        <SaveFilterDialog
          onClose={close}
          onSave={(name) => saved.add({ name, filter: filters.query })}
        />
      )}
      {open === 'shortcuts' && (
        <ShortcutsDialog shortcuts={[...gridKeys, ...library.shortcuts]} onClose={close} />
      )}
      {(open === 'newProject' || open === 'settings') && (
        <ProjectDialog
          project={open === 'settings' ? project : null}
          onClose={close}
          onSaved={(result) => {
            if (open === 'settings') return
            if (ids.length > 0) library.move(result)
            else filters.set({ project_id: result.id, analysed: null })
          }}
          onDeleted={() => filters.set({ project_id: null })}
        />
      )}
      <DeleteQuestion library={library} />
      {buyCredits.dialogs}
    </>
  )
}

function DeleteQuestion({ library }: { library: LibraryScreen }) {
  const { ids, changes, selection, close } = library
  const isOne = ids.length === 1
  const clips = isOne ? 'this content' : `these ${ids.length.toLocaleString('en-US')} clips`
  return (
    <AlertDialog
      open={library.open === 'delete'}
      onClose={close}
      title={isOne ? 'Delete content' : `Delete ${counted(ids.length, 'clip')}`}
      question={`Are you sure you want to delete ${clips}? This action cannot be undone.`}
      confirmLabel="Delete"
      busy={changes.isDeleting}
      onConfirm={() =>
        void changes.remove(ids).then(() => {
          selection.clear()
          close()
          return undefined
        })
      }
    />
  )
}

/** The project of the sidebar that lies under the pointer. */
function dropProject(target: Element | null): string | null {
  return target?.closest('[data-drop-project]')?.getAttribute('data-drop-project') ?? null
}

function useOpenClip(): (clip: ContentItem) => void {
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

function useRefreshBatches(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: keys.batches })
  }, [queries])
}
