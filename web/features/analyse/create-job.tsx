import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { timings } from '../../../domain/money/catalogue.ts'
import type { ContentItem } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useFormProblem } from '../../ui/form-problem.ts'
import type { Complaint, FormProblem } from '../../ui/form-problem.ts'
import { AnalyseDialog } from './analyse-dialog.tsx'
import { isTime, orderOf, wholeAnalysis } from './analysis.ts'
import type { Analysis } from './analysis.ts'
import { QuoteLine, useQuote } from '../../app/analyse/quote-line.tsx'

type FormField = 'url' | 'part' | 'extractors'

export interface Sources {
  /** Items that a job can run on; the search narrows them. */
  library: readonly ContentItem[]
  search: ReactNode
  /** Where a file of this machine is dropped; it hands over the item once that is uploaded. */
  upload: (onUploaded: (item: ContentItem) => void) => ReactNode
}

/** Where nothing is selected: the footage is named here, by its address or from the library. */
export function CreateJobDialog({
  contentUrl = '',
  onClose,
  onCreated,
  onBuyCredits,
  children,
  ...sources
}: Sources & {
  contentUrl?: string
  onClose: () => void
  /** The job exists and its confirmation has been read. */
  onCreated: (jobId: string) => void
  onBuyCredits: () => void
  /** Dialogs that open on top of this one, so that buying credits keeps what was put together. */
  children?: ReactNode
}) {
  const [url, setUrl] = useState(contentUrl)
  const [analysis, setAnalysis] = useState(wholeAnalysis)
  const formId = useId()
  const problem = useFormProblem<FormField>()
  const { formRef, errorOf, complain, unmark } = problem
  const request = { content_url: url.trim(), ...orderOf(analysis) }
  const create = useCreate(request, problem.settle)
  const quote = useQuote(request)
  const isTooDear = quote.data?.quote.sufficient === false
  useCloseAfter(create.data?.job.id, (id) => {
    onClose()
    onCreated(id)
  })
  const submit = () => {
    const lack = problemOf(url, analysis)
    if (lack) complain(lack)
    else if (!isTooDear && !create.isPending) create.mutate()
  }
  const about = {
    title: 'Create Job',
    description: 'Choose footage and what to find in it. You pay for seconds of media.',
    onClose,
  }
  if (create.isSuccess) {
    return (
      <Dialog {...about}>
        <p role="status" className="flex items-center gap-2 py-4 text-good">
          <CircleCheck size={16} aria-hidden /> Job created. Opening it…
        </p>
      </Dialog>
    )
  }
  return (
    <AnalyseDialog
      {...about}
      form={{ id: formId, ref: formRef }}
      onSubmit={submit}
      isFootageFirst
      footage={
        <Footage
          {...sources}
          url={url}
          isFromLibrary={contentUrl !== ''}
          error={errorOf('url')}
          onChange={(next) => {
            setUrl(next)
            unmark('url')
          }}
        />
      }
      find={{
        analysis,
        onChange: (change) => {
          setAnalysis({ ...analysis, ...change })
          unmark(change.chosen ? 'extractors' : 'part')
        },
        lines: (quote.data?.quote.lines ?? []).map(({ applies, skip_reason: reason, ...line }) => ({
          ...line,
          skipped: applies ? null : (reason ?? ''),
        })),
        clipCount: 1,
        errorOf,
      }}
      footer={
        <>
          {/* Here and not below the form, so that no window is too low to show the price. */}
          <div className="w-full">
            <QuoteLine request={request} state={quote} onBuyCredits={onBuyCredits} />
          </div>
          {/* On the left, so that a toast about the job never covers them. */}
          <div className="flex w-full gap-2">
            <Button
              look="primary"
              type="submit"
              form={formId}
              busy={create.isPending}
              disabled={isTooDear}
            >
              {create.isPending ? 'Creating...' : 'Create Job'}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </>
      }
    >
      {children}
    </AnalyseDialog>
  )
}

function useCreate(
  body: Parameters<typeof api.createJob>[0]['body'],
  settle: FormProblem<FormField>['settle'],
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.createJob({ body }),
    onSuccess: () => {
      settle()
      // Not waited for: the dialog's time starts when the job exists, not when lists are fresh.
      void queries.invalidateQueries({ queryKey: keys.recentJobs })
      void queries.invalidateQueries({ queryKey: keys.me })
    },
    meta: { failure: { fallback: 'Failed to create job' } },
  })
}

/** Names the footage: an item of the library, a file of this machine, or an address. */
function Footage({
  library,
  search,
  upload,
  url,
  isFromLibrary,
  error,
  onChange,
}: Sources & {
  url: string
  /** At first. */
  isFromLibrary: boolean
  error: string | undefined
  onChange: (url: string) => void
}) {
  // The address of a library item is ours and says nothing to a person, so it is not shown.
  const [isChosen, setChosen] = useState(isFromLibrary)
  const [kept, setKept] = useState<ContentItem | null>(null)
  const isListed = library.some((item) => item.id === kept?.id)
  // An item that was just uploaded or chosen is listed, whatever the library shows.
  const items = kept && !isListed ? [kept, ...library] : library
  const choose = (item: ContentItem | undefined) => {
    setKept(item ?? null)
    setChosen(item !== undefined)
    onChange(item?.canonical_url ?? '')
  }
  return (
    <div className="flex flex-col gap-4">
      {search}
      {(items.length > 0 || search) && (
        <Select
          label="From your library"
          value={isChosen ? url : ''}
          onChange={({ target: { value } }) =>
            choose(items.find((item) => item.canonical_url === value))
          }
          options={[
            { value: '', label: 'From a URL' },
            ...items.map((item) => ({ value: item.canonical_url, label: item.file_name })),
          ]}
        />
      )}
      {items.length === 0 && upload(choose)}
      {!isChosen && (
        <TextField
          label="Content URL"
          type="url"
          inputMode="url"
          placeholder="https://…"
          value={url}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

function problemOf(url: string, { chosen, from, to }: Analysis): Complaint<FormField> | null {
  const title = 'Validation Error'
  if (url.trim() === '') {
    const note = 'Enter the URL of the footage.'
    return { field: 'url', title, message: 'Please enter a content URL', note }
  }
  if (!isTime(from) || !isTime(to)) {
    const note = 'Write 90, 1:30 or 1:02:03.'
    return { field: 'part', title, message: 'Please enter where the range starts and ends', note }
  }
  if (chosen.length > 0) return null
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
