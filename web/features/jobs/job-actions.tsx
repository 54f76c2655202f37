import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleStop, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '../../../contract/jobs.ts'
import { shownIdLength } from '../../../contract/catalogue.ts'
import { api, messageOf } from '../../api.ts'
import { usd } from '../../figures.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { isInProgress } from './job-status.tsx'

type Action = 'cancel' | 'retry' | 'delete'

interface Asked {
  action: Action
  job: Job
}

const titles: Record<Action, string> = {
  cancel: 'Cancel this job?',
  retry: 'Run this job again?',
  delete: 'Delete this job?',
}
const confirmLabels: Record<Action, string> = {
  cancel: 'Cancel Job',
  retry: 'Run Again',
  delete: 'Delete',
}

/** What can be done with a job where it stands; each asks first. */
export function JobActions({ job }: { job: Job }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const name = `job ${job.id.slice(0, shownIdLength)}`
  return (
    <div className="flex justify-end">
      {isInProgress(job.status) ? (
        <IconButton label={`Cancel ${name}`} onClick={() => setAsked({ action: 'cancel', job })}>
          <CircleStop size={14} aria-hidden />
        </IconButton>
      ) : (
        <>
          <IconButton label={`Retry ${name}`} onClick={() => setAsked({ action: 'retry', job })}>
            <RotateCcw size={14} aria-hidden />
          </IconButton>
          <IconButton label={`Delete ${name}`} onClick={() => setAsked({ action: 'delete', job })}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </>
      )}
      {asked && <Confirmation asked={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Confirmation({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: () => run(asked),
    onSuccess: async () => {
      onClose()
      await Promise.all(
        [['job-list'], ['jobs'], ['me']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
    },
    onError: (error) => {
      onClose()
      showToast({
        type: 'error',
        title: 'Error',
        message: messageOf(error, 'That did not work. Please try again.'),
      })
    },
  })
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={titles[asked.action]}
      question={questionOf(asked)}
      confirmLabel={confirmLabels[asked.action]}
      dismissLabel={asked.action === 'cancel' ? 'Keep Running' : undefined}
      isDestructive={asked.action !== 'retry'}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
    />
  )
}

async function run({ action, job }: Asked): Promise<unknown> {
  const params = { id: job.id }
  if (action === 'cancel') return api.cancelJob({ params })
  if (action === 'delete') return api.deleteJob({ params })
  return api.retryJob({ params }, { idempotencyKey: crypto.randomUUID() })
}

function questionOf({ action, job }: Asked): string {
  if (action === 'cancel') {
    return `${job.content_name}: only extractors that have finished are charged; the rest of ${usd(job.held_usd)} is returned.`
  }
  if (action === 'retry') {
    return `${job.content_name}: it runs as a new job. Results that are known already cost nothing.`
  }
  return `${job.content_name}: its findings, files and selects are deleted. This cannot be undone.`
}
