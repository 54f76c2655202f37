import { useState } from 'react'
import { useParams } from 'react-router'
import { isMissingCall } from '../app/failures.ts'
import { useSync } from '../features/syncs/sync-data.ts'
import { SyncDialog } from '../features/syncs/sync-dialog.tsx'
import { SyncRunning } from '../features/syncs/sync-running.tsx'
import { ExportDialog } from '../features/export/export-dialog.tsx'
import { SyncWorkbench } from '../features/syncs/sync-workbench.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Absent, MessagePage } from './message-page.tsx'

/** /syncs/:id, where recordings of one scene lie on one clock. */
export function Sync() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useSync(id)
  const [isAgain, setAgain] = useState(false)
  if (!data) {
    return (
      <Absent noun="sync" error={error} onRetry={refetch}>
        <MessagePage
          label="Sync"
          title={isMissingCall(error) ? 'This server has no syncs' : 'This sync was not found'}
          actions={<ButtonLink to="/library">Library</ButtonLink>}
        >
          <p>It was deleted, or it belongs to another account.</p>
        </MessagePage>
      </Absent>
    )
  }
  const { sync } = data
  const again = isAgain && (
    <SyncDialog ids={sync.items.map((item) => item.content_id)} onClose={() => setAgain(false)} />
  )
  if (sync.status === 'completed') {
    return (
      <>
        <SyncWorkbench
          key={sync.id}
          sync={sync}
          exportDialog={ExportDialog}
          onAgain={() => setAgain(true)}
        />
        {again}
      </>
    )
  }
  if (sync.finished_at === null) return <SyncRunning sync={sync} onChange={() => void refetch()} />
  return (
    <MessagePage
      label="Sync"
      title={sync.status === 'canceled' ? 'This sync was cancelled' : 'This sync failed'}
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
