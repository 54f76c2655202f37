import type { LibraryFilters } from './filters.ts'

const sorts = [
  { value: '', label: 'Newest first' },
  { value: 'added asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name' },
  { value: 'length desc', label: 'Longest first' },
  { value: 'size desc', label: 'Largest first' },
  { value: 'used desc', label: 'Last used' },
]

export function SortSelect({ filters }: { filters: LibraryFilters }) {
  const { sort, order } = filters.filter
  return (
    <select
      aria-label="Sort"
      value={sort ? `${sort} ${order ?? ''}` : ''}
      onChange={(event) => {
        const [name = '', direction = ''] = event.target.value.split(' ')
        filters.set({ sort: name || null, order: direction || null })
      }}
      className="h-7 cursor-pointer appearance-none bg-transparent pointer-coarse:h-11"
    >
      {sorts.map(({ value, label }) => (
        <option key={label} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
