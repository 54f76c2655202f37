import { useParams } from 'react-router'
import { isMissingCall } from '../app/failures.ts'
import { CutWorkbench } from '../features/cuts/cut-workbench.tsx'
import { ExportDialog } from '../features/export/export-dialog.tsx'
import { useOpenedCut } from '../features/cuts/cut-state.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Absent, MessagePage } from './message-page.tsx'

/** /cuts/:id, where ranges of many clips become one timeline. */
export function Cut() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useOpenedCut(id)
  if (data) return <CutWorkbench key={id} opened={data} exportDialog={ExportDialog} />
  return (
    <Absent noun="cut" error={error} onRetry={refetch}>
      <MessagePage
        label="Cut"
        title={isMissingCall(error) ? 'This server has no cuts' : 'This cut was not found'}
        actions={<ButtonLink to="/cuts">All cuts</ButtonLink>}
      >
        <p>It was deleted, or it belongs to another account.</p>
      </MessagePage>
    </Absent>
  )
}
