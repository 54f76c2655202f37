import { useParams } from 'react-router'
import { isMissingCall, isOutage } from '../app/failures.ts'
import { CutWorkbench } from '../features/cuts/cut-workbench.tsx'
import { useOpenedCut } from '../features/cuts/cut-state.ts'
import { ButtonLink } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MessagePage } from './message-page.tsx'

/** /cuts/:id, where ranges of many clips become one timeline. */
export function Cut() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useOpenedCut(id)
  if (data) return <CutWorkbench key={id} opened={data} />
  if (!error) {
    return (
      <div role="status" aria-label="Loading the cut" className="flex grow flex-col gap-4 p-4">
        <Skeleton className="h-11" />
        <Skeleton className="h-100" />
      </div>
    )
  }
  if (isOutage(error)) {
    return (
      <div className="m-auto">
        <LoadFailure onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <MessagePage
      label="Cut"
      title={isMissingCall(error) ? 'This server has no cuts' : 'This cut was not found'}
      actions={<ButtonLink to="/cuts">All cuts</ButtonLink>}
    >
      <p>It was deleted, or it belongs to another account.</p>
    </MessagePage>
  )
}
