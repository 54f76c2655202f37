import {
  Bookmark,
  CircleAlert,
  Clapperboard,
  Folder,
  Inbox,
  Loader,
  Plus,
  Upload,
} from 'lucide-react'
import { useState } from 'react'
import type { ContentFilter, Place } from '../../../contract/footage/content.ts'
import type { Bin, Project } from '../../../contract/footage/projects.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { IconButton } from '../../ui/button.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { binPath, countIn, isWithin, useChangeBin } from './bins/bins.ts'
import { MoveDialog } from './bins/move-dialog.tsx'
import { NameDialog } from './bins/name-dialog.tsx'
import { PlaceButton } from './bins/place-button.tsx'
import { dragBin } from './drag.ts'
import { ProjectDot } from './project-dot.tsx'
import type { useProjects } from './projects.ts'
import type { SavedFilter, useSavedFilters } from './filters/saved-filters.ts'

interface Props {
  filter: ContentFilter
  /** The address's query, to tell which saved filter is on. */
  query: string
  projects: ReturnType<typeof useProjects>
  bins: readonly Bin[]
  filters: ReturnType<typeof useSavedFilters>
  onShow: (change: Partial<Record<'project_id' | 'bin_id' | 'analysed', string | null>>) => void
  onShowSaved: (filter: SavedFilter) => void
  onNewProject: () => void
  /** Clips were dropped on a project, a bin, or "No project". */
  onDrop: (ids: string[], place: Place) => void
}

const nowhere: Place = { project_id: null, bin_id: null }

/** Where the clips are: everything, no project, what failed, projects with bins, saved filters. */
export function Sidebar(props: Props) {
  const { filter, projects } = props
  const show = (project_id: string | null, analysed: string | null = null) =>
    props.onShow({ project_id, bin_id: null, analysed })
  const project = projects.projects.find(({ id }) => id === filter.project_id)
  const bin = props.bins.find(({ id }) => id === filter.bin_id)
  const total = projects.projects.reduce((sum, { item_count: count }) => sum + count, 0)
  const { unfiledCount: unfiled } = projects
  return (
    <div className="flex min-h-full flex-col">
      <nav aria-label="Projects" className="flex flex-col gap-0.5 p-2">
        <PlaceButton
          icon={<Clapperboard size={15} aria-hidden />}
          isCurrent={!filter.project_id && !filter.analysed}
          count={unfiled === undefined ? undefined : total + unfiled}
          onShow={() => show(null)}
        >
          All clips
        </PlaceButton>
        <PlaceButton
          icon={<Inbox size={15} aria-hidden />}
          isCurrent={filter.project_id === 'none'}
          count={unfiled}
          place={nowhere}
          onShow={() => show('none')}
          onDropClips={(ids) => props.onDrop(ids, nowhere)}
        >
          No project
        </PlaceButton>
        {states.map(({ id, label, Icon }) => (
          <PlaceButton
            key={id}
            icon={<Icon size={15} aria-hidden />}
            isCurrent={filter.analysed === id && !filter.project_id}
            onShow={() => show(null, id)}
          >
            {label}
          </PlaceButton>
        ))}
        <Projects {...props} />
        <SavedFilters {...props} />
      </nav>
      <p className="m-2 mt-auto flex gap-2.5 rounded-md border border-dashed border-line-strong/60 p-2.5 text-xs text-ink-3 pointer-coarse:hidden">
        <Upload size={14} aria-hidden className="mt-0.5 shrink-0" />
        <span>
          Drop a card, folders or files.
          {project ? ' Folders become bins in ' : ' A folder becomes a project with bins'}
          <span className="text-ink-2">{bin?.name ?? project?.name}</span>.
        </span>
      </p>
    </div>
  )
}

const states = [
  { id: 'running', label: 'Running', Icon: Loader },
  { id: 'failed', label: 'Failed', Icon: CircleAlert },
] as const

/** A question about a bin that is being answered. */
type Asked = { kind: 'new'; place: Place } | { kind: 'rename' | 'move' | 'delete'; bin: Bin }

