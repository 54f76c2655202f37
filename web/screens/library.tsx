import { useQueryClient } from '@tanstack/react-query'
import { ArrowDownUp, LayoutGrid, List, Settings2, Upload } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ContentItem } from '../../contract/content.ts'
import type { Project } from '../../contract/projects.ts'
import { api, messageOf } from '../app/api.ts'
import { counted } from '../app/figures.ts'
import { AddContentDialog } from '../features/content/add-content-dialog.tsx'
import { DropAnywhere } from '../features/content/drop-anywhere.tsx'
import { BatchDialog } from '../features/library/batch-dialog.tsx'
import { BatchStrip } from '../features/library/batch-strip.tsx'
import { ClipGrid } from '../features/library/clip-grid.tsx'
import { totalText } from '../features/library/clip-text.ts'
import { useClips, useLiveClips } from '../features/library/clips.ts'
import { dragClips } from '../features/library/drag.ts'
import { ExportDialog } from '../features/library/export-dialog.tsx'
import { FilterRow } from '../features/library/filter-row.tsx'
import { useLibraryFilters } from '../features/library/filters.ts'
import type { LibraryFilters } from '../features/library/filters.ts'
import { ProjectDialog } from '../features/library/project-dialog.tsx'
import { ProjectDot } from '../features/library/project-dot.tsx'
import { useProjects } from '../features/library/projects.ts'
import { useSelection } from '../features/library/selection.ts'
import { SelectionBar } from '../features/library/selection-bar.tsx'
import { Sidebar } from '../features/library/sidebar.tsx'
import { useClipChanges } from '../features/library/clip-changes.ts'
import { AlertDialog } from '../ui/alert-dialog.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { showToast } from '../ui/toast.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import { TrySample } from './dashboard/try-sample.tsx'

type Open =
  | { kind: 'analyse' | 'delete' | 'export' | 'newProject' | 'settings' }
  | { kind: 'add'; files: readonly File[] }

