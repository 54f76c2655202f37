/** Searches what is said in the project's clips and adds it to the cut. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Search, X } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import type { CutRange } from '../../../domain/cuts/cut.ts'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { controlClass } from '../../ui/field.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import type { CutActions } from './cut-actions.ts'
import { rangeOfHit } from './hit-range.ts'
import { sourceKey } from './source-keys.ts'

const maxHits = 100

export function SourcesPanel({
  projectId,
  projectName,
  ranges,
  actions,
  onPreview,
  onClose,
}: {
  projectId: string | null
  projectName: string
  ranges: readonly CutRange[]
  actions: CutActions
  onPreview: (hit: SearchHit) => void
  /** Where it is a sheet over the screen. */
  onClose?: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isWide, setWide] = useState(false)
  const [isUnusedOnly, setUnusedOnly] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(typed.trim())
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: ['cut-sources', q, isWide ? null : projectId],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.search(
        {
          query: {
            q,
            limit: maxHits,
            ...(isWide || !projectId ? {} : { project_id: projectId }),
          },
        },
        { signal },
      ),
  })
  const hits = useMemo(
    () =>
      (q ? (data?.hits ?? []) : [])
        .filter(isPlayable)
        .map((hit) => ({ hit, isUsed: isUsed(hit, ranges) }))
        .filter((item) => !isUnusedOnly || !item.isUsed),
    [data, q, ranges, isUnusedOnly],
  )
  const chosen = Math.min(at, Math.max(0, hits.length - 1))
  const add = (index: number, where: 'line' | 'end') => {
    const item = hits[index]
    const range = item && rangeOfHit(item.hit)
    if (range) actions.add([range], where)
  }
  const onKeyDown = (event: KeyboardEvent) => {
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
      if (hit) onPreview(hit)
    } else {
      // From the field the arrows lead into the list, where single keys work.
      const step = does === 'previous' ? -1 : isTyping ? 0 : 1
      const next = Math.min(hits.length - 1, chosen + step)
      setAt(Math.max(0, next))
      if (next < 0) document.getElementById('search-sources')?.focus()
      else document.querySelectorAll<HTMLElement>('[data-hit]')[next]?.focus()
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <section
      aria-label="Sources"
      onKeyDown={onKeyDown}
      className="flex min-h-0 grow flex-col bg-panel"
    >
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-3 pointer-coarse:h-13">
        <h2 className="font-semibold max-sm:sr-only">Sources</h2>
        <label className="relative min-w-0 grow">
          <Search
            size={14}
            aria-hidden
            className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
          />
          <input
            id="search-sources"
            type="search"
            aria-label="Search the project’s clips"
            placeholder="Search what is said…"
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
            }}
            className={`${controlClass} h-7! pr-24! pl-8! pointer-coarse:h-11! max-sm:pr-2! [&::-webkit-search-cancel-button]:hidden`}
          />
          <span className="pointer-events-none absolute top-1/2 right-2 flex -translate-y-1/2 items-center gap-2 text-xs whitespace-nowrap text-ink-3 max-sm:hidden">
            {q && data && <span role="status">{counted(hits.length, 'hit')}</span>}
            <Kbd>F</Kbd>
          </span>
        </label>
        {projectId && !onClose && (
          <Chip isOn={!isWide} onClick={() => setWide(!isWide)}>
            <span className="max-w-32 truncate">{projectName}</span>
          </Chip>
        )}
        <Chip isOn={isUnusedOnly} onClick={() => setUnusedOnly(!isUnusedOnly)}>
          Unused only
        </Chip>
        {onClose && (
          <IconButton label="Close the sources" onClick={onClose}>
            <X size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      {isError ? (
        <p className="p-4 text-ink-2">
          Search isn’t responding.{' '}
          <button type="button" className="text-brand-ink underline" onClick={() => void refetch()}>
            Retry
          </button>
        </p>
      ) : hits.length === 0 ? (
        <p className="p-4 text-ink-3">
          {!q
            ? 'Type words that are said. ↑ and ↓ choose, Space previews, A adds.'
            : isFetching
              ? 'Searching…'
              : `Nothing found for “${q}”${isWide ? '' : ' in this project'}.`}
        </p>
      ) : (
        <>
          <ul aria-label="Hits" className="min-h-0 grow overflow-y-auto">
            {hits.map(({ hit, isUsed: used }, index) => (
              <HitRow
                key={`${hit.job_id} ${hit.kind} ${hit.start_frame}`}
                hit={hit}
                isUsed={used}
                isChosen={index === chosen}
                onChoose={() => setAt(index)}
                onAdd={() => add(index, 'line')}
                onDrag={(event) => {
                  const range = rangeOfHit(hit)
                  // A finger scrolls the hits; it adds with the button.
                  if (!range || event.pointerType === 'touch') return
                  actions.drag.start(event, { kind: 'new', range })
                }}
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
                  hits.flatMap(({ hit }): NewRange[] => {
                    const range = rangeOfHit(hit)
                    return range ? [range] : []
                  }),
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

function Chip({
  isOn,
  onClick,
  children,
}: {
  isOn: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classes(
        'flex h-6 shrink-0 items-center rounded-full border px-2.5 text-xs whitespace-nowrap pointer-coarse:h-11',
        isOn
          ? 'border-brand bg-brand-wash text-brand-ink'
          : 'border-line text-ink-2 hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}

function HitRow({
  hit,
  isUsed: used,
  isChosen,
  onChoose,
  onAdd,
  onDrag,
}: {
  hit: SearchHit
  isUsed: boolean
  isChosen: boolean
  onChoose: () => void
  onAdd: () => void
  onDrag: (event: PointerEvent) => void
}) {
  return (
    <li
      onPointerDown={onDrag}
      className={classes(
        'flex items-center gap-3 border-b border-l-2 border-line py-1.5 pr-3 pl-2.5',
        '-outline-offset-2 outline-focus has-[[data-hit]:focus-visible]:outline-2',
        isChosen ? 'border-l-brand bg-brand-wash' : 'border-l-transparent hover:bg-hover',
      )}
    >
      {hit.still_url ? (
        <img
          src={hit.still_url}
          alt=""
          loading="lazy"
          className="h-[34px] w-15 shrink-0 rounded-sm bg-surround object-contain"
        />
      ) : (
        <span aria-hidden className="h-[34px] w-15 shrink-0 rounded-sm bg-surround" />
      )}
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
          <Marked text={hit.text} ranges={hit.highlights} />
        </span>
        <span className="flex gap-2 text-xs text-ink-3">
          <span className="truncate">{hit.content_name}</span>
          <span className="timecode whitespace-nowrap">{hit.timecode}</span>
        </span>
      </button>
      {used && <span className="text-xs whitespace-nowrap text-ink-3">in the cut</span>}
      {isChosen ? (
        <Button onClick={onAdd} aria-label={`Add ${hit.timecode} of ${hit.content_name}`}>
          Add <Kbd>A</Kbd>
        </Button>
      ) : (
        <IconButton
          label={`Add ${hit.timecode} of ${hit.content_name}`}
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

function Marked({ text, ranges }: { text: string; ranges: SearchHit['highlights'] }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of ranges) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className="bg-transparent font-semibold text-brand-ink">
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}

function isPlayable(hit: SearchHit): boolean {
  return rangeOfHit(hit) !== null
}

function isUsed(hit: SearchHit, ranges: readonly CutRange[]): boolean {
  return ranges.some(
    (range) =>
      range.content_id === hit.content_id &&
      range.in < hit.end_frame &&
      range.out > hit.start_frame,
  )
}
