import { useState } from 'react'
import { projectColours, projectLimits } from '../../../domain/project-limits.ts'
import type { Project, ProjectChanges } from '../../../contract/footage/projects.ts'
import { formatRational } from '../../../domain/time/rational.ts'
import { parseRate, rateLabel, standardRates } from '../../../domain/time/timecode.ts'
import { rateWithUnit } from '../../app/format.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ProjectDot } from './project-dot.tsx'
import { useDeleteProject, useSaveProject } from './projects.ts'

const sameAsFirst = { value: '', label: 'Same as the first clip' }
const rates = [
  sameAsFirst,
  ...standardRates.map(({ label, rate, dropFrame }) => ({
    value: `${rate} ${dropFrame}`,
    label: rateWithUnit(label),
  })),
]

const deleteClass = 'mr-auto -ml-2.5 text-bad!'

/** Name, colour, note, and the settings that the project's timelines and exports share. */
export function ProjectDialog({
  project,
  onClose,
  onSaved,
  onDeleted,
}: {
  /** Null: a new one. */
  project: Project | null
  onClose: () => void
  onSaved: (project: Project) => void
  onDeleted: () => void
}) {
  const [form, setForm] = useState(() => formOf(project))
  const [error, setError] = useState<string | undefined>()
  const [isDeleting, setDeleting] = useState(false)
  const save = useSaveProject((saved) => {
    onSaved(saved)
    onClose()
  })
  const set = (change: Partial<Form>) => {
    setError(undefined)
    setForm({ ...form, ...change })
  }
  const submit = () => {
    const terms = termsOf(form.vocabulary)
    if (!form.name.trim()) setError('Please enter a project name')
    else if (terms.length > projectLimits.vocabularyTerms) {
      const message = `Please enter at most ${projectLimits.vocabularyTerms} names and terms.`
      showToast({ type: 'error', title: 'Project not saved', message })
    } else save.mutate({ ...changesOf(form), ...(project ? { id: project.id } : {}) })
  }
  return (
    <Dialog
      onClose={onClose}
      title={project ? 'Project settings' : 'New project'}
      footer={
        project && (
          <Button look="quiet" className={deleteClass} onClick={() => setDeleting(true)}>
            Delete project
          </Button>
        )
      }
      action={
        <Button look="primary" busy={save.isPending} onClick={submit}>
          {project ? 'Save' : 'Create project'}
        </Button>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Fields form={form} error={error} set={set} />
      </form>
      {isDeleting && project && (
        <DeleteProject
          project={project}
          onDeleted={() => {
            onDeleted()
            onClose()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Dialog>
  )
}

function DeleteProject({
  project,
  onDeleted,
  onClose,
}: {
  project: Project
  onDeleted: () => void
  onClose: () => void
}) {
  const remove = useDeleteProject(onDeleted)
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete project"
      question={`Delete the project "${project.name}"?`}
      note="Its clips stay in your library, in no project."
      confirmLabel="Delete project"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(project.id)}
    />
  )
}

type Form = ReturnType<typeof formOf>

function Fields({
  form,
  error,
  set,
}: {
  form: Form
  error: string | undefined
  set: (change: Partial<Form>) => void
}) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        error={error}
        maxLength={200}
        onChange={(event) => set({ name: event.target.value })}
      />
      <Colours value={form.colour} onChange={(colour) => set({ colour })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Timeline frame rate"
          options={ratesWith(form.rate)}
          value={form.rate}
          onChange={(event) => set({ rate: event.target.value })}
        />
        <TextField
          label="Timeline starts at"
          placeholder="01:00:00:00"
          value={form.start}
          maxLength={11}
          onChange={(event) => set({ start: event.target.value })}
        />
      </div>
      <TextField
        label="Media folder on your computer"
        placeholder="/Volumes/Media/Project or D:\Footage"
        value={form.folder}
        maxLength={1000}
        hint="Exports point here, so that your editing software finds the media."
        onChange={(event) => set({ folder: event.target.value })}
      />
      <TextArea
        label="Names and terms"
        hint="One per line. The next transcriptions use them as hints."
        value={form.vocabulary}
        placeholder={'Elbphilharmonie\nLena Brandt'}
        onChange={(event) => set({ vocabulary: event.target.value })}
      />
      <TextArea
        label="Note"
        maxLength={5000}
        value={form.note}
        onChange={(event) => set({ note: event.target.value })}
      />
    </>
  )
}

function Colours({
  value,
  onChange,
}: {
  value: Project['colour']
  onChange: (colour: Project['colour']) => void
}) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1">
        {projectColours.map((colour) => (
          <label
            key={colour}
            className="flex h-8 items-center gap-1.5 rounded-md border border-line px-2 text-sm capitalize has-checked:border-brand has-checked:bg-brand-wash pointer-coarse:h-11"
          >
            <input
              type="radio"
              name="colour"
              className="sr-only"
              checked={value === colour}
              onChange={() => onChange(colour)}
            />
            <ProjectDot colour={colour} /> {colour}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** As the list spells it: the API takes 25 as well as 25/1. */
function rateValue({ frame_rate: text, drop_frame: dropFrame }: Project): string {
  const rate = text ? parseRate(text) : null
  return rate ? `${formatRational(rate)} ${dropFrame}` : ''
}

/** With a rate that no standard names, where the project has one. */
function ratesWith(value: string) {
  if (rates.some((option) => option.value === value)) return rates
  const rate = parseRate(value.split(' ')[0] ?? '')
  return [...rates, { value, label: rateWithUnit(rate ? rateLabel(rate) : value) }]
}

function formOf(project: Project | null) {
  return {
    name: project?.name ?? '',
    colour: project?.colour ?? ('cyan' as const),
    note: project?.note ?? '',
    rate: project ? rateValue(project) : '',
    start: project?.start_timecode ?? '',
    folder: project?.media_folder ?? '',
    vocabulary: project?.vocabulary.join('\n') ?? '',
  }
}

function changesOf(form: Form): ProjectChanges & { name: string } {
  const [rate = '', dropFrame] = form.rate.split(' ')
  return {
    name: form.name.trim(),
    colour: form.colour,
    note: form.note,
    frame_rate: rate || null,
    drop_frame: dropFrame === 'true',
    start_timecode: form.start.trim() || null,
    media_folder: form.folder.trim() || null,
    vocabulary: termsOf(form.vocabulary),
  }
}

/** Lines, each once, as they were typed. */
function termsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter(Boolean))]
}
