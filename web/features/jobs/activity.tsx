/** Opens from every screen the drawer of jobs: the button in the bar. */
import { Activity } from 'lucide-react'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { part } from '../../app/later.tsx'
import { createSignal } from '../../dom/signal.ts'
import { Button } from '../../ui/button.tsx'
import { pollMs, useLiveJobs } from './live-jobs.ts'
import { useRecentJobs } from './job-list.ts'

const ActivityDrawer = part(() => import('./activity-drawer.tsx'), 'ActivityDrawer')
const { announce, subscribe } = createSignal()
/** The screen on which it was opened: it closes with that. */
let openOn: string | null = null

export function openActivity(): void {
  openOn = location.pathname
  announce()
}

function close(): void {
  openOn = null
  announce()
}

const listPaths = new Set(['/dashboard', '/dashboard.html', '/jobs'])

export function ActivityButton() {
  const { pathname } = useLocation()
  const isShown = useSyncExternalStore(subscribe, () => openOn) === pathname
  // Browsers open few connections to one host: events come only where jobs are listed.
  const isLive = isShown || listPaths.has(pathname)
  useLiveJobs(isLive)
  const { inProgress = 0 } = useRecentJobs(isLive ? undefined : pollMs)
  const [wasShown, setWasShown] = useState(false)
  if (isShown && !wasShown) setWasShown(true)
  return (
    <>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        aria-label={inProgress > 0 ? `Activity: ${inProgress} running` : 'Activity'}
        title="Activity"
        onClick={openActivity}
      >
        <Activity size={15} aria-hidden className={inProgress > 0 ? 'text-brand-ink' : ''} />
        {inProgress > 0 && (
          <span className="figures text-brand-ink">
            {inProgress}
            <span className="max-md:hidden"> running</span>
          </span>
        )}
      </Button>
      {wasShown && (
        <Suspense fallback={null}>
          <ActivityDrawer open={isShown} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
