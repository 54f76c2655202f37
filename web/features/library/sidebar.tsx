import { Bookmark, CircleAlert, Clapperboard, Inbox, Loader, Plus, Upload, X } from 'lucide-react'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import type { ContentFilter } from '../../../contract/footage/content.ts'
import type { Project } from '../../../contract/footage/projects.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { clipsDragged } from './drag.ts'
import { ProjectDot } from './project-dot.tsx'
import type { useProjects } from './projects.ts'
import type { SavedFilter, useSavedFilters } from './filters/saved-filters.ts'

/** Where the clips are: everything, no project, what failed, each project, and saved filters. */
export function Sidebar({
  filter,
  query,
  projects,
  filters,
  onShow,
  onShowSaved,
  onNewProject,
  onDrop,
}: {
  filter: ContentFilter
  /** The address's query, to tell which saved filter is on. */
  query: string
  projects: ReturnType<typeof useProjects>
  filters: ReturnType<typeof useSavedFilters>
  onShow: (change: { project_id: string | null; analysed: string | null }) => void
  onShowSaved: (filter: SavedFilter) => void
  onNewProject: () => void
  /** Clips were dropped on a project, or on "No project". */
  onDrop: (ids: string[], project: Project | null) => void
}) {
  const show = (project_id: string | null, analysed: string | null = null) =>
    onShow({ project_id, analysed })
  const open = projects.projects.find(({ id }) => id === filter.project_id)
  const total = projects.projects.reduce((sum, { item_count: count }) => sum + count, 0)
  const { unfiledCount: unfiled } = projects
  return (
    <div className="flex min-h-full flex-col">
      <nav aria-label="Projects" className="flex flex-col gap-0.5 p-2">
        <Place
          icon={<Clapperboard size={15} aria-hidden />}
          isCurrent={!filter.project_id && !filter.analysed}
          count={unfiled === undefined ? undefined : total + unfiled}
          onShow={() => show(null)}
        >
          All clips
        </Place>
        <Place
          icon={<Inbox size={15} aria-hidden />}
          isCurrent={filter.project_id === 'none'}
          count={unfiled}
          dropId="none"
          onShow={() => show('none')}
          onDropClips={(ids) => onDrop(ids, null)}
        >
          No project
        </Place>
        {states.map(({ id, label, Icon }) => (
          <Place
            key={id}
            icon={<Icon size={15} aria-hidden />}
            isCurrent={filter.analysed === id && !filter.project_id}
            onShow={() => show(null, id)}
          >
            {label}
          </Place>
        ))}
        <Projects
          projects={projects}
          current={filter.project_id}
          onShow={show}
          onNew={onNewProject}
          onDrop={onDrop}
        />
        <SavedFilters filters={filters} query={query} onShow={onShowSaved} />
      </nav>
      <DropHint place={open?.name ?? 'your library'} />
    </div>
  )
}

function DropHint({ place }: { place: string }) {
  return (
    <p className="m-2 mt-auto flex gap-2.5 rounded-md border border-dashed border-line-strong/60 p-2.5 text-xs text-ink-3 pointer-coarse:hidden">
      <Upload size={14} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        Drop files or folders anywhere. They land in <span className="text-ink-2">{place}</span>.
      </span>
    </p>
  )
}

function Projects({
  projects,
  current,
  onShow,
  onNew,
  onDrop,
}: {
  projects: ReturnType<typeof useProjects>
  current: string | undefined
  onShow: (id: string) => void
  onNew: () => void
  onDrop: (ids: string[], project: Project) => void
}) {
  return (
    <>
      <div className="flex items-center justify-between pt-4 pl-2">
        <h2 className="text-xs text-ink-3">Projects</h2>
        <IconButton label="New project" onClick={onNew}>
          <Plus size={14} aria-hidden />
        </IconButton>
      </div>
      {projects.isPending && <Skeleton className="h-16" />}
      {projects.isError && (
        <button type="button" onClick={projects.retry} className="px-2 text-left text-sm text-bad">
          Could not load projects. Retry
        </button>
      )}
      {projects.projects.map((project) => (
        <Place
          key={project.id}
          icon={<ProjectDot colour={project.colour} />}
          isCurrent={current === project.id}
          count={project.item_count}
          dropId={project.id}
          onShow={() => onShow(project.id)}
          onDropClips={(ids) => onDrop(ids, project)}
        >
          {project.name}
        </Place>
      ))}
      {!projects.isPending && projects.projects.length === 0 && (
        <Place icon={<Plus size={14} aria-hidden />} isCurrent={false} onShow={onNew}>
          New project
        </Place>
      )}
    </>
  )
}

const states = [
  { id: 'running', label: 'Running', Icon: Loader },
  { id: 'failed', label: 'Failed', Icon: CircleAlert },
] as const

function SavedFilters({
  filters,
  query,
  onShow,
}: {
  filters: ReturnType<typeof useSavedFilters>
  query: string
  onShow: (filter: SavedFilter) => void
}) {
  if (filters.saved.length === 0) return null
  return (
    <>
      <h2 className="flex h-7 items-end pt-4 pl-2 text-xs text-ink-3">Saved filters</h2>
      {filters.saved.map((saved) => (
        <div key={saved.name} className="group/saved relative flex flex-col">
          <Place
            icon={<Bookmark size={14} aria-hidden />}
            isCurrent={saved.filter === query}
            onShow={() => onShow(saved)}
          >
            {saved.name}
          </Place>
          <IconButton
            label={`Remove filter ${saved.name}`}
            className="absolute! top-0.5 right-0 opacity-0 group-hover/saved:opacity-100 focus:opacity-100 pointer-coarse:opacity-100"
            onClick={() => filters.remove(saved)}
          >
            <X size={13} aria-hidden />
          </IconButton>
        </div>
      ))}
    </>
  )
}

function Place({
  icon,
  isCurrent,
  count,
  dropId,
  onShow,
  onDropClips,
  children,
}: {
  icon: ReactNode
  isCurrent: boolean
  count?: number | undefined
  /** Files that are dropped here are added to this project. */
  dropId?: string
  onShow: () => void
  onDropClips?: (ids: string[]) => void
  children: string
}) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    if (!onDropClips || !clipsDragged(event)) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    setOver(false)
    const ids = clipsDragged(event)
    if (!ids || !onDropClips) return
    event.preventDefault()
    onDropClips(ids)
  }
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      title={children}
      data-drop-project={dropId}
      onClick={onShow}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'flex h-8 items-center gap-2.5 rounded-md border px-2 text-left text-sm pointer-coarse:h-11',
        isOver ? 'border-brand' : 'border-transparent',
        isCurrent ? 'bg-hover font-medium' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <span className="grid w-4 shrink-0 place-items-center text-ink-3">{icon}</span>
      <span className="grow truncate">{children}</span>
      {count !== undefined && (
        <span className="figures text-xs text-ink-3">{count.toLocaleString('en-US')}</span>
      )}
    </button>
  )
}