/** /library: every clip of the account, and what is done with many of them at once. */
export function Library() {
  const filters = useLibraryFilters()
  const projects = useProjects()
  const clips = useClips(filters.filter)
  const selection = useSelection(clips.clips)
  const changes = useClipChanges()
  const buyCredits = useBuyCredits()
  const [open, setOpen] = useState<Open | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [placedId, setPlacedId] = useState<string | null>(null)
  const [cardWidth, setCardWidth] = useState(188)
  const searchField = useRef<HTMLInputElement>(null)
  const openLatest = useOpenLatest()
  const onBatchEnd = useRefreshBatches()
  useLiveClips(onBatchEnd)
  const project = projects.projects.find(({ id }) => id === filters.filter.project_id) ?? null
  const ids = [...selection.ids]
  const selectAll = useSelectAll(filters, selection.selectAll)
  const close = useCallback(() => setOpen(null), [])
  const move = (target: Project | null, moved = ids) => changes.move(moved, target)
  const onKey = (clip: ContentItem, event: KeyboardEvent) => {
    if (event.key === 'Enter') openLatest(clip)
    else if (event.key === ' ' || event.key === 'x') selection.choose(clip.id, 'toggle')
    else if (event.key === 'F2') setRenaming(clip.id)
    else return
    event.preventDefault()
  }
  useShortcuts({
    a: () => ids.length > 0 && setOpen({ kind: 'analyse' }),
    e: () => ids.length > 0 && setOpen({ kind: 'export' }),
    u: () => setOpen({ kind: 'add', files: [] }),
    g: () => filters.set({ view: filters.view === 'grid' ? 'list' : null }),
    '/': () => searchField.current?.focus(),
    Delete: () => ids.length > 0 && setOpen({ kind: 'delete' }),
    Backspace: () => ids.length > 0 && setOpen({ kind: 'delete' }),
    Escape: selection.clear,
    'mod+a': () => void selectAll(),
  })
  const onDrag = (clip: ContentItem, event: DragEvent) =>
    dragClips(event, selection.isSelected(clip.id) ? ids : [clip.id])
  const isFiltered = filters.active.length > 0
  return (
    <div className="grid h-[calc(100dvh-49px)] min-h-0 grow max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[220px_minmax(0,1fr)] max-sm:h-auto">
      <h1 className="sr-only">Library</h1>
      <aside className="min-h-0 border-r border-line max-md:border-r-0 max-md:border-b">
        <Sidebar
          filter={filters.filter}
          projects={projects}
          onShow={(change) => {
            selection.clear()
            filters.set(change)
          }}
          onNewProject={() => setOpen({ kind: 'newProject' })}
          onDrop={(dropped, target) => void move(target, dropped)}
        />
      </aside>
      <section aria-label="Clips" className="relative flex min-h-0 min-w-0 flex-col">
        <Header
          project={project}
          filters={filters}
          total={clips.total}
          cardWidth={cardWidth}
          onCardWidth={setCardWidth}
          onUpload={() => setOpen({ kind: 'add', files: [] })}
          onSettings={() => setOpen({ kind: 'settings' })}
        />
        <BatchStrip placedId={placedId} onShowFailed={() => filters.set({ analysed: 'failed' })} />
        <FilterRow filters={filters} searchRef={searchField} />
        {clips.isPending ? (
          <LoadingGrid />
        ) : clips.isError && clips.clips.length === 0 ? (
          <div className="p-4">
            <LoadFailure onRetry={() => void clips.refetch()} />
          </div>
        ) : clips.clips.length === 0 ? (
          <Empty
            isFiltered={isFiltered}
            onClear={filters.clear}
            onUpload={() => setOpen({ kind: 'add', files: [] })}
          />
        ) : (
          <ClipGrid
            clips={clips.clips}
            view={filters.view}
            cardWidth={cardWidth}
            isSelected={selection.isSelected}
            renaming={renaming}
            projectName={(id) => projects.projects.find((item) => item.id === id)?.name ?? ''}
            hasMore={clips.hasNextPage}
            isLoadingMore={clips.isFetchingNextPage}
            hasFailedMore={clips.isFetchNextPageError}
            onMore={() => void clips.fetchNextPage()}
            onChoose={selection.choose}
            onOpen={openLatest}
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
          onAnalyse={() => setOpen({ kind: 'analyse' })}
          onMove={(target) => void move(target)}
          onNewProject={() => setOpen({ kind: 'newProject' })}
          onRename={() => setRenaming(ids[0] ?? null)}
          onExport={() => setOpen({ kind: 'export' })}
          onDelete={() => setOpen({ kind: 'delete' })}
        />
      </section>
      <DropAnywhere onFiles={(files) => setOpen({ kind: 'add', files })} />
      {open?.kind === 'add' && <AddContentDialog files={open.files} onClose={close} />}
      {open?.kind === 'analyse' && (
        <BatchDialog
          ids={ids}
          projectId={project?.id ?? null}
          onClose={close}
          onPlaced={(id) => {
            setPlacedId(id)
            selection.clear()
          }}
          onBuyCredits={buyCredits.viewAll}
        />
      )}
      {open?.kind === 'export' && <ExportDialog ids={ids} onClose={close} />}
      {(open?.kind === 'newProject' || open?.kind === 'settings') && (
        <ProjectDialog
          project={open.kind === 'settings' ? project : null}
          onClose={close}
          onSaved={(saved) => {
            if (open.kind === 'settings') return
            if (ids.length > 0) void move(saved)
            else filters.set({ project_id: saved.id, analysed: null })
          }}
          onDeleted={() => filters.set({ project_id: null })}
        />
      )}
      <AlertDialog
        open={open?.kind === 'delete'}
        onOpenChange={(isOpen) => !isOpen && close()}
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

const sorts = [
  { value: '', label: 'Newest first' },
  { value: 'added asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name' },
  { value: 'length desc', label: 'Longest first' },
  { value: 'size desc', label: 'Largest first' },
  { value: 'used desc', label: 'Last used' },
]

function Header({
  project,
  filters,
  total,
  cardWidth,
  onCardWidth,
  onUpload,
  onSettings,
}: {
  project: Project | null
  filters: LibraryFilters
  total: number
  cardWidth: number
  onCardWidth: (width: number) => void
  onUpload: () => void
  onSettings: () => void
}) {
  const { filter, view } = filters
  const sort = filter.sort ? `${filter.sort} ${filter.order ?? ''}` : ''
  const place = filter.project_id === 'none' ? 'No project' : 'All clips'
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        {project && <ProjectDot colour={project.colour} />}
        {project?.name ?? place}
      </h2>
      <p className="figures text-sm text-ink-3">
        {counted(total, 'clip')}
        {project && project.seconds > 0 && ` · ${totalText(project.seconds)}`}
      </p>
      {project && (
        <IconButton label="Project settings" onClick={onSettings}>
          <Settings2 size={14} aria-hidden />
        </IconButton>
      )}
      <label className="ml-auto flex items-center gap-1.5 text-sm text-ink-2">
        <ArrowDownUp size={14} aria-hidden />
        <select
          aria-label="Sort"
          value={sort}
          onChange={(event) => {
            const [name = '', order = ''] = event.target.value.split(' ')
            filters.set({ sort: name || null, order: order || null })
          }}
          className="h-7 cursor-pointer appearance-none bg-transparent pointer-coarse:h-11"
        >
          {sorts.map(({ value, label }) => (
            <option key={label} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <div role="group" aria-label="View" className="flex max-sm:hidden">
        <IconButton
          label="Grid"
          aria-pressed={view === 'grid'}
          className={view === 'grid' ? 'bg-hover text-ink' : ''}
          onClick={() => filters.set({ view: null })}
        >
          <LayoutGrid size={14} aria-hidden />
        </IconButton>
        <IconButton
          label="List"
          aria-pressed={view === 'list'}
          className={view === 'list' ? 'bg-hover text-ink' : ''}
          onClick={() => filters.set({ view: 'list' })}
        >
          <List size={14} aria-hidden />
        </IconButton>
      </div>
      {view === 'grid' && (
        <input
          type="range"
          aria-label="Card size"
          min={140}
          max={320}
          value={cardWidth}
          onChange={(event) => onCardWidth(Number(event.target.value))}
          className="w-18 accent-brand max-sm:hidden"
        />
      )}
      <Button look="primary" onClick={onUpload}>
        <Upload size={14} aria-hidden /> Upload <Kbd>U</Kbd>
      </Button>
    </header>
  )
}

function Empty({
  isFiltered,
  onClear,
  onUpload,
}: {
  isFiltered: boolean
  onClear: () => void
  onUpload: () => void
}) {
  return (
    <div className="p-4">
      {isFiltered ? (
        <EmptyState
          title="No clip matches"
          action={<Button onClick={onClear}>Clear filters</Button>}
        >
          Change the search or the filters above.
        </EmptyState>
      ) : (
        <EmptyState
          title="Drop files, or paste a link"
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <Button look="primary" onClick={onUpload}>
                <Upload size={14} aria-hidden /> Upload
              </Button>
              <TrySample />
            </span>
          }
        >
          Drop a whole card anywhere on this page, then analyse all of it with one confirmation.
        </EmptyState>
      )}
    </div>
  )
}

/** Cards in their final place, so that nothing moves when they arrive. */
function LoadingGrid() {
  return (
    <div
      aria-busy
      aria-label="Loading clips"
      className="grid grid-cols-[repeat(auto-fill,minmax(188px,1fr))] gap-3 p-4"
    >
      {Array.from({ length: 12 }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Skeleton key={index} className="aspect-video" />
      ))}
    </div>
  )
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
      const message = messageOf(error, 'Please check your connection and try again.')
      showToast({ type: 'error', title: 'Not selected', message })
    }
  }
}

function useRefreshBatches(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: ['batches'] })
  }, [queries])
}

/** Single keys act on the page, never inside a field or an open dialog. */
function useShortcuts(actions: Record<string, () => unknown>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (
        target.closest(
          'input, textarea, select, [role="dialog"], [role="menu"], [role="alertdialog"]',
        )
      )
        return
      const isModified = event.metaKey || event.ctrlKey
      const action = current.current[isModified ? `mod+${event.key.toLowerCase()}` : event.key]
      if (!action || event.altKey) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
