import { ArrowDownUp, LayoutGrid, List, Menu as MenuIcon, Settings2, Upload } from 'lucide-react'
import type { Project } from '../../../contract/footage/projects.ts'
import { counted } from '../../app/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { totalText } from '../../clips/clip-text.ts'
import type { LibraryFilters } from './filters/filters.ts'
import { ProjectDot } from './project-dot.tsx'
import { SortSelect } from './filters/sort-select.tsx'

const views = [
  { id: 'grid', label: 'Grid', Icon: LayoutGrid },
  { id: 'list', label: 'List', Icon: List },
] as const

export function LibraryHeader({
  project,
  filters,
  total,
  cardWidth,
  onCardWidth,
  onOpen,
}: {
  project: Project | null
  filters: LibraryFilters
  total: number | null
  cardWidth: number
  onCardWidth: (width: number) => void
  /** `places`: the sidebar of a wide window. */
  onOpen: (dialog: 'places' | 'add' | 'settings') => void
}) {
  const { filter, view } = filters
  const place = filter.project_id === 'none' ? 'No project' : filter.project_id ? '…' : 'All clips'
  return (
    <header className="flex min-h-11 shrink-0 items-center gap-3 border-b border-line px-4 py-1.5">
      <IconButton label="Projects" className="-ml-2 md:hidden" onClick={() => onOpen('places')}>
        <MenuIcon size={16} aria-hidden />
      </IconButton>
      <h2 className="flex min-w-0 items-center gap-2 text-base font-semibold">
        {project && <ProjectDot colour={project.colour} />}
        <span className="truncate">{project?.name ?? place}</span>
      </h2>
      {project && (
        <IconButton label="Project settings" onClick={() => onOpen('settings')}>
          <Settings2 size={14} aria-hidden />
        </IconButton>
      )}
      {total !== null && (
        <p className="figures shrink-0 text-sm text-ink-3 max-sm:hidden">
          {counted(total, 'clip')}
          {project && project.seconds > 0 && ` · ${totalText(project.seconds)}`}
        </p>
      )}
      <span className="grow" />
      <span className="flex items-center gap-1.5 text-sm text-ink-2 max-sm:hidden">
        <ArrowDownUp size={14} aria-hidden />
        <SortSelect filters={filters} />
      </span>
      <ViewSwitch filters={filters} />
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
