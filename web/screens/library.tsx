import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Project } from '../../contract/footage/projects.ts'
import { api } from '../app/api.ts'
import { showFailure } from '../app/failures.ts'
import { counted } from '../app/format.ts'
import { keys } from '../app/queries.ts'
import { AddContentDialog } from '../features/content/add-content-dialog.tsx'
import { DropAnywhere } from '../features/content/drop-anywhere.tsx'
import { useUploadDialog } from '../features/content/upload-bar.tsx'
import { UploadCards } from '../features/content/upload-cards.tsx'
import {
  forgetEnded,
  startUpload,
  useArrivals,
  useUploadEntries,
  useUploads,
} from '../features/content/uploads.ts'
import { BatchDialog } from '../features/library/batch/batch-dialog.tsx'
import { BatchStrip } from '../features/library/batch/batch-strip.tsx'
import { useClipChanges } from '../features/library/clip-changes.ts'
import { ClipGrid } from '../features/library/clip-grid.tsx'
import { addClip, useClips, useLiveClips } from '../features/library/clips.ts'
import { dragClips } from '../features/library/drag.ts'
import { SyncDialog } from '../features/syncs/sync-dialog.tsx'
import { ExportDialog } from '../features/library/export-dialog.tsx'
import { FilterRow, searchFieldId } from '../features/library/filters/filter-row.tsx'
import { useLibraryFilters } from '../features/library/filters/filters.ts'
import type { LibraryFilters } from '../features/library/filters/filters.ts'
import { LibraryHeader } from '../features/library/library-header.tsx'
import { gridKeys, libraryShortcuts } from '../features/library/library-shortcuts.ts'
import { EmptyLibrary, LoadingClips } from '../features/library/library-states.tsx'
import { ProjectDialog } from '../features/library/project-dialog.tsx'
import { projectsKey, useProjects } from '../features/library/projects.ts'
import { SaveFilterDialog } from '../features/library/filters/save-filter.tsx'
import { useSavedFilters } from '../features/library/filters/saved-filters.ts'
import { useSelection } from '../features/library/selection.ts'
import type { Selection } from '../features/library/selection.ts'
import { moveButtonId, SelectionBar } from '../features/library/selection-bar.tsx'
import { Sidebar } from '../features/library/sidebar.tsx'
import { AlertDialog } from '../ui/alert-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { useNarrow } from '../dom/narrow.ts'
import { ShortcutsDialog, useShortcuts } from '../keys/shortcuts.tsx'
import { showToast } from '../ui/toast.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import { TrySample } from './dashboard/try-sample.tsx'

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
  const filters = useLibraryFilters()
  const projects = useProjects()
  const saved = useSavedFilters()
  const clips = useClips(filters.filter)
  const selection = useSelection(clips.clips)
  const changes = useClipChanges()
  const buyCredits = useBuyCredits()
  const isNarrow = useNarrow()
  const [open, setOpen] = useState<Open | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [placedId, setPlacedId] = useState<string | null>(null)
  const [cardWidth, setCardWidth] = useState(188)
  const openLatest = useOpenLatest()
  const onBatchEnd = useRefreshBatches()
  useLiveClips(onBatchEnd)
  const uploads = useUploadEntries()
  useUploadsHere(selection, open === 'add')
  const project = projects.projects.find(({ id }) => id === filters.filter.project_id) ?? null
  const ids = [...selection.ids]
  const selectAll = useSelectAll(filters, selection.selectAll)
  const close = useCallback(() => setOpen(null), [])
  const move = (target: Project | null, moved = ids) => void changes.move(moved, target)
  const onKey = (clip: ContentItem, event: KeyboardEvent) => {
    if (event.key === 'Enter') openLatest(clip)
    else if (event.key === ' ' || event.key === 'x') selection.choose(clip.id, 'toggle')
    else if (event.key === 'F2') setRenaming(clip.id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
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
  const onDrag = (clip: ContentItem, event: DragEvent) =>
    dragClips(event, selection.isSelected(clip.id) ? ids : [clip.id])
  const projectOf = (id: string | null | undefined) =>
    projects.projects.find((item) => item.id === id) ?? null
  const sidebar = (
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
      onDrop={(dropped, target) => move(target, dropped)}
    />
  )
  return (
    <div className="grid h-[calc(100dvh-49px)] min-h-0 max-sm:h-[calc(100dvh-93px)] md:grid-cols-[220px_minmax(0,1fr)]">
      <h1 className="sr-only">Library</h1>
      <aside className="min-h-0 overflow-y-auto border-r border-line max-md:hidden">
        {sidebar}
      </aside>
      <Drawer title="Projects" open={open === 'places'} onClose={close}>
        {sidebar}
      </Drawer>
      <section aria-label="Clips" className="relative flex min-h-0 min-w-0 flex-col">
        <LibraryHeader
          project={project}
          filters={filters}
          total={clips.isPending || clips.isError ? null : clips.total}
          cardWidth={cardWidth}
          onCardWidth={setCardWidth}
          onPlaces={() => setOpen('places')}
          onUpload={() => setOpen('add')}
          onSettings={() => setOpen('settings')}
        />
        <BatchStrip placedId={placedId} onShowFailed={() => filters.set({ analysed: 'failed' })} />
        <FilterRow filters={filters} onSave={() => setOpen('saveFilter')} />
        {clips.isPending ? (
          <LoadingClips view={isNarrow ? 'grid' : filters.view} columnWidth={cardWidth} />
        ) : clips.isError && clips.clips.length === 0 ? (
          <div className="p-4">
            <LoadFailure onRetry={() => void clips.refetch()} />
          </div>
        ) : clips.clips.length === 0 && uploads.length === 0 ? (
          <EmptyLibrary
            isFiltered={filters.active.length > 0}
            place={project?.name ?? 'your library'}
            sample={<TrySample />}
            onClear={filters.clear}
            onUpload={() => setOpen('add')}
          />
        ) : (
          <ClipGrid
            clips={clips.clips}
            view={isNarrow ? 'grid' : filters.view}
            cardWidth={isNarrow ? 140 : cardWidth}
            isSelected={selection.isSelected}
            renaming={renaming}
            projectName={(id) => projectOf(id)?.name ?? ''}
            head={(columns) => open !== 'add' && <UploadCards columns={columns} />}
            hasMore={clips.hasNextPage}
            isLoadingMore={clips.isFetchingNextPage}
            hasFailedMore={clips.isFetchNextPageError}
            onMore={() => void clips.fetchNextPage()}
            onChoose={selection.choose}
            onLasso={selection.chooseMany}
            onOpen={openLatest}
            onTap={(clip) => {
              if (ids.length > 0) selection.choose(clip.id, 'toggle')
              else openLatest(clip)
            }}
            onRename={(clip, name) => {
              setRenaming(null)
              if (name !== clip.file_name) changes.rename(clip, name)
            }}
            onDrag={onDrag}
            onKey={onKey}
          />
        )}
        <SelectionBar
          selection={selection}
          shownCount={clips.clips.filter((clip) => selection.ids.has(clip.id)).length}
          projects={projects.projects}
          onAnalyse={() => setOpen('analyse')}
          onMove={(target) => move(target)}
          onNewProject={() => setOpen('newProject')}
          onRename={() => setRenaming(ids[0] ?? null)}
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
      {open === 'add' && <AddContentDialog projectId={project?.id ?? null} onClose={close} />}
      {open === 'analyse' && (
        <BatchDialog
          ids={ids}
          project={project}
          onClose={close}
          onPlaced={(id) => {
            setPlacedId(id)
            selection.clear()
          }}
          onBuyCredits={buyCredits.viewAll}
        />
      )}
      {open === 'sync' && (
        <SyncDialog ids={ids} onClose={close} onBuyCredits={buyCredits.viewAll} />
      )}
      {open === 'export' && <ExportDialog ids={ids} onClose={close} />}
      {open === 'saveFilter' && (
        <SaveFilterDialog
          onClose={close}
          onSave={(name) => saved.add({ name, filter: filters.query })}
        />
      )}
      {open === 'shortcuts' && (
        <ShortcutsDialog shortcuts={[...gridKeys, ...shortcuts]} onClose={close} />
      )}
      {(open === 'newProject' || open === 'settings') && (
        <ProjectDialog
          project={open === 'settings' ? project : null}
          onClose={close}
          onSaved={(result) => {
            if (open === 'settings') return
            if (ids.length > 0) move(result)
            else filters.set({ project_id: result.id, analysed: null })
          }}
          onDeleted={() => filters.set({ project_id: null })}
        />
      )}
      <AlertDialog
        open={open === 'delete'}
        onClose={close}
        title={ids.length === 1 ? 'Delete content' : `Delete ${counted(ids.length, 'clip')}`}
        question={
          ids.length === 1
            ? 'Are you sure you want to delete this content? This action cannot be undone.'
            : `Are you sure you want to delete these ${ids.length.toLocaleString('en-US')} clips? This action cannot be undone.`
        }
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
      {buyCredits.dialogs}
    </div>
  )
}

/** The project of the sidebar that lies under the pointer. */
function dropProject(target: Element | null): string | null {
  return target?.closest('[data-drop-project]')?.getAttribute('data-drop-project') ?? null
}

/** The end of an upload is news once, however often the screen is opened. */
let reported: ReturnType<typeof useUploads> | null = null

/** This screen shows uploads as cards: what arrives joins the clips, and the end is one sentence. */
function useUploadsHere(selection: Selection, hasDialog: boolean): void {
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

/** A clip opens where its latest findings are; without any, it asks for an analysis. */
function useOpenLatest(): (clip: ContentItem) => void {
  const navigate = useNavigate()
  return useCallback(
    (clip) => {
      const latest = clip.analysis.find(({ state }) => state === 'done') ?? clip.analysis[0]
      if (latest) void navigate(`/jobs/${latest.job_id}`)
      else {
        const message = 'Select the clip and press Analyse to see its shots, words and cut points.'
        showToast({ type: 'info', title: 'Not analysed yet', message })
      }
    },
    [navigate],
  )
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
