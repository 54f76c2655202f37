import { counted } from '../../app/format.ts'
import { AddContentDialog } from '../../features/content/add-content-dialog.tsx'
import { AnalyseClips } from '../../features/analyse/analyse-clips.tsx'
import { MoveDialog } from '../../features/library/bins/move-dialog.tsx'
import { NameDialog } from '../../features/library/bins/name-dialog.tsx'
import { ExportDialog } from '../../features/export/export-dialog.tsx'
import { clipsExport } from '../../features/library/export-subject.ts'
import { KeywordsDialog } from '../../features/library/keywords-dialog.tsx'
import { gridKeys } from '../../features/library/library-shortcuts.ts'
import { ProjectDialog } from '../../features/library/project-dialog.tsx'
import { SyncDialog } from '../../features/syncs/sync-dialog.tsx'
import { ShortcutsDialog } from '../../keys/shortcuts.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { useBuyCredits } from '../buy-credits.tsx'
import type { LibraryScreen } from './library-screen.ts'

/** Everything of the library that is asked in a dialog. */
export function LibraryDialogs({
  library,
  onPlaced,
}: {
  library: LibraryScreen
  onPlaced: (batchId: string) => void
}) {
  const { open, close, ids, project, place, filters, saved } = library
  return (
    <>
      {open === 'add' && <AddContentDialog place={place} onClose={close} />}
      <SelectionDialogs library={library} onPlaced={onPlaced} />
      {open === 'saveFilter' && (
        <NameDialog
          title="Save filter"
          description="It stands in the sidebar and shows what matches then."
          maxLength={80}
          onClose={close}
          onSave={(name) => saved.add({ name, filter: filters.query })}
        />
      )}
      {open === 'shortcuts' && (
        <ShortcutsDialog shortcuts={[...gridKeys, ...library.shortcuts]} onClose={close} />
      )}
      {(open === 'newProject' || open === 'settings') && (
        <ProjectDialog
          project={open === 'settings' ? project : null}
          onClose={close}
          onSaved={(result) => {
            if (open === 'settings') return
            if (ids.length > 0) {
              const target = { project_id: result.id, bin_id: null }
              void library.changes.move(ids, target, result.name)
            } else filters.set({ project_id: result.id, analysed: null })
          }}
          onDeleted={() => filters.set({ project_id: null })}
        />
      )}
      <DeleteQuestion library={library} />
    </>
  )
}

function SelectionDialogs({
  library,
  onPlaced,
}: {
  library: LibraryScreen
  onPlaced: (batchId: string) => void
}) {
  const { open, close, ids, project, selection, clips } = library
  const buyCredits = useBuyCredits()
  return (
    <>
      {open === 'analyse' && (
        <AnalyseClips
          ids={ids}
          project={project}
          onClose={close}
          onPlaced={(id) => {
            onPlaced(id)
            selection.clear()
          }}
          onBuyCredits={buyCredits.viewAll}
        />
      )}
      {open === 'sync' && (
        <SyncDialog ids={ids} onClose={close} onBuyCredits={buyCredits.viewAll} />
      )}
      {open === 'export' && (
        <ExportDialog subject={clipsExport(ids, selection.seconds, project)} onClose={close} />
      )}
      {open === 'move' && (
        <MoveDialog
          title={`Move ${counted(ids.length, 'clip')}`}
          projects={library.projects.projects}
          bins={library.bins}
          onMove={(target) => library.move(target)}
          onNewProject={() => library.setOpen('newProject')}
          onClose={close}
        />
      )}
      {open === 'keywords' && (
        <KeywordsDialog
          count={ids.length}
          clips={clips.clips.filter(({ id }) => selection.isSelected(id))}
          onSave={(marks) => library.changes.mark(ids, marks)}
          onClose={close}
        />
      )}
      {buyCredits.dialogs}
    </>
  )
}

function DeleteQuestion({ library }: { library: LibraryScreen }) {
  const { ids, changes, selection, close } = library
  const isOne = ids.length === 1
  const clips = isOne ? 'this content' : `these ${ids.length.toLocaleString('en-US')} clips`
  return (
    <AlertDialog
      open={library.open === 'delete'}
      onClose={close}
      title={isOne ? 'Delete content' : `Delete ${counted(ids.length, 'clip')}`}
      question={`Are you sure you want to delete ${clips}? This action cannot be undone.`}
      confirmLabel="Delete"
      busy={changes.isDeleting}
      onConfirm={() =>
        void changes.remove(ids).then(() => {
          selection.clear()
          close()
          return undefined
        })
      }
    />
  )
}
