import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { extractors, timings } from '../../../contract/catalogue.ts'
import type { ExtractorId } from '../../../contract/catalogue.ts'
import type { ContentItem } from '../../../contract/content.ts'
import { formatUsd } from '../../../contract/money.ts'
import { api, messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { QuoteLine } from './quote-line.tsx'

const standardChoice: readonly ExtractorId[] = ['ffprobe', 'thumbnail', 'shots']

/** Chooses footage and extractors, shows what it will cost, and starts the job. */
export function CreateJobDialog({
  library,
  contentUrl = '',
  onClose,
  onCreated,
}: {
  library: readonly ContentItem[]
  contentUrl?: string
  onClose: () => void
  onCreated?: (jobId: string) => void
}) {
  const [url, setUrl] = useState(contentUrl)
  const [chosen, setChosen] = useState<readonly ExtractorId[]>(standardChoice)
  const queries = useQueryClient()
  const workflow = extractors
    .filter((item) => chosen.includes(item.id))
    .map((item) => item.id)
    .join(',')
  const create = useMutation({
    mutationFn: () =>
      api.createJob(
        { body: { content_url: url.trim(), workflow } },
        { idempotencyKey: crypto.randomUUID() },
      ),
    onSuccess: ({ job }) => {
      onCreated?.(job.id)
      // Not waited for: the dialog's time starts when the job exists, not when lists are fresh.
      void queries.invalidateQueries({ queryKey: ['jobs'] })
      void queries.invalidateQueries({ queryKey: ['me'] })
    },
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'Error',
        message: messageOf(error, 'Failed to create job'),
      }),
  })
  useCloseAfter(create.isSuccess, onClose)
  const submit = () => {
    const problem = problemOf(url, workflow)
    if (problem) showToast({ type: 'error', title: 'Validation Error', message: problem })
    else create.mutate()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create Job"
      description="Choose footage and what to find in it. You pay for seconds of media."
      footer={
        !create.isSuccess && (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={create.isPending} onClick={submit}>
              {create.isPending ? 'Creating...' : 'Create Job'}
            </Button>
          </>
        )
      }
    >
      {create.isSuccess ? (
        <p role="status" className="flex items-center gap-2 py-4 text-good">
          <CircleCheck size={16} aria-hidden /> Job created. It starts at once.
        </p>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          className="flex flex-col gap-4"
        >
          {library.length > 0 && (
            <Select
              label="From your library"
              value={library.some((item) => item.canonical_url === url) ? url : ''}
              onChange={(event) => setUrl(event.target.value)}
              options={[
                { value: '', label: 'Another address' },
                ...library.map((item) => ({ value: item.canonical_url, label: item.file_name })),
              ]}
            />
          )}
          <TextField
            label="Content URL"
            type="url"
            inputMode="url"
            placeholder="https://…"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <ExtractorChoice chosen={chosen} onChange={setChosen} />
          <QuoteLine contentUrl={url.trim()} workflow={workflow} />
        </form>
      )}
    </Dialog>
  )
}

function ExtractorChoice({
  chosen,
  onChange,
}: {
  chosen: readonly ExtractorId[]
  onChange: (next: readonly ExtractorId[]) => void
}) {
  const toggle = (id: ExtractorId, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((item) => item !== id))
  const isAll = chosen.length === extractors.length
  return (
    <fieldset>
      <legend className="mb-1 flex w-full items-center text-sm font-medium">
        <span className="grow">Extractors</span>
        <Button
          look="quiet"
          onClick={() => onChange(isAll ? [] : extractors.map((item) => item.id))}
        >
          {isAll ? 'Clear' : 'Full analysis'}
        </Button>
      </legend>
      <div className="divide-y divide-line rounded-lg border border-line">
        {extractors.map((item) => (
          <div key={item.id} className="flex items-center gap-3 px-3 py-1">
            <Checkbox
              className="grow"
              label={item.name}
              hint={item.summary}
              checked={chosen.includes(item.id)}
              onChange={(event) => toggle(item.id, event.target.checked)}
            />
            <span className="timecode shrink-0 text-xs text-ink-3">
              {formatUsd(item.microsPerSecond, 3)}/sec
            </span>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

function problemOf(url: string, workflow: string): string | null {
  if (url.trim() === '') return 'Please enter a content URL'
  return workflow === '' ? 'Please select at least one extractor' : null
}

/** The screen behind redraws while lists come in; that must not start the time anew. */
function useCloseAfter(isDone: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => close.current(), timings.jobModalCloseMs)
    return () => clearTimeout(timer)
  }, [isDone])
}
