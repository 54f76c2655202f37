import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { ContentItem, ListedJob } from '../app/answers.ts'
import { api } from '../app/api.ts'
import { Poster } from '../clips/poster.tsx'
import { FreeCreditNotice, WelcomeBanner } from '../features/account/welcome-banner.tsx'
import { ApiKeysPanel } from '../features/api-keys/api-keys-panel.tsx'
import { MonthUsage } from '../features/billing/month-usage.tsx'
import { QuickTopUp } from '../features/billing/quick-top-up.tsx'
import { RecentTransactions } from '../features/billing/recent-transactions.tsx'
import { useBillingStats } from '../features/billing/stats.ts'
import { AddContentDialog } from '../features/content/add-content-dialog.tsx'
import { DropAnywhere } from '../features/content/drop-anywhere.tsx'
import { useLibrary } from '../features/content/library.ts'
import { startUpload } from '../features/content/uploads.ts'
import { MyContent } from '../features/content/my-content.tsx'
import { useRecentJobs } from '../features/jobs/job-list.ts'
import { RecentJobs } from '../features/jobs/recent-jobs.tsx'
import { useShortcuts } from '../keys/shortcuts.tsx'
import { useMe } from '../session/me.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Panel, PanelAction } from '../ui/panel.tsx'
import { showToast } from '../ui/toast.tsx'
import { CreateJob } from './create-job.tsx'
import { useBuyCredits, useWantedPackage } from './buy-credits.tsx'
import { QuickActions } from './dashboard/quick-actions.tsx'
import { StatTiles } from './dashboard/stat-tiles.tsx'
import { TrySample } from './dashboard/try-sample.tsx'

export function Dashboard() {
  const buyCredits = useBuyCredits()
  useWantedPackage(buyCredits.buy)
  const [isKeysOpen, setKeysOpen] = useState(false)
  // The footage that the job dialog opens with; null while it is closed.
  const [jobUrl, setJobUrl] = useState<string | null>(null)
  // Files that were dropped, or none yet; null while the dialog is closed.
  const [adding, setAdding] = useState<readonly File[] | null>(null)
  const add = useCallback(() => setAdding([]), [])
  const create = useCallback(() => setJobUrl(''), [])
  const pictureOf = usePictures()
  const analyse = (item: ContentItem) => setJobUrl(item.canonical_url)
  const openLatest = useOpenLatest(analyse)
  const closeAdd = useCallback(() => setAdding(null), [])
  useKeys(add, create)
  useLoadFailure()
  return (
    <div className="mx-auto flex w-full max-w-350 flex-col gap-3 p-4 max-sm:p-3">
      <WelcomeBanner onBuy={buyCredits.viewAll} />
      <FreeCreditNotice />
      <StatTiles />
      <QuickActions
        onCreateJob={create}
        onAddContent={add}
        onApiKeys={() => setKeysOpen(true)}
        onPricing={buyCredits.viewAll}
      />
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_320px] xl:grid-cols-[minmax(0,1fr)_400px]">
        <MyContent
          onAdd={add}
          onAnalyse={analyse}
          onOpen={openLatest}
          emptyAction={<TrySample />}
        />
        <RecentJobs pictureOf={pictureOf} />
      </div>
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
        <Panel
          title="Quick Top-Up"
          actions={<PanelAction onClick={buyCredits.viewAll}>View All Packages</PanelAction>}
        >
          <QuickTopUp onBuy={buyCredits.buy} />
        </Panel>
        <MonthUsage />
        <RecentTransactions />
      </div>
      <Dialog open={isKeysOpen} onClose={() => setKeysOpen(false)} title="API Keys" width="wide">
        <ApiKeysPanel />
      </Dialog>
      {jobUrl !== null && (
        <CreateJob
          contentUrl={jobUrl}
          onClose={() => setJobUrl(null)}
          onBuyCredits={buyCredits.viewAll}
        >
          {buyCredits.dialogs}
        </CreateJob>
      )}
      {adding && <AddContentDialog files={adding} onClose={closeAdd} />}
      {!adding && (
        <DropAnywhere onFiles={(files) => (jobUrl === null ? setAdding : startUpload)(files)} />
      )}
      {jobUrl === null && buyCredits.dialogs}
    </div>
  )
}

function useKeys(add: () => void, create: () => void): void {
  const shortcuts = useMemo(
    () => [
      { keys: ['u'], label: 'Add Content', run: add },
      { keys: ['w'], label: 'Create Job', run: create },
    ],
    [add, create],
  )
  useShortcuts(shortcuts)
}

/** A job's footage as the library shows it. */
function usePictures(): (job: ListedJob) => ReactNode {
  const { items } = useLibrary()
  return (job) => {
    const item = items.find(({ id }) => id === job.content_id)
    return item && <Poster clip={item} iconSize={16} />
  }
}

/** Opens the item's latest job; one that has none yet is offered for analysis. */
function useOpenLatest(analyse: (item: ContentItem) => void): (item: ContentItem) => void {
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: (item: ContentItem) =>
      api
        .listJobs({ query: { content_id: item.id, limit: 1 } })
        .then(({ jobs }) => jobs.find((job) => job.content_url === item.canonical_url)),
    onSuccess: async (job, item) => {
      if (job) await navigate(`/jobs/${job.id}`)
      else analyse(item)
    },
    onError: (_, item) => analyse(item),
  })
  return (item) => open.mutate(item)
}

/** One word for whatever failed; each list stands empty meanwhile. */
function useLoadFailure(): void {
  const me = useMe()
  const stats = useBillingStats()
  const jobs = useRecentJobs()
  const library = useLibrary()
  const isFailed = me.isError || stats.isError || jobs.isError || library.isError
  useEffect(() => {
    if (!isFailed) return
    showToast({ type: 'error', title: 'Error', message: 'Failed to load dashboard data' })
  }, [isFailed])
}
