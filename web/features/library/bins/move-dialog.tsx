import { useState } from 'react'
import type { Place } from '../../../../contract/footage/content.ts'
import type { Bin, Project } from '../../../../contract/footage/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchField } from '../../../ui/field.tsx'
import { ProjectDot } from '../project-dot.tsx'
import { binPath, isWithin } from './bins.ts'

/** Where clips or a bin go: projects with their bins, narrowed by typing; Enter takes the first. */
export function MoveDialog({
  title,
  projects,
  bins,
  bin,
  onMove,
  onNewProject,
  onClose,
}: {
  title: string
  projects: readonly Project[]
  bins: readonly Bin[]
  /** The bin that is moved: within its project, and not into itself. */
  bin?: Bin
  onMove: (place: Place) => void
  onNewProject?: () => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const shown = placesFor(projects, bins, bin).filter(({ name }) =>
    name.toLowerCase().includes(needle),
  )
  const take = (place: Place | undefined) => {
    if (!place) return
    onMove(place)
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={title}
      action={onNewProject && <Button onClick={onNewProject}>New project…</Button>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          take(shown[0]?.place)
        }}
      >
        <SearchField label="Find a place" value={text} onValue={setText} />
      </form>
      <ul aria-label="Places" className="-mx-2 mt-2 max-h-80 overflow-y-auto">
        {shown.map(({ place, name, project, depth }) => (
          <li key={`${place.project_id} ${place.bin_id}`}>
            <button
              type="button"
              onClick={() => take(place)}
              style={{ paddingLeft: 8 + depth * 16 }}
              className="flex h-8 w-full items-center gap-2.5 rounded-sm pr-2 text-left text-sm hover:bg-hover pointer-coarse:h-11"
            >
              {project && <ProjectDot colour={project.colour} />}
              <span className="truncate">{name}</span>
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="px-2 text-sm text-ink-3">Nothing of that name</li>}
      </ul>
    </Dialog>
  )
}

function placesFor(projects: readonly Project[], bins: readonly Bin[], moved: Bin | undefined) {
  const inProjects = projects
    .filter(({ id }) => !moved || id === moved.project_id)
    .flatMap((project) => [
      { place: { project_id: project.id, bin_id: null }, name: project.name, project, depth: 0 },
      ...bins
        .filter((bin) => bin.project_id === project.id)
        .filter((bin) => !moved || !isWithin(bins, bin.id, moved.id))
        .map((bin) => ({
          place: { project_id: project.id, bin_id: bin.id },
          name: bin.name,
          project: null,
          depth: binPath(bins, bin.id).length,
        })),
    ])
  const nowhere = { place: { project_id: null, bin_id: null }, name: 'No project' }
  return moved ? inProjects : [...inProjects, { ...nowhere, project: null, depth: 0 }]
}
