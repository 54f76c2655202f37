import { useQueryClient } from '@tanstack/react-query'
import {
  givePassage,
  renameSpeaker,
  shownSpeakers,
} from '../../../../domain/findings/edit-speakers.ts'
import { speakerName } from '../../../../domain/findings/speakers.ts'
import { api } from '../../../app/api.ts'
import { showFailure } from '../../../app/failures.ts'
import { counted } from '../../../app/format.ts'
import { keys } from '../../../app/queries.ts'
import { showToast } from '../../../ui/toast.tsx'
import type { CorrectionState, SpeakerQuestion } from './save-corrections.ts'
import { useWorkbench } from '../workbench-context.ts'
import { SpeakerDialog } from './speaker-dialog.tsx'
import type { SpeakerScope } from './speaker-dialog.tsx'

/** Asks who speaks, and makes the answer a correction of this clip or of its whole project. */
export function SpeakerQuestionDialog({
  question: { speaker, passage },
  onClose,
}: {
  question: SpeakerQuestion
  onClose: () => void
}) {
  const { detected, corrections: state, project } = useWorkbench()
  const renameInProject = useRenameInProject(state)
  const name = (to: string, scope: SpeakerScope): void => {
    onClose()
    if (scope === 'passage' && passage) {
      state.change(givePassage(state.corrections, { ...passage, speaker: to }))
    } else if (speaker !== null && speaker !== to) {
      if (scope === 'project' && project) void renameInProject(project, { from: speaker, to })
      else state.change(renameSpeaker(state.corrections, detected, { from: speaker, to }))
    }
  }
  return (
    <SpeakerDialog
      speaker={speaker}
      known={shownSpeakers(detected, state.corrections)}
      hasPassage={passage !== null}
      projectName={project?.name ?? null}
      onName={name}
      onClose={onClose}
    />
  )
}

/** The service renames in every clip; this one is read again with the others. */
function useRenameInProject(state: CorrectionState) {
  const queries = useQueryClient()
  return async (
    project: { id: string; name: string },
    body: { from: string; to: string },
  ): Promise<void> => {
    try {
      await state.save()
      const { changed } = await api.renameSpeaker({ params: { id: project.id }, body })
      await queries.invalidateQueries({ queryKey: keys.corrections })
      const message = `${speakerName(body.from)} is ${speakerName(body.to)} in ${counted(changed, 'clip')} of ${project.name}.`
      showToast({ type: 'success', title: 'Renamed', message })
    } catch (error) {
      showFailure(error, {
        title: 'Not renamed',
        fallback: 'The service could not be reached. Nothing was changed.',
      })
    }
  }
}
