import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

export function EmptyLibrary({
  isFiltered,
  place,
  sample,
  onClear,
  onUpload,
}: {
  isFiltered: boolean
  place: string
  /** The way to a first result without footage of one's own. */
  sample: ReactNode
  onClear: () => void
  onUpload: () => void
}) {
  if (isFiltered) {
    return (
      <div className="p-4">
        <EmptyState
          title="No clip matches"
          action={<Button onClick={onClear}>Clear filters</Button>}
        >
          Change the search or the filters above.
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="grid grow place-items-stretch p-4">
      <div className="flex flex-col items-center justify-center gap-2 rounded-lg border border-dashed border-line-strong/60 p-6 text-center">
        <Upload size={28} strokeWidth={1.5} aria-hidden className="text-ink-3" />
        <p className="text-md font-semibold">Drop files, or paste a link</p>
        <p className="max-w-90 text-balance text-ink-3">
          Drop a whole card anywhere on this page. It lands in {place}, and one confirmation
          analyses all of it.
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          <Button size="md" onClick={onUpload}>
            <Upload size={14} aria-hidden /> Upload
          </Button>
          {sample}
        </div>
      </div>
    </div>
  )
}

/** Cards or rows in their final place, so that nothing moves when they arrive. */
export function LoadingClips({
  view,
  columnWidth,
}: {
  view: 'grid' | 'list'
  columnWidth: number
}) {
  const card = (
    <>
      <Skeleton className="aspect-video" />
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-3 w-1/2" />
    </>
  )
  return (
    <div
      aria-busy
      aria-label="Loading clips"
      className={classes('grid px-4', view === 'list' ? 'pt-9' : 'gap-2 pt-1')}
      style={
        view === 'list'
          ? {}
          : { gridTemplateColumns: `repeat(auto-fill, minmax(min(${columnWidth}px, 40vw), 1fr))` }
      }
    >
      {Array.from({ length: 18 }, (_, index) => (
        // Placeholders have no identity beyond their place.
        <div
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={view === 'list' ? 'h-11 py-1' : 'flex flex-col gap-1.5 p-1 pb-2'}
        >
          {view === 'list' ? <Skeleton className="h-9" /> : card}
        </div>
      ))}
    </div>
  )
}
