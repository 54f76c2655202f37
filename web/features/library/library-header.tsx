import { ArrowDownUp, LayoutGrid, List, Menu as MenuIcon, Settings2, Upload } from 'lucide-react'
import type { Bin, Project } from '../../../contract/footage/projects.ts'
import { counted, totalText } from '../../app/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import type { LibraryFilters } from './filters/filters.ts'
import { ProjectDot } from './project-dot.tsx'
import { SortSelect } from './filters/sort-select.tsx'

const views = [
  { id: 'grid', label: 'Grid', Icon: LayoutGrid },
  { id: 'list', label: 'List', Icon: List },
] as const

export function LibraryHeader({
  project,
  bins,
  filters,
  total,
  onOpen,
}: {
  project: Project | null
  /** The way from the project to the bin that is shown. */
  bins: readonly Bin[]
  filters: LibraryFilters
  total: number | null
  /** `places`: the sidebar of a wide window. */
  onOpen: (dialog: 'places' | 'add' | 'settings') => void
}) {
  const { filter } = filters
  const place = filter.project_id === 'none' ? 'No project' : filter.project_id ? '…' : 'All clips'
  const bin = bins.at(-1)
  const parent = bins.at(-2)
  const outer = bin && { bin_id: parent?.id ?? null, name: parent?.name ?? project?.name }
  return (
    <header className="flex min-h-11 shrink-0 items-center gap-3 border-b border-line px-4 py-1.5">
      <IconButton label="Projects" className="-ml-2 md:hidden" onClick={() => onOpen('places')}>
        <MenuIcon size={16} aria-hidden />
      </IconButton>
      {project && <ProjectDot colour={project.colour} />}
      {project && outer && (
        <button
          type="button"
          className="max-w-60 truncate text-ink-2 hover:text-ink max-sm:hidden"
          onClick={() => filters.set({ project_id: project.id, bin_id: outer.bin_id })}
        >
          {outer.name} /
        </button>
      )}
      <h2 className="min-w-0 truncate text-base font-semibold">
        {bin?.name ?? project?.name ?? place}
      </h2>
      {project && (
        <IconButton label="Project settings" onClick={() => onOpen('settings')}>
          <Settings2 size={14} aria-hidden />
        </IconButton>
      )}
      {total !== null && (
        <p className="figures shrink-0 text-sm text-ink-3 max-sm:hidden">
          {counted(total, 'clip')}
          {project && !bin && project.seconds > 0 && ` · ${totalText(project.seconds)}`}
        </p>
      )}
      <span className="grow" />
      <span className="flex items-center gap-1.5 text-sm text-ink-2 max-sm:hidden">
        <ArrowDownUp size={14} aria-hidden />
        <SortSelect filters={filters} />
      </span>
      <ViewSwitch filters={filters} />
      <Button look="primary" onClick={() => onOpen('add')}>
        <Upload size={14} aria-hidden /> Upload <Kbd>U</Kbd>
      </Button>
    </header>
  )
}

function ViewSwitch({ filters }: { filters: LibraryFilters }) {
  return (
    <div role="group" aria-label="View" className="flex max-sm:hidden">
      {views.map(({ id, label, Icon }) => (
        <IconButton
          key={id}
          label={label}
          aria-pressed={filters.view === id}
          className={filters.view === id ? 'bg-hover! text-ink!' : ''}
          onClick={() => filters.set({ view: id === 'grid' ? null : id })}
        >
          <Icon size={14} aria-hidden />
        </IconButton>
      ))}
    </div>
  )
}
