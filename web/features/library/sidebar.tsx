import { CircleAlert, Clapperboard, Inbox, Loader, Plus } from 'lucide-react'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import type { ContentFilter } from '../../../contract/content.ts'
import type { Project } from '../../../contract/projects.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { clipsDragged } from './drag.ts'
import { ProjectDot } from './project-dot.tsx'
import type { useProjects } from './projects.ts'

/** Where the clips are: everything, no project, what failed, and each project. */
export function Sidebar({
  filter,
  projects,
  onShow,
  onNewProject,
  onDrop,
}: {
  filter: ContentFilter
  projects: ReturnType<typeof useProjects>
  onShow: (change: { project_id: string | null; analysed: string | null }) => void
  onNewProject: () => void
  /** Clips were dropped on a project, or on "No project". */
  onDrop: (ids: string[], project: Project | null) => void
}) {
  const show = (project_id: string | null, analysed: string | null = null) =>
    onShow({ project_id, analysed })
  const isAll = !filter.project_id && !filter.analysed
  return (
    <nav aria-label="Projects" className="flex flex-col gap-0.5 overflow-y-auto p-2">
      <Place
        icon={<Clapperboard size={15} aria-hidden />}
        isCurrent={isAll}
        onShow={() => show(null)}
      >
        All clips
      </Place>
      <Place
        icon={<Inbox size={15} aria-hidden />}
        isCurrent={filter.project_id === 'none'}
        count={projects.unfiledCount}
        onShow={() => show('none')}
        onDropClips={(ids) => onDrop(ids, null)}
      >
        No project
      </Place>
      <Place
        icon={<Loader size={15} aria-hidden />}
        isCurrent={filter.analysed === 'running' && !filter.project_id}
        onShow={() => show(null, 'running')}
      >
        Running
      </Place>
      <Place
        icon={<CircleAlert size={15} aria-hidden />}
        isCurrent={filter.analysed === 'failed' && !filter.project_id}
        onShow={() => show(null, 'failed')}
      >
        Failed
      </Place>
      <div className="flex items-center justify-between pt-4 pl-2">
        <h2 className="text-xs text-ink-3">Projects</h2>
        <IconButton label="New project" onClick={onNewProject}>
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
          isCurrent={filter.project_id === project.id}
          count={project.item_count}
          onShow={() => show(project.id)}
          onDropClips={(ids) => onDrop(ids, project)}
        >
          {project.name}
        </Place>
      ))}
      <Place icon={<Plus size={14} aria-hidden />} isCurrent={false} onShow={onNewProject}>
        New project
      </Place>
    </nav>
  )
}

function Place({
  icon,
  isCurrent,
  count,
  onShow,
  onDropClips,
  children,
}: {
  icon: ReactNode
  isCurrent: boolean
  count?: number
  onShow: () => void
  onDropClips?: (ids: string[]) => void
  children: ReactNode
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
