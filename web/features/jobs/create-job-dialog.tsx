import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { extractors, fullAnalysis, timings } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import type { ContentItem } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { chosenSpeech, noSpeechChoice, SpeechFields } from '../../app/speech-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import type { Complaint } from '../../ui/form-problem.ts'
import { parseClockTime } from './clock-time.ts'
import { ExtractorChoice } from './extractor-choice.tsx'
import { QuoteLine, useQuote } from '../../app/analyse/quote-line.tsx'
import type { JobRequest } from '../../app/analyse/quote-line.tsx'

/** Chooses footage and extractors, shows what it will cost, and starts the job. */
export function CreateJobDialog({
  library,
  search,
  contentUrl = '',
  upload,
  onClose,
  onCreated,
  onBuyCredits,
  children,
}: {
  /** Items that a job can run on; the search narrows them. */
  library: readonly ContentItem[]
  search: ReactNode
  contentUrl?: string
  /** Where a file of this machine is dropped; it hands over the item once that is uploaded. */
  upload: (onUploaded: (item: ContentItem) => void) => ReactNode
  onClose: () => void
  /** The job exists and its confirmation has been read. */
  onCreated: (jobId: string) => void
  onBuyCredits: () => void
  /** Dialogs that open on top of this one, so that buying credits keeps what was put together. */
  children?: ReactNode
}) {
  const [url, setUrl] = useState(contentUrl)
  // The address of a library item is ours and says nothing to a person, so it is not shown.
  const [isFromLibrary, setFromLibrary] = useState(contentUrl !== '')
  const [part, setPart] = useState<Part>({ from: '', to: '' })
  const [chosen, setChosen] = useState<readonly ExtractorId[]>(fullAnalysis)
  const [speech, setSpeech] = useState(noSpeechChoice)
  const isTranscribed = chosen.includes('transcription')
  const formId = useId()
  const { formRef, errorOf, complain, unmark, settle } = useFormProblem<FormField>()
  const queries = useQueryClient()
  const workflow = extractors
    .filter((item) => chosen.includes(item.id))
    .map((item) => item.id)
    .join(',')
  const request: JobRequest = {
    content_url: url.trim(),
    workflow,
    in: parseClockTime(part.from) ?? undefined,
    out: parseClockTime(part.to) ?? undefined,
    ...(isTranscribed ? chosenSpeech(speech) : {}),
  }
  const create = useMutation({
    mutationFn: () => api.createJob({ body: request }),
    onSuccess: () => {
      settle()
      // Not waited for: the dialog's time starts when the job exists, not when lists are fresh.
      void queries.invalidateQueries({ queryKey: keys.recentJobs })
      void queries.invalidateQueries({ queryKey: keys.me })
    },
    meta: { failure: { fallback: 'Failed to create job' } },
  })
  const quote = useQuote(request)
  const isTooDear = quote.data?.quote.sufficient === false
  const [kept, setKept] = useState<ContentItem | null>(null)
  const items = withKept(library, kept)
  const choose = (next: string) => {
    setUrl(next)
    setFromLibrary(next !== '')
    unmark('url')
  }
  useCloseAfter(create.data?.job.id, (id) => {
    onClose()
    onCreated(id)
  })
  const submit = () => {
    const problem = problemOf(url, workflow, part)
    if (problem) complain(problem)
    else if (!isTooDear && !create.isPending) create.mutate()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Create Job"
      description="Choose footage and what to find in it. You pay for seconds of media."
      footer={
        !create.isSuccess && (
          <>
            {/* Here and not below the form, so that no window is too low to show the price. */}
            <div className="w-full">
              <QuoteLine request={request} state={quote} onBuyCredits={onBuyCredits} />
            </div>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              type="submit"
              form={formId}
              busy={create.isPending}
              disabled={isTooDear}
            >
              {create.isPending ? 'Creating...' : 'Create Job'}
            </Button>
          </>
        )
      }
    >
      {create.isSuccess ? (
        <p role="status" className="flex items-center gap-2 py-4 text-good">
          <CircleCheck size={16} aria-hidden /> Job created. Opening it…
        </p>
      ) : (
        <form
          ref={formRef}
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          className="flex flex-col gap-4"
        >
          {search}
          {(items.length > 0 || search) && (
            <Select
              label="From your library"
              value={isFromLibrary ? url : ''}
              onChange={({ target: { value } }) => {
                setKept(items.find((item) => item.canonical_url === value) ?? null)
                choose(value)
              }}
              options={[
                { value: '', label: 'From a URL' },
                ...items.map((item) => ({ value: item.canonical_url, label: item.file_name })),
              ]}
            />
          )}
          {items.length === 0 &&
            upload((item) => {
              setKept(item)
              choose(item.canonical_url)
            })}
          {!isFromLibrary && (
            <TextField
              label="Content URL"
              type="url"
              inputMode="url"
              placeholder="https://…"
              value={url}
              error={errorOf('url')}
              onChange={(event) => {
                setUrl(event.target.value)
                unmark('url')
              }}
            />
          )}
          <PartFields
            part={part}
            error={errorOf('part')}
            onChange={(next) => {
              setPart(next)
              unmark('part')
            }}
          />
          <ExtractorChoice
            chosen={chosen}
            error={errorOf('extractors')}
            onChange={(next) => {
              setChosen(next)
              unmark('extractors')
            }}
          />
          {isTranscribed && <SpeechFields choice={speech} onChange={setSpeech} />}
        </form>
      )}
      {children}
    </Dialog>
  )
}

