import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { ContentItem, Place } from '../../contract/footage/content.ts'
import { keys } from '../app/queries.ts'
import { DropAnywhere } from '../features/content/drop-anywhere.tsx'
import { UploadCards } from '../features/content/upload-cards.tsx'
import { startUpload, useUploadEntries } from '../features/content/uploads.ts'
import { BatchStrip } from '../features/library/batch-strip.tsx'
import { ClipGrid } from '../features/library/clip-grid.tsx'
import { useLiveClips } from '../features/library/clips.ts'
import { dragClips } from '../features/library/drag.ts'
import { FilterRow } from '../features/library/filters/filter-row.tsx'
import { LibraryHeader } from '../features/library/library-header.tsx'
import { ratingByKey } from '../features/library/library-shortcuts.ts'
import { EmptyLibrary, LoadingClips } from '../features/library/library-states.tsx'
import { SelectionBar } from '../features/library/selection-bar.tsx'
import { Sidebar } from '../features/library/sidebar.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { TrySample } from './dashboard/try-sample.tsx'
import { LibraryDialogs } from './library/library-dialogs.tsx'
import { useLibraryScreen, useOpenClip } from './library/library-screen.ts'
import type { LibraryScreen } from './library/library-screen.ts'
import { useUploadsHere } from './library/uploads-here.ts'

/** /library: every clip of the account, and what is done with many of them at once. */
export function Library() {
  const library = useLibraryScreen()
  const { filters, project, place, selection, ids, isNarrow, setOpen } = library
  const [placedId, setPlacedId] = useState<string | null>(null)
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
          bins={library.path}
          filters={filters}
          total={clips.isPending || clips.isError ? null : clips.total}
          onOpen={setOpen}
        />
        <BatchStrip placedId={placedId} onShowFailed={() => filters.set({ analysed: 'failed' })} />
        <FilterRow filters={filters} onSave={() => setOpen('saveFilter')} />
        <Clips library={library} cardWidth={isNarrow ? 140 : 188} />
        <SelectionBar
          selection={selection}
          shownCount={clips.clips.filter((clip) => selection.ids.has(clip.id)).length}
          onAnalyse={() => setOpen('analyse')}
          onMove={() => setOpen('move')}
          onRename={() => library.setRenaming(ids[0] ?? null)}
          onExport={() => setOpen('export')}
          onSync={ids.length > 1 ? () => setOpen('sync') : undefined}
          onDelete={() => setOpen('delete')}
        />
      </section>
      <DropAnywhere
        place={library.nameOf(place) ?? 'your library'}
        placeAt={(target) => {
          const over = placeUnder(target)
          return over && (library.nameOf(over) ?? 'no project')
        }}
        onFiles={(files, target) => {
          startUpload(files, { place: placeUnder(target) ?? place, isQuiet: true })
        }}
      />
      <LibraryDialogs library={library} onPlaced={setPlacedId} />
    </div>
  )
}

function Places({ library }: { library: LibraryScreen }) {
  const { filters, projects, bins, saved, selection, close, setOpen } = library
  return (
    <Sidebar
      filter={filters.filter}
      query={filters.query}
      projects={projects}
      bins={bins}
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
  const { filters, clips, selection, changes, ids, isNarrow, open, setOpen, place } = library
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
        place={library.nameOf(place) ?? 'your library'}
        sample={<TrySample />}
        onClear={filters.clear}
        onUpload={() => setOpen('add')}
      />
    )
  }
  const onKey = (clip: ContentItem, event: KeyboardEvent) => {
    const rating = ratingByKey(event)
    if (event.key === 'Enter') openClip(clip)
    else if (event.key === ' ') selection.choose(clip.id, 'toggle')
    else if (rating !== null && ids.length === 0) changes.mark([clip.id], { rating })
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
      onRetry={(clip) => {
        selection.choose(clip.id, 'only')
        setOpen('analyse')
      }}
    />
  )
}

/** The place of the sidebar that lies under the pointer. */
function placeUnder(target: Element | null): Place | null {
  const place = target?.closest('[data-place]')?.getAttribute('data-place')
  if (!place) return null
  const [project, bin] = place.split(' ')
  return { project_id: project === 'none' ? null : (project ?? null), bin_id: bin || null }
}

function useRefreshBatches(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: keys.batches })
  }, [queries])
}
