import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { CutSummary } from '../../contract/footage/cuts.ts'
import type { Project } from '../../contract/footage/projects.ts'
import { isMissingCall } from '../app/failures.ts'
import { ago, counted } from '../app/format.ts'
import { useCuts, useProjectList } from '../features/cuts/cut-list.ts'
import { lengthText } from '../features/cuts/length-text.ts'
import { ProjectDot } from '../features/library/project-dot.tsx'
import { NewCutDialog } from '../features/cuts/new-cut-dialog.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Kbd } from '../keys/kbd.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useShortcuts } from '../keys/shortcuts.tsx'

/** /cuts: every rough cut, by project. */
export function Cuts() {
  const { data, error, refetch } = useCuts()
  const projects = useProjectList()
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  useShortcuts([{ keys: ['n'], label: 'New cut', run: () => setNew(true) }])
  const byId = new Map(projects.map((project) => [project.id, project]))
  const groups = Map.groupBy(data?.cuts ?? [], (cut) => cut.project_id)
  return (
    <div className="flex grow flex-col">
      <header className="flex h-11 items-center gap-3 border-b border-line bg-panel px-4 pointer-coarse:h-14">
        <h1 className="font-semibold">Cuts</h1>
        {data && <p className="figures text-ink-3">{counted(data.cuts.length, 'cut')}</p>}
        <span className="grow" />
        <ButtonLink to="/syncs" look="quiet">
          Syncs
        </ButtonLink>
        <Button look="primary" onClick={() => setNew(true)}>
          <Plus size={14} aria-hidden /> New cut <Kbd>N</Kbd>
        </Button>
      </header>
      <div className="p-4 pt-2">
        {error ? (
          isMissingCall(error) ? (
            <EmptyState title="This server has no cuts" />
          ) : (
            <LoadFailure onRetry={() => void refetch()} />
          )
        ) : !data ? (
          <div role="status" aria-label="Loading cuts" className="flex flex-col gap-2">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
          </div>
        ) : data.cuts.length === 0 ? (
          <EmptyState
            title="No cuts yet"
            action={<Button onClick={() => setNew(true)}>New cut</Button>}
          >
            A cut puts ranges of many clips into one timeline. Start one here, or press A on a
            search hit, a select or words of a transcript.
          </EmptyState>
        ) : (
          [...groups].map(([projectId, cuts]) => (
            <section key={projectId ?? 'none'} className="mb-6">
              <h2 className="flex h-9 items-center gap-2 border-b border-line font-semibold">
                <Place project={byId.get(projectId ?? '')} isLoading={projectId !== null} />
                <span className="figures font-normal text-ink-3">{cuts.length}</span>
              </h2>
              <ul className="-mx-2 divide-y divide-line">
                {cuts.map((cut) => (
                  <Row key={cut.id} cut={cut} />
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
      {isNew && (
        <NewCutDialog
          onClose={() => setNew(false)}
          onCreated={(cut) => void navigate(`/cuts/${cut.id}`)}
        />
      )}
    </div>
  )
}

/** Leads to the clips that the cuts below are made of. */
function Place({ project, isLoading }: { project: Project | undefined; isLoading: boolean }) {
  if (!project) return isLoading ? '…' : 'No project'
  return (
    <Link
      to={`/library?project_id=${project.id}`}
      className="flex min-w-0 items-center gap-2 rounded-sm hover:underline"
    >
      <ProjectDot colour={project.colour} />
      <span className="truncate">{project.name}</span>
    </Link>
  )
}

function Row({ cut }: { cut: CutSummary }) {
  return (
    <li className="relative flex h-10 items-center gap-4 px-2 hover:bg-hover pointer-coarse:h-12">
      <Link to={`/cuts/${cut.id}`} className="row-link min-w-0 grow truncate font-medium">
        {cut.name}
      </Link>
      <span className="figures shrink-0 text-xs text-ink-3 max-sm:hidden">
        {counted(cut.range_count, 'clip')}
      </span>
      <span className="figures w-24 shrink-0 text-right text-ink-2 max-sm:w-16">
        {lengthText(cut.seconds)}
      </span>
      <span className="w-28 shrink-0 text-right text-xs text-ink-3 max-sm:w-20">
        {ago(cut.updated_at)}
      </span>
    </li>
  )
}
