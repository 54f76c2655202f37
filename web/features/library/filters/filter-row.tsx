import { ChevronDown, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { standardRates } from '../../../../domain/time/timecode.ts'
import { classes } from '../../../ui/classes.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import { SearchField } from '../../../ui/field.tsx'
import { addedOptions } from './added-since.ts'
import { useKeywords } from '../keywords-dialog.tsx'
import type { LibraryFilters } from './filters.ts'
import { SortSelect } from './sort-select.tsx'

const typingPauseMs = 250
/** The field that the key / goes to. */
export const searchFieldId = 'library-search'

const choices = {
  kind: {
    label: 'Type',
    options: [
      ['video', 'Video'],
      ['audio', 'Sound'],
      ['image', 'Image'],
      ['document', 'Document'],
    ],
  },
  rate: { label: 'Rate', options: rateOptions() },
  analysed: {
    label: 'Analysis',
    options: [
      ['yes', 'Analysed'],
      ['no', 'Not analysed'],
      ['running', 'Running'],
      ['failed', 'Failed'],
    ],
  },
  speech: {
    label: 'Speech',
    options: [
      ['yes', 'Has speech'],
      ['no', 'No speech found'],
    ],
  },
} as const satisfies Record<
  string,
  { label: string; options: readonly (readonly [string, string])[] }
>

const ratings = [
  ['0', 'Not rejected'],
  ...[1, 2, 3, 4, 5].map((stars) => [String(stars), '★'.repeat(stars)] as const),
  ['rejected', 'Rejected'],
] as const

/** Search in names, and filters as chips: filled is on, × removes. */
export function FilterRow({ filters, onSave }: { filters: LibraryFilters; onSave: () => void }) {
  const { filter, active } = filters
  const keywords = useKeywords()
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4 py-1.5 max-sm:flex-col max-sm:items-stretch">
      <NameField value={filter.q ?? ''} onChange={(q) => filters.set({ q })} />
      <div className="flex min-w-0 grow scroll-bare items-center gap-2 overflow-x-auto max-sm:-mx-4 max-sm:px-4">
        <span className="flex h-7 shrink-0 items-center text-sm text-ink-2 sm:hidden pointer-coarse:h-11">
          <SortSelect filters={filters} />
        </span>
        {(Object.keys(choices) as (keyof typeof choices)[]).map((name) => (
          <FilterChip
            key={name}
            label={choices[name].label}
            options={choices[name].options}
            value={filter[name] ?? ''}
            onChange={(value) => filters.set({ [name]: value })}
          />
        ))}
        <FilterChip
          label="Rating"
          options={ratings}
          value={filter.max_rating ? 'rejected' : String(filter.min_rating ?? '')}
          onChange={(value) =>
            filters.set(
              value === 'rejected'
                ? { min_rating: null, max_rating: '-1' }
                : { min_rating: value, max_rating: null },
            )
          }
        />
        {(keywords.length > 0 || filter.keyword) && (
          <FilterChip
            label="Keyword"
            options={[...new Set([...keywords, ...(filter.keyword ? [filter.keyword] : [])])].map(
              (word) => [word, word] as const,
            )}
            value={filter.keyword ?? ''}
            onChange={(keyword) => filters.set({ keyword })}
          />
        )}
        <FilterChip
          label="Added"
          options={addedOptions(filters.added)}
          value={filters.added}
          onChange={(added_from) => filters.set({ added_from })}
        />
        {active.length > 0 && (
          <span className="ml-auto flex shrink-0 items-center gap-4 pl-2 text-sm text-ink-3">
            <button
              type="button"
              onClick={onSave}
              className="hover:text-ink pointer-coarse:min-h-11"
            >
              Save filter
            </button>
            <button
              type="button"
              onClick={filters.clear}
              className="hover:text-ink pointer-coarse:min-h-11"
            >
              Clear filters
            </button>
          </span>
        )}
      </div>
    </div>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (text === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text
      onChange(text)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <SearchField
      id={searchFieldId}
      label="Search clips by name"
      placeholder="Name…"
      value={text}
      onValue={setText}
      className="w-65 shrink-0 max-sm:w-full"
      fieldClassName="pr-8!"
    >
      <span className="absolute top-1/2 right-2 -translate-y-1/2">
        <Kbd>/</Kbd>
      </span>
    </SearchField>
  )
}

/** The browser's own select inside a chip: best on every touch device. */
function FilterChip({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly (readonly [string, string])[]
  value: string
  onChange: (value: string | null) => void
}) {
  return (
    <span className={chipClass(value !== '')}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value || null)}
        className={classes(
          'field-sizing-content h-full cursor-pointer appearance-none bg-transparent pl-3 outline-offset-0',
          value === '' ? '-mr-6 pr-7' : 'pr-1',
        )}
      >
        <option value="">{label}</option>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      {value === '' ? (
        <ChevronDown size={13} aria-hidden className="pointer-events-none mr-2.5" />
      ) : (
        <Remove label={label} onRemove={() => onChange(null)} />
      )}
    </span>
  )
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove filter ${label}`}
      onClick={onRemove}
      className="grid h-full w-7 place-items-center pointer-coarse:w-11"
    >
      <X size={13} aria-hidden />
    </button>
  )
}

function chipClass(isOn: boolean): string {
  return classes(
    'inline-flex h-7 shrink-0 items-center rounded-full border text-sm pointer-coarse:h-11',
    isOn ? 'border-brand bg-brand-wash text-brand-ink' : 'border-line text-ink-2 hover:text-ink',
  )
}

function rateOptions(): [string, string][] {
  const seen = new Set<string>()
  return standardRates.flatMap(({ rate, label }) => {
    if (seen.has(rate)) return []
    seen.add(rate)
    return [[rate, `${label.split(' ')[0]} fps`] as [string, string]]
  })
}
