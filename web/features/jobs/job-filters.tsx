import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { extractorIds, extractors } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useNarrow } from '../../dom/narrow.ts'
import { followAddress } from './typed-name.ts'
import type { TypedName } from './typed-name.ts'

const statusChoices = [
  { value: '', label: 'Any status', statuses: undefined },
  { value: 'in-progress', label: 'In progress', statuses: 'queued,processing,running' },
  { value: 'completed', label: 'Completed', statuses: 'completed' },
  { value: 'failed', label: 'Failed', statuses: 'failed' },
  { value: 'canceled', label: 'Cancelled', statuses: 'canceled' },
] as const

export interface JobFilter {
  status: string
  extractor: ExtractorId | ''
  q: string
}

/** The filter is the address, so that it can be kept, shared and gone back to. */
export function useJobFilter(): {
  filter: JobFilter
  isFiltered: boolean
  change: (part: Partial<JobFilter>) => void
  clear: () => void
} {
  const [params, setParams] = useSearchParams()
  const asked = params.get('status') ?? ''
  const filter: JobFilter = {
    status: statusChoices.find(({ value }) => value === asked)?.value ?? '',
    extractor: extractorIds.find((id) => id === params.get('extractor')) ?? '',
    q: (params.get('q') ?? '').slice(0, 200),
  }
  return {
    filter,
    isFiltered: Object.values(filter).some(Boolean),
    change: (part) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(part)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace: true },
      ),
    clear: () => setParams({}, { replace: true }),
  }
}

/** The filter in the words of the list's call. */
export function toListQuery({ status, extractor, q }: JobFilter): {
  status?: string
  extractor?: ExtractorId
  q?: string
} {
  const statuses = statusChoices.find(({ value }) => value === status)?.statuses
  return {
    ...(statuses ? { status: statuses } : {}),
    ...(extractor ? { extractor } : {}),
    ...(q.trim() ? { q: q.trim() } : {}),
  }
}

export function JobFilters() {
  const { filter, isFiltered, change, clear } = useJobFilter()
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  // On a telephone the jobs come first, unless a filter is why there are so few.
  const isFolded = isNarrow && !isOpen && !isFiltered
  return (
    <search
      aria-label="Filter jobs"
      className="mb-4 grid items-end gap-3 max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <NameFilter q={filter.q} onChange={change} />
      {isNarrow && (
        <Button size="md" aria-expanded={!isFolded} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal size={14} aria-hidden /> Filter
        </Button>
      )}
      {!isFolded && (
        <>
          <Select
            label="Status"
            value={filter.status}
            onChange={(event) => change({ status: event.target.value })}
            options={statusChoices}
          />
          <Select
            label="Extractor"
            value={filter.extractor}
            onChange={(event) => change({ extractor: event.target.value as ExtractorId | '' })}
            options={[
              { value: '', label: 'Any extractor' },
              ...extractors.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          {(isFiltered || !isNarrow) && (
            <Button size="md" disabled={!isFiltered} onClick={clear} className="max-sm:col-span-2">
              Clear
            </Button>
          )}
        </>
      )}
    </search>
  )
}

const typingPauseMs = 250

/** Typing asks the server once it pauses. */
function NameFilter({ q, onChange }: { q: string; onChange: (part: { q: string }) => void }) {
  const [field, setField] = useState<TypedName>({ text: q, known: q, asked: q })
  const followed = followAddress(field, q)
  if (followed !== field) setField(followed)
  const { text } = followed
  useEffect(() => {
    if (text === q) return undefined
    const timer = setTimeout(() => {
      setField((now) => ({ ...now, asked: text }))
      onChange({ q: text })
    }, typingPauseMs)
    return () => clearTimeout(timer)
    // The handler is made again with every address; only what was typed starts the clock.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text])
  return (
    <TextField
      label="Content name"
      type="search"
      placeholder="Part of the name"
      maxLength={200}
      value={text}
      onChange={(event) => setField({ ...followed, text: event.target.value })}
    />
  )
}