/** Lists an item that was just uploaded or chosen, whatever the library shows. */
function withKept(
  library: readonly ContentItem[],
  kept: ContentItem | null,
): readonly ContentItem[] {
  const isListed = library.some((item) => item.id === kept?.id)
  return kept && !isListed ? [kept, ...library] : library
}

type FormField = 'url' | 'part' | 'extractors'

/** As typed; empty is the start, or the end. */
interface Part {
  from: string
  to: string
}

/** A long recording can be tried on a short passage of it. */
function PartFields({
  part,
  error,
  onChange,
}: {
  part: Part
  error: string | undefined
  onChange: (part: Part) => void
}) {
  const errorOf = (text: string) => (isTime(text) ? undefined : error)
  return (
    <details>
      <summary className="cursor-pointer text-ink-2">Analyse a range</summary>
      <div className="mt-2 grid grid-cols-2 gap-3">
        <TextField
          label="From"
          placeholder="0:00"
          hint="Like 90, 1:30 or 1:02:03."
          value={part.from}
          error={errorOf(part.from)}
          onChange={(event) => onChange({ ...part, from: event.target.value })}
        />
        <TextField
          label="To"
          placeholder="The end"
          value={part.to}
          error={errorOf(part.to)}
          onChange={(event) => onChange({ ...part, to: event.target.value })}
        />
      </div>
    </details>
  )
}

function isTime(text: string): boolean {
  return text.trim() === '' || parseClockTime(text) !== null
}

function problemOf(url: string, workflow: string, part: Part): Complaint<FormField> | null {
  const title = 'Validation Error'
  if (url.trim() === '') {
    const note = 'Enter the URL of the footage.'
    return { field: 'url', title, message: 'Please enter a content URL', note }
  }
  if (!isTime(part.from) || !isTime(part.to)) {
    const note = 'Write 90, 1:30 or 1:02:03.'
    return { field: 'part', title, message: 'Please enter where the range starts and ends', note }
  }
  if (workflow !== '') return null
  const message = 'Please select at least one extractor'
  return { field: 'extractors', title, message, note: 'Choose at least one.' }
}

/** The screen behind redraws while lists come in; that must not restart the timer. */
function useCloseAfter(jobId: string | undefined, onClose: (jobId: string) => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!jobId) return undefined
    const timer = setTimeout(() => close.current(jobId), timings.jobModalCloseMs)
    return () => clearTimeout(timer)
  }, [jobId])
}
