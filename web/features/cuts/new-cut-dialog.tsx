import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import type { Cut } from '../../../contract/footage/cuts.ts'
import { api } from '../../app/api.ts'
import { messageOf } from '../../app/failures.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { AddedClips } from './added-clips.tsx'
import type { AddedClip } from './added-clips.tsx'
import { TimelineFields, ofFirstClip, rateNamed, rateText, sizeNamed } from './timeline-fields.tsx'
import { rememberCut, useProjectList } from './cut-list.ts'

const newProject = 'new'

/** Names a cut and its project; with clips, they are its first. */
export function NewCutDialog({
  projectId,
  clips = [],
  onCreated,
  onClose,
}: {
  projectId?: string | null
  clips?: readonly AddedClip[]
  onCreated: (cut: Cut) => void
  onClose: () => void
}) {
  const queries = useQueryClient()
  const projects = useProjectList()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string | null>(projectId ?? null)
  const [projectName, setProjectName] = useState('')
  const project = chosen ?? projects[0]?.id ?? newProject
  const [rate, setRate] = useState('')
  const [size, setSize] = useState('')
  const known = projects.find((item) => item.id === project)
  const preset = known?.frame_rate
    ? `As the project: ${rateText({ ...known, frame_rate: known.frame_rate })}`
    : ofFirstClip
  const [problem, setProblem] = useState<string | undefined>()
  const create = useMutation({
    mutationFn: async () => {
      const id =
        project === newProject
          ? (await api.createProject({ body: { name: projectName.trim() || 'My project' } }))
              .project.id
          : project
      const body = {
        project_id: id,
        name: name.trim(),
        ...rateNamed(rate),
        ...(size ? { frame_size: sizeNamed(size) } : {}),
        ranges: clips.map(({ range }) => newRange(range)),
      }
      return api.createCut({ body })
    },
    onSuccess: ({ cut }) => {
      rememberCut(cut.id)
      void queries.invalidateQueries({ queryKey: keys.cuts })
      void queries.invalidateQueries({ queryKey: keys.projects })
      onCreated(cut)
    },
    onError: (error) => setProblem(messageOf(error, 'The cut was not made. Please try again.')),
  })
  return (
    <Dialog
      onClose={onClose}
      title="New cut"
      description={clips.length > 0 && <AddedClips clips={clips} />}
      action={
        <Button look="primary" type="submit" form="new-cut" busy={create.isPending}>
          Create cut
        </Button>
      }
    >
      <form
        id="new-cut"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim()) create.mutate()
          else setProblem('Please enter a name for the cut')
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          placeholder="Opening, take 1"
          error={problem}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <Select
          label="Project"
          value={project}
          onChange={(event) => setChosen(event.target.value)}
          options={[
            ...projects.map((item) => ({ value: item.id, label: item.name })),
            { value: newProject, label: 'New project…' },
          ]}
        />
        {project === newProject && (
          <TextField
            label="Name of the project"
            value={projectName}
            maxLength={200}
            placeholder="My project"
            onChange={(event) => setProjectName(event.target.value)}
          />
        )}
        <TimelineFields
          rate={rate}
          rates={[{ value: '', label: preset }]}
          size={size}
          sizes={[]}
          hint="Both can be changed later."
          onRate={setRate}
          onSize={setSize}
        />
      </form>
    </Dialog>
  )
}
