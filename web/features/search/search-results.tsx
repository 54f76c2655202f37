import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { api } from '../../app/api.ts'
import { HitStill, Marked } from '../../app/hit.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { addHitToSelects } from './add-hit.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { isSingleKey } from '../../keys/shortcuts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const firstLength = 20
const maxShown = 100

const kinds: Record<SearchHit['kind'], string> = {
  word: 'Speech',
  shot: 'Shot',
  talking: 'Talking',
  cutpoint: 'Cut point',
  text: 'Text',
  screen: 'On screen',
  name: 'Content',
}

/** Hits, best first; each opens its job at its frame. */
export function SearchResults({
  q,
  onAddToCut,
}: {
  q: string
  onAddToCut: (hits: readonly SearchHit[]) => void
}) {
  const [length, setLength] = useState(firstLength)
  const { data, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: ['search', q, length],
    queryFn: ({ signal }) => api.search({ query: { q, limit: length } }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (isError) {
    return (
      <EmptyState
        title="Search isn’t responding"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        Check your connection and try again.
      </EmptyState>
    )
  }
  if (isPending) {
    return (
      <div role="status" aria-label="Searching" className="flex flex-col gap-2">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
    )
  }
  if (data.hits.length === 0) {
    return (
      <EmptyState title={`Nothing found for “${q}”`}>
        Search covers the transcripts, on-screen text, shots, talking and cut points of footage you
        analysed.
      </EmptyState>
    )
  }
  const canGrow = data.hits.length < data.total && length < maxShown
  return (
    <>
      <Summary answer={data} onAddToCut={onAddToCut} />
      <ul className="divide-y divide-line">
        {data.hits.map((hit) => (
          <Hit
            key={`${hit.job_id} ${hit.kind} ${hit.start_frame} ${hit.text}`}
            hit={hit}
            onAddToCut={() => onAddToCut([hit])}
          />
        ))}
      </ul>
      {canGrow && (
        <Button
          look="quiet"
          busy={isFetching}
          onClick={() => setLength(maxShown)}
          className="mt-3 w-full"
        >
          Show more
        </Button>
      )}
    </>
  )
}

function Summary({
  answer: { hits, total, more },
  onAddToCut,
}: {
  answer: Awaited<ReturnType<typeof api.search>>
  onAddToCut: (hits: readonly SearchHit[]) => void
}) {
  const cuttable = hits.filter(canBeCut)
  return (
    <div className="mb-3 flex items-center gap-2">
      <p role="status" className="figures grow text-ink-3">
        {total === 1 ? '1 result' : `${total}${more ? '+' : ''} results`}
        {hits.length < total && `, the best ${hits.length} shown`}
      </p>
      {cuttable.length > 0 && (
        <Button onClick={() => onAddToCut(cuttable)}>
          <ListPlus size={14} aria-hidden />
          {cuttable.length === 1 ? 'Add it to a cut' : `Add all ${cuttable.length} to a cut`}
        </Button>
      )}
    </div>
  )
}

function canBeCut(hit: SearchHit): boolean {
  if (hit.kind === 'name' || hit.kind === 'text' || !hit.content_id) return false
  return hit.end_frame > (hit.passage_start_frame ?? hit.start_frame)
}

function Hit({ hit, onAddToCut }: { hit: SearchHit; onAddToCut: () => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSingleKey(event, 'a') && canBeCut(hit)) onAddToCut()
  }
  return (
    // The link and the buttons in it take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li onKeyDown={onKeyDown} className="flex items-center gap-2">
      <Link
        to={
          hit.kind === 'name'
            ? `/jobs/${hit.job_id}`
            : `/jobs/${hit.job_id}?frame=${hit.start_frame}`
        }
        className="-mx-2 grid min-w-0 grow gap-x-4 gap-y-1 rounded-md px-2 py-2.5 hover:bg-hover grid-cols-[6rem_minmax(0,1fr)] sm:grid-cols-[6rem_8rem_minmax(0,1fr)]"
      >
        <HitStill
          url={hit.still_url}
          className="aspect-video w-24 bg-hover object-cover max-sm:row-span-2"
        />
        <span className="flex items-baseline gap-2 sm:flex-col sm:gap-0.5">
          {/* A name belongs to the whole file, not to a moment of it. */}
          {hit.kind !== 'name' && <span className="timecode text-brand-ink">{hit.timecode}</span>}
          <Badge>{kinds[hit.kind]}</Badge>
        </span>
        <span className="min-w-0">
          <span className="block text-base">
            <Marked
              text={hit.text}
              ranges={hit.highlights}
              className="rounded-sm bg-select-wash font-medium text-ink"
            />
          </span>
          {hit.kind !== 'name' && (
            <span className="block truncate text-xs text-ink-3">{hit.content_name}</span>
          )}
        </span>
      </Link>
      {hit.kind !== 'name' && hit.kind !== 'text' && hit.end_frame > hit.start_frame && (
        <IconButton
          label={`Add ${hit.timecode} of ${hit.content_name} to the selects`}
          onClick={() => void addHitToSelects(hit)}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
      )}
      {canBeCut(hit) && (
        <IconButton
          label={`Add ${hit.timecode} of ${hit.content_name} to a cut (A)`}
          onClick={onAddToCut}
        >
          <ListPlus size={14} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
