import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleStop, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { shownIdLength } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import type { ListedJob } from '../../app/answers.ts'
import { cancelTerms } from '../../app/cancel-terms.ts'
import { contentName } from '../../app/format.ts'
import { keys, refreshJobs } from '../../app/queries.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { isInProgress } from './job-status.tsx'
import { RerunQuestion } from './rerun-question.tsx'

type Action = 'cancel' | 'retry' | 'delete'

interface Asked {
  action: Action
  job: ListedJob
}

const titles: Record<Exclude<Action, 'retry'>, string> = {
  cancel: 'Cancel this job?',
  delete: 'Delete this job?',
}
const confirmLabels: Record<Exclude<Action, 'retry'>, string> = {
  cancel: 'Cancel Job',
  delete: 'Delete',
}

const onlyCancel = [{ action: 'cancel', word: 'Cancel', Icon: CircleStop }] as const
const drop = { action: 'delete', word: 'Delete', Icon: Trash2 } as const
const afterFailure = [{ action: 'retry', word: 'Retry', Icon: RotateCcw }, drop] as const
const afterSuccess = [{ action: 'retry', word: 'Re-run', Icon: RotateCcw }, drop] as const

/** Buttons for a job in its state; each asks first. In brief only what gets it done. */
export function JobActions({ job, isBrief = false }: { job: ListedJob; isBrief?: boolean }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const name = `job ${job.id.slice(0, shownIdLength)}`
  return (
    <div className="relative z-1 flex justify-end">
      {actionsOn(job, isBrief).map(({ action, word, Icon }) => (
        <Button
          key={action}
          look="quiet"
          className="pointer-coarse:min-w-11"
          aria-label={`${word} ${name}`}
          title={`${word} ${name}`}
          onClick={() => setAsked({ action, job })}
        >
          <Icon size={14} aria-hidden /> <span className="max-lg:hidden">{word}</span>
        </Button>
      ))}
      {asked && <Confirmation asked={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function actionsOn({ status }: ListedJob, isBrief: boolean) {
  if (isInProgress(status)) return onlyCancel
  const all = status === 'completed' ? afterSuccess : afterFailure
  return isBrief ? all.filter(({ word }) => word === 'Retry') : all
}

function Confirmation({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: () => run(asked),
    onSuccess: async () => {
      onClose()
      await Promise.all([refreshJobs(queries), queries.invalidateQueries({ queryKey: keys.me })])
    },
    onError: onClose,
    meta: { failure: { fallback: 'That did not work. Please try again.' } },
  })
  if (asked.action === 'retry') {
    const { job } = asked
    return (
      <RerunQuestion
        job={job}
        isBusy={act.isPending}
        onRun={() => act.mutate()}
        onClose={onClose}
      />
    )
  }
  return (
    <AlertDialog
      onClose={onClose}
      title={titles[asked.action]}
      question={questionOf(asked)}
      confirmLabel={confirmLabels[asked.action]}
      dismissLabel={asked.action === 'cancel' ? 'Keep Running' : undefined}
      isDestructive
      busy={act.isPending}
      onConfirm={() => act.mutate()}
    />
  )
}

async function run({ action, job }: Asked): Promise<unknown> {
  const params = { id: job.id }
  if (action === 'cancel') return api.cancelJob({ params })
  if (action === 'delete') return api.deleteJob({ params })
  return api.retryJob({ params })
}

function questionOf({ action, job }: Asked): string {
  if (action === 'cancel') {
    return `This ends the analysis of ${contentName(job)}. ${cancelTerms(job.held_usd)}`
  }
  return `${contentName(job)}: its findings, files and selects are deleted. This cannot be undone.`
}
