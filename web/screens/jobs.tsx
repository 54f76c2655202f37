import { JobTable } from '../features/jobs/job-table.tsx'
import { Panel } from '../ui/panel.tsx'

export function Jobs() {
  return (
    <div className="p-4">
      <h1 className="sr-only">Jobs</h1>
      <Panel title="Jobs">
        <JobTable />
      </Panel>
    </div>
  )
}