function Projects(props: Props) {
  const { projects, bins, filter, onNewProject } = props
  const [asked, setAsked] = useState<Asked | null>(null)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  /** The way to the place that is shown is open, unless it was closed by hand. */
  const isOpen = (id: string, outer: boolean) => outer !== turned.has(id)
  const turn = (id: string) => setTurned((before) => before.symmetricDifference(new Set([id])))
  return (
    <>
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
        <ProjectPlace
          key={project.id}
          {...props}
          project={project}
          own={bins.filter((bin) => bin.project_id === project.id)}
          isOpen={(bin) =>
            bin
              ? isOpen(bin.id, isWithin(bins, filter.bin_id ?? null, bin.id))
              : isOpen(project.id, filter.project_id === project.id)
          }
          onTurn={turn}
          onAsk={setAsked}
        />
      ))}
      {!projects.isPending && projects.projects.length === 0 && (
        <PlaceButton icon={<Plus size={14} aria-hidden />} isCurrent={false} onShow={onNewProject}>
          New project
        </PlaceButton>
      )}
      {asked && <Question {...props} asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type Tree = Props & {
  project: Project
  /** The bins of the project. */
  own: readonly Bin[]
  isOpen: (bin: Bin | null) => boolean
  onTurn: (id: string) => void
  onAsk: (asked: Asked) => void
}

function ProjectPlace(tree: Tree) {
  const { project, own, filter, isOpen, onAsk } = tree
  const change = useChangeBin()
  const place = { project_id: project.id, bin_id: null }
  return (
    <>
      <PlaceButton
        icon={<ProjectDot colour={project.colour} />}
        isCurrent={filter.project_id === project.id && !filter.bin_id}
        count={project.item_count}
        place={place}
        isOpen={own.length > 0 ? isOpen(null) : undefined}
        menu={<MenuItem onSelect={() => onAsk({ kind: 'new', place })}>New bin…</MenuItem>}
        onToggle={() => tree.onTurn(project.id)}
        onShow={() => tree.onShow({ project_id: project.id, bin_id: null, analysed: null })}
        onDropClips={(ids) => tree.onDrop(ids, place)}
        onDropBin={(id) => {
          if (own.some((bin) => bin.id === id))
            change.mutate({ kind: 'update', id, body: { parent_id: null } })
        }}
      >
        {project.name}
      </PlaceButton>
      {isOpen(null) && <Bins {...tree} parentId={null} depth={1} />}
    </>
  )
}

function Bins({ parentId, depth, ...tree }: Tree & { parentId: string | null; depth: number }) {
  const { own, filter, isOpen, onAsk } = tree
  const change = useChangeBin()
  return own
    .filter((bin) => bin.parent_id === parentId)
    .map((bin) => {
      const place = { project_id: bin.project_id, bin_id: bin.id }
      const ask = (kind: 'rename' | 'move' | 'delete') => () => onAsk({ kind, bin })
      const hasInner = own.some((inner) => inner.parent_id === bin.id)
      const byKey = { F2: ask('rename'), m: ask('move'), Delete: ask('delete') }
      return (
        <div key={bin.id} className="flex flex-col gap-0.5">
          <PlaceButton
            icon={<Folder size={14} aria-hidden />}
            isCurrent={filter.bin_id === bin.id}
            count={countIn(own, bin.id)}
            place={place}
            depth={depth}
            isOpen={hasInner ? isOpen(bin) : undefined}
            onToggle={() => tree.onTurn(bin.id)}
            onShow={() => tree.onShow({ ...place, analysed: null })}
            onDropClips={(ids) => tree.onDrop(ids, place)}
            onDropBin={(id) => {
              const isHere = own.some((other) => other.id === id) && !isWithin(own, bin.id, id)
              if (isHere) change.mutate({ kind: 'update', id, body: { parent_id: bin.id } })
            }}
            onDrag={(event) => dragBin(event, bin)}
            onKey={(event) => {
              const run = byKey[event.key as keyof typeof byKey]
              if (!run || event.ctrlKey || event.metaKey) return
              event.preventDefault()
              event.stopPropagation()
              run()
            }}
            menu={
              <>
                <MenuItem onSelect={() => onAsk({ kind: 'new', place })}>New bin…</MenuItem>
                <MenuItem onSelect={byKey.F2}>Rename… (F2)</MenuItem>
                <MenuItem onSelect={byKey.m}>Move… (M)</MenuItem>
                <MenuSeparator />
                <MenuItem danger onSelect={byKey.Delete}>
                  Delete…
                </MenuItem>
              </>
            }
          >
            {bin.name}
          </PlaceButton>
          {hasInner && isOpen(bin) && <Bins {...tree} parentId={bin.id} depth={depth + 1} />}
        </div>
      )
    })
}

function Question({ asked, onClose, ...props }: Props & { asked: Asked; onClose: () => void }) {
  const change = useChangeBin()
  if (asked.kind === 'new') {
    const { place } = asked
    const save = (name: string) => change.mutate({ kind: 'create', place, name })
    return <NameDialog title="New bin" maxLength={200} onSave={save} onClose={onClose} />
  }
  const { kind, bin } = asked
  const update = (body: { name?: string; parent_id?: string | null }) =>
    change.mutate({ kind: 'update', id: bin.id, body })
  if (kind === 'rename') {
    return (
      <NameDialog
        title="Rename bin"
        name={bin.name}
        maxLength={200}
        onSave={(name) => update({ name })}
        onClose={onClose}
      />
    )
  }
  if (kind === 'move') {
    return (
      <MoveDialog
        title={`Move “${bin.name}”`}
        projects={props.projects.projects}
        bins={props.bins}
        bin={bin}
        onMove={({ bin_id }) => update({ parent_id: bin_id })}
        onClose={onClose}
      />
    )
  }
  const outer = binPath(props.bins, bin.parent_id).at(-1)?.name ?? 'the project'
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete bin"
      question={`Delete the bin "${bin.name}" and those in it?`}
      note={`Its clips stay in ${outer}.`}
      confirmLabel="Delete bin"
      busy={change.isPending}
      onConfirm={() =>
        change.mutate(
          { kind: 'delete', id: bin.id },
          {
            onSuccess: () => {
              onClose()
              if (isWithin(props.bins, props.filter.bin_id ?? null, bin.id)) {
                props.onShow({ bin_id: bin.parent_id })
              }
            },
          },
        )
      }
    />
  )
}

function SavedFilters({ filters, query, onShowSaved }: Props) {
  if (filters.saved.length === 0) return null
  return (
    <>
      <h2 className="flex h-7 items-end pt-4 pl-2 text-xs text-ink-3">Saved filters</h2>
      {filters.saved.map((saved) => (
        <PlaceButton
          key={saved.name}
          icon={<Bookmark size={14} aria-hidden />}
          isCurrent={saved.filter === query}
          menu={<MenuItem onSelect={() => filters.remove(saved)}>Remove filter</MenuItem>}
          onShow={() => onShowSaved(saved)}
        >
          {saved.name}
        </PlaceButton>
      ))}
    </>
  )
}
