import { useState } from 'react'
import { JobTable } from '../features/jobs/job-table.tsx'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import { CreateJob } from './create-job.tsx'
import { TrySample } from './dashboard/try-sample.tsx'

/** /jobs: all of them, with the way to a new one and into everything that was found. */
export function Jobs() {
  const [isCreating, setCreating] = useState(false)
  const buyCredits = useBuyCredits()
  return (
    <div className="mx-auto flex w-full max-w-350 flex-col gap-4 p-4">
      <h1 className="sr-only">Jobs</h1>
      <Panel
        title="Jobs"
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            Create Job
          </Button>
        }
      >
        <JobTable emptyAction={<TrySample />} />
      </Panel>
      {isCreating && (
        <CreateJob onClose={() => setCreating(false)} onBuyCredits={buyCredits.viewAll}>
          {buyCredits.dialogs}
        </CreateJob>
      )}
    </div>
  )
}
