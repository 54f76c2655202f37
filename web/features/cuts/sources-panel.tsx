/** Searches what is said in the project's clips and adds it to the cut. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import type { CutRange } from '../../../domain/cuts/cut.ts'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { Button, Chip, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { SearchField } from '../../ui/field.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { HitStill, Marked } from '../../app/hit.tsx'
import { useCut } from './cut-context.ts'
import { rangeOfHit } from './hit-range.ts'
import { sourceKey } from './source-keys.ts'

const maxHits = 100

export function SourcesPanel({
  onPreview,
  onClose,
}: {
  onPreview: (hit: SearchHit) => Promise<void>
  /** Where it is a sheet over the screen. */
  onClose: (() => void) | undefined
}) {
  const { state, project, actions } = useCut()
  const search = useSourceSearch()
  const { hits, q, at, setAt } = search
  const chosen = Math.min(at, Math.max(0, hits.length - 1))
  const add = (index: number, where: 'line' | 'end') => {
    const item = hits[index]
    if (item) actions.add([item.range], where)
  }
  const onKeyDown = useSourceKeys({ hits, chosen, setAt, add, onPreview })
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <section
      aria-label="Sources"
      onKeyDown={onKeyDown}
      className="flex min-h-0 grow flex-col bg-panel"
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-3 pointer-coarse:h-13">
        <h2 className="font-semibold max-sm:sr-only">Sources</h2>
        <SourceField search={search} />
        {state.cut.project_id && !onClose && (
          <Chip isOn={!search.isWide} onClick={() => search.setWide(!search.isWide)}>
            <span className="max-w-32 truncate">{project?.name ?? '…'}</span>
          </Chip>
        )}
        <Chip isOn={search.isUnusedOnly} onClick={() => search.setUnusedOnly(!search.isUnusedOnly)}>
          Unused only
        </Chip>
        {onClose && (
          <IconButton label="Close the sources" onClick={onClose}>
            <X size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      {search.isError ? (
        <p className="p-4 text-ink-2">
          Search isn’t responding.{' '}
          <button
            type="button"
            className="text-brand-ink underline"
            onClick={() => void search.refetch()}
          >
            Retry
          </button>
        </p>
      ) : hits.length === 0 ? (
        <p className="p-4 text-ink-3">
          {!q
            ? 'Type words that are said. ↑ and ↓ choose, Space previews, A adds.'
            : search.isFetching
              ? 'Searching…'
              : `Nothing found for “${q}”${search.isWide ? '' : ' in this project'}.`}
        </p>
      ) : (
        <>
          <ul aria-label="Hits" className="min-h-0 grow overflow-y-auto">
            {hits.map((item, index) => (
              <HitRow
                key={`${item.hit.job_id} ${item.hit.kind} ${item.hit.start_frame}`}
                item={item}
                isChosen={index === chosen}
                onChoose={() => setAt(index)}
              />
            ))}
          </ul>
          <footer className="flex h-9 shrink-0 items-center gap-3 border-t border-line px-3 text-xs text-ink-3">
            <span className="flex items-center gap-1.5 max-sm:hidden">
              <Kbd>Space</Kbd> preview
            </span>
            <span className="flex items-center gap-1.5 max-sm:hidden">
              <Kbd>Shift A</Kbd> at the end
            </span>
            <span className="grow" />
            <Button
              look="quiet"
              onClick={() =>
                actions.add(
                  hits.map(({ range }) => range),
                  'line',
                )
              }
            >
              Add all {hits.length}
            </Button>
          </footer>
        </>
      )}
    </section>
  )
}

interface Found {
  hit: SearchHit
  range: NewRange
  isUsed: boolean
}

/** Searches the project, or with `isWide` the library, for hits that can go into a cut. */
function useSourceSearch() {
  const { state } = useCut()
  const { ranges, project_id: projectId } = state.cut
  const [typed, setTyped] = useState('')
  const [isWide, setWide] = useState(false)
  const [isUnusedOnly, setUnusedOnly] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(typed.trim())
  const scope = isWide || !projectId ? {} : { project_id: projectId }
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: ['cut-sources', q, scope],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.search({ query: { q, limit: maxHits, ...scope } }, { signal }),
  })
  const hits = useMemo(
    () =>
      (q ? (data?.hits ?? []) : []).flatMap((hit): Found[] => {
        const range = rangeOfHit(hit)
        const isUsed = range !== null && isIn(hit, ranges)
        return range && !(isUnusedOnly && isUsed) ? [{ hit, range, isUsed }] : []
      }),
    [data, q, ranges, isUnusedOnly],
  )
  const search = { typed, setTyped, isWide, setWide, isUnusedOnly, setUnusedOnly, at, setAt }
  return { ...search, q, hits, hasAnswer: data !== undefined, isFetching, isError, refetch }
}

