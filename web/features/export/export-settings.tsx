/** The few settings that matter: those that the format carries, and no others. */
import { standardRates } from '../../../domain/time/timecode.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { offered } from './export-choice.ts'
import type { ExportChoice } from './export-choice.ts'
import { MediaFolderField } from './media-folder.tsx'
import type { MediaFolder } from './media-folder.tsx'

interface Input {
  subject: ExportSubject
  choice: ExportChoice
  set: (change: Partial<ExportChoice>) => void
}

export function areHandlesWrong(subject: ExportSubject, choice: ExportChoice): boolean {
  return offered(subject, choice).hasHandles === true && !/^\d{1,3}$/.test(choice.handles.trim())
}

export function ExportSettings({ folder, ...input }: Input & { folder: MediaFolder }) {
  const { subject, choice } = input
  const { fixed, hasMedia, ...set } = offered(subject, choice)
  const hasSome = fixed || hasMedia || Object.values(set).some(Boolean)
  if (!hasSome) return <p className="text-sm text-ink-3">This file needs none.</p>
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {fixed && (
        <p className="text-sm sm:col-span-2">
          Sequence <span className="figures font-medium">{fixed}</span>
        </p>
      )}
      <Timeline {...input} />
      {hasMedia && (
        <div className="sm:col-span-2">
          <MediaFolderField folder={folder} />
        </div>
      )}
      <Details {...input} />
    </div>
  )
}

/** Sets the pieces of the timeline, how it counts and where it starts. */
function Timeline({ subject, choice, set }: Input) {
  const { parts, rate, start, hasHandles } = offered(subject, choice)
  return (
    <>
      {parts && (
        <Select
          label="Timeline"
          value={choice.which}
          onChange={(event) => set({ which: event.target.value })}
          options={parts}
        />
      )}
      {rate && (
        <Select
          label="Frame rate"
          value={choice.rate}
          onChange={(event) => set({ rate: event.target.value })}
          options={[
            { value: '', label: rate },
            ...standardRates.map(({ label }) => ({ value: label, label })),
          ]}
        />
      )}
      {start && (
        <TextField
          label="Start timecode"
          value={choice.start}
          placeholder={start.preset}
          onChange={(event) => set({ start: event.target.value })}
          hint={start.hint}
        />
      )}
      {hasHandles && (
        <TextField
          label="Handles, frames on each side"
          inputMode="numeric"
          value={choice.handles}
          error={
            areHandlesWrong(subject, choice) ? 'Use a number of frames from 0 to 999' : undefined
          }
          hint="As far as the source has them. For lists and texts, use the same handles as your timeline export."
          onChange={(event) => set({ handles: event.target.value })}
        />
      )}
    </>
  )
}

function Details({ subject, choice, set }: Input) {
  const setting = offered(subject, choice)
  const { hasSlates, transitions, hasMarkers, comments, hasCaptions, language } = setting
  return (
    <>
      {hasSlates && (
        <Select
          label="Clip names"
          value={choice.names}
          onChange={(event) => set({ names: event.target.value })}
          options={[
            { value: '', label: 'Numbered' },
            { value: 'slate', label: 'From the slate' },
          ]}
        />
      )}
      {transitions ? (
        <Select
          label="Transitions"
          value={choice.isCutsOnly ? 'cuts' : ''}
          onChange={(event) => set({ isCutsOnly: event.target.value === 'cuts' })}
          options={[
            { value: '', label: transitions === 1 ? 'Keep 1' : `Keep ${transitions}` },
            { value: 'cuts', label: 'Cuts only' },
          ]}
        />
      ) : null}
      {language && (
        <Select
          label="Language of the subtitles"
          value={choice.isEnglish ? 'english' : ''}
          onChange={(event) => set({ isEnglish: event.target.value === 'english' })}
          options={[
            { value: '', label: `As spoken (${language})` },
            { value: 'english', label: 'English' },
          ]}
          hint="English is translated by machine: check names and figures."
        />
      )}
      {(hasMarkers || comments || hasCaptions) && (
        <fieldset className="flex flex-wrap gap-x-4 sm:col-span-2">
          <legend className="text-sm font-medium">Markers and captions</legend>
          {hasMarkers && (
            <Checkbox
              label="Cut points, lip flap and slates as markers"
              checked={choice.hasMarkers}
              onChange={(event) => set({ hasMarkers: event.target.checked })}
            />
          )}
          {comments ? (
            <Checkbox
              label="Comments of shared links as markers"
              checked={choice.hasComments}
              onChange={(event) => set({ hasComments: event.target.checked })}
            />
          ) : null}
          {hasCaptions && (
            <Checkbox
              label="The transcript as captions"
              checked={choice.hasCaptions}
              onChange={(event) => set({ hasCaptions: event.target.checked })}
            />
          )}
        </fieldset>
      )}
    </>
  )
}
