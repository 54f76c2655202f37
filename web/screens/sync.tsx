import { useState } from 'react'
import { useParams } from 'react-router'
import type { Sync as SyncData } from '../../contract/syncs.ts'
import { api } from '../app/api.ts'
import { isMissingCall, isOutage, messageOf } from '../app/failures.ts'
import { useSync } from '../features/syncs/sync-data.ts'
import { SyncDialog } from '../features/syncs/sync-dialog.tsx'
import { SyncWorkbench } from '../features/syncs/sync-workbench.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Progress } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { showToast } from '../ui/toast.tsx'
import { MessagePage } from './message-page.tsx'

/** /syncs/:id, where recordings of one scene lie on one clock. */
export function Sync() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useSync(id)
  const [isAgain, setAgain] = useState(false)
  if (!data && !error) {
    return (
      <div role="status" aria-label="Loading the sync" className="flex grow flex-col gap-4 p-4">
        <Skeleton className="h-11" />
        <Skeleton className="h-100" />
      </div>
    )
  }
  if (!data) {
    if (isOutage(error)) {
      return (
        <div className="m-auto">
          <LoadFailure onRetry={() => void refetch()} />
        </div>
      )
    }
    return (
      <MessagePage
        label="Sync"
        title={isMissingCall(error) ? 'This server has no syncs' : 'This sync was not found'}
        actions={<ButtonLink to="/library">Library</ButtonLink>}
      >
        <p>It was deleted, or it belongs to another account.</p>
      </MessagePage>
    )
  }
  const { sync } = data
  const again = isAgain && (
    <SyncDialog ids={sync.items.map((item) => item.content_id)} onClose={() => setAgain(false)} />
  )
  if (sync.status === 'completed') {
    return (
      <>
        <SyncWorkbench key={sync.id} sync={sync} onAgain={() => setAgain(true)} />
        {again}
      </>
    )
  }
  if (sync.finished_at === null) return <Running sync={sync} onChange={() => void refetch()} />
  return (
    <MessagePage
      label="Sync"
      title={sync.status === 'canceled' ? 'This sync was canceled' : 'This sync failed'}
      actions={
        <>
          <Button look="primary" onClick={() => setAgain(true)}>
            Sync again
          </Button>
          <ButtonLink to="/library">Library</ButtonLink>
        </>
      }
    >
      <p>{sync.error?.message ?? 'The sync ended without a result.'} Nothing was charged.</p>
      {again}
    </MessagePage>
  )
}

function Running({ sync, onChange }: { sync: SyncData; onChange: () => void }) {
  const cancel = async (): Promise<void> => {
    try {
      await api.cancelSync({ params: { id: sync.id } })
      onChange()
    } catch (error) {
      const message = messageOf(error, 'Please check your connection and try again.')
      showToast({ type: 'error', title: 'Not canceled', message })
    }
  }
  return (
    <section
      aria-label="Progress"
      className="m-auto flex w-full max-w-120 flex-col gap-4 p-6 text-center"
    >
      <h1 className="font-semibold">{sync.name}</h1>
      <p role="status" className="text-ink-2">
        {sync.status === 'queued'
          ? 'Waiting for its turn.'
          : `Comparing ${sync.items.length} sounds, ${Math.round(sync.progress * 100)} %.`}{' '}
        ${sync.held_usd.toFixed(3)} is held; it is charged when this is done.
      </p>
      <Progress value={sync.progress} label="Sync" />
      <Button className="self-center" onClick={() => void cancel()}>
        Cancel
      </Button>
    </section>
  )
}