function useSourceKeys({
  hits,
  chosen,
  setAt,
  add,
  onPreview,
}: {
  hits: readonly Found[]
  chosen: number
  setAt: (at: number) => void
  add: (index: number, where: 'line' | 'end') => void
  onPreview: (hit: SearchHit) => Promise<void>
}) {
  return (event: KeyboardEvent) => {
    const { target } = event
    const isTyping = target instanceof HTMLInputElement
    const isHit = target instanceof HTMLElement && target.dataset.hit !== undefined
    const does = sourceKey(event.nativeEvent, isTyping ? 'field' : isHit ? 'hit' : null)
    if (!does) {
      if (isTyping) event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
    const hit = hits[chosen]?.hit
    if (does === 'add') add(chosen, 'line')
    else if (does === 'addAtEnd') add(chosen, 'end')
    else if (does === 'leave') (document.activeElement as HTMLElement | null)?.blur()
    else if (does === 'preview') {
      if (hit) void onPreview(hit)
    } else {
      // From the field the arrows lead into the list, where single keys work.
      const step = does === 'previous' ? -1 : isTyping ? 0 : 1
      const next = Math.min(hits.length - 1, chosen + step)
      setAt(Math.max(0, next))
      if (next < 0) document.getElementById('search-sources')?.focus()
      else document.querySelectorAll<HTMLElement>('[data-hit]')[next]?.focus()
    }
  }
}

function SourceField({ search }: { search: ReturnType<typeof useSourceSearch> }) {
  const { q, hits } = search
  return (
    <SearchField
      id="search-sources"
      label="Search the project’s clips"
      placeholder="Search what is said…"
      value={search.typed}
      onValue={(value) => {
        search.setTyped(value)
        search.setAt(0)
      }}
      className="min-w-0 grow"
      fieldClassName="h-7! pr-24! pointer-coarse:h-11! max-sm:pr-2! [&::-webkit-search-cancel-button]:hidden"
    >
      <span className="pointer-events-none absolute top-1/2 right-2 flex -translate-y-1/2 items-center gap-2 text-xs whitespace-nowrap text-ink-3 max-sm:hidden">
        {q && search.hasAnswer && <span role="status">{counted(hits.length, 'hit')}</span>}
        <Kbd>F</Kbd>
      </span>
    </SearchField>
  )
}

function HitRow({
  item: { hit, range, isUsed },
  isChosen,
  onChoose,
}: {
  item: Found
  isChosen: boolean
  onChoose: () => void
}) {
  const { actions } = useCut()
  const label = `Add ${hit.timecode} of ${hit.content_name}`
  const onAdd = () => actions.add([range], 'line')
  const onDrag = (event: PointerEvent) => {
    // A finger scrolls the hits; it adds with the button.
    if (event.pointerType !== 'touch') actions.drag.start(event, { kind: 'new', range })
  }
  return (
    <li
      onPointerDown={onDrag}
      className={classes(
        'flex items-center gap-3 border-b border-l-2 border-line py-1.5 pr-3 pl-2.5',
        '-outline-offset-2 outline-focus has-[[data-hit]:focus-visible]:outline-2',
        isChosen ? 'border-l-brand bg-brand-wash' : 'border-l-transparent hover:bg-hover',
      )}
    >
      <HitStill url={hit.still_url} className="h-[34px] w-15 shrink-0 bg-surround object-contain" />
      <button
        type="button"
        data-hit
        data-own-keys
        aria-current={isChosen || undefined}
        tabIndex={isChosen ? 0 : -1}
        onClick={onChoose}
        onFocus={onChoose}
        className="min-w-0 grow text-left outline-none"
      >
        <span className="block truncate">
          <Marked
            text={hit.text}
            ranges={hit.highlights}
            className="bg-transparent font-semibold text-brand-ink"
          />
        </span>
        <span className="flex gap-2 text-xs text-ink-3">
          <span className="truncate">{hit.content_name}</span>
          <span className="timecode whitespace-nowrap">{hit.timecode}</span>
        </span>
      </button>
      {isUsed && <span className="text-xs whitespace-nowrap text-ink-3">in the cut</span>}
      {isChosen ? (
        <Button onClick={onAdd} aria-label={label}>
          Add <Kbd>A</Kbd>
        </Button>
      ) : (
        <IconButton
          label={label}
          onClick={(event) => {
            event.stopPropagation()
            onAdd()
          }}
        >
          <Plus size={15} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

function isIn(hit: SearchHit, ranges: readonly CutRange[]): boolean {
  return ranges.some(
    (range) =>
      range.content_id === hit.content_id &&
      range.in < hit.end_frame &&
      range.out > hit.start_frame,
  )
}
