import { Download, FolderInput, Pencil, Sparkles, Trash2, X } from 'lucide-react'
import type { Project } from '../../../contract/projects.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { totalText } from './clip-text.ts'
import { ProjectDot } from './project-dot.tsx'
import type { Selection } from './selection.ts'

/** Floats over the lower edge while clips are chosen. */
export function SelectionBar({
  selection,
  shownCount,
  projects,
  onAnalyse,
  onMove,
  onNewProject,
  onRename,
  onExport,
  onDelete,
}: {
  selection: Selection
  /** How many of the chosen ones are loaded. */
  shownCount: number
  projects: readonly Project[]
  onAnalyse: () => void
  onMove: (project: Project | null) => void
  onNewProject: () => void
  onRename: () => void
  onExport: () => void
  onDelete: () => void
}) {
  const count = selection.ids.size
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label="Selected clips"
      className="absolute inset-x-4 bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-brand/50 bg-panel px-3 py-2 shadow-float"
    >
      <p className="px-1 text-sm" aria-live="polite">
        <span className="font-semibold">{count.toLocaleString('en-US')} selected</span>
        <span className="figures text-ink-3">
          {shownCount < count && `, ${shownCount.toLocaleString('en-US')} shown`} ·{' '}
          {totalText(selection.seconds)}
        </span>
      </p>
      <Button look="primary" onClick={onAnalyse}>
        <Sparkles size={14} aria-hidden /> Analyse… <Kbd>A</Kbd>
      </Button>
      <Menu
        align="start"
        trigger={
          <Button look="quiet">
            <FolderInput size={14} aria-hidden /> Move <Kbd>M</Kbd>
          </Button>
        }
      >
        {projects.map((project) => (
          <MenuItem key={project.id} onSelect={() => onMove(project)}>
            <ProjectDot colour={project.colour} /> {project.name}
          </MenuItem>
        ))}
        {projects.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => onMove(null)}>No project</MenuItem>
        <MenuItem onSelect={onNewProject}>New project…</MenuItem>
      </Menu>
      {count === 1 && (
        <Button look="quiet" onClick={onRename}>
          <Pencil size={14} aria-hidden /> Rename <Kbd>F2</Kbd>
        </Button>
      )}
      <Button look="quiet" onClick={onExport}>
        <Download size={14} aria-hidden /> Export <Kbd>E</Kbd>
      </Button>
      <Button look="quiet" onClick={onDelete} className="text-bad!">
        <Trash2 size={14} aria-hidden /> Delete
      </Button>
      <IconButton label="Clear selection" onClick={selection.clear}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
