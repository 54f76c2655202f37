import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useServiceAway } from '../../session/service-state.ts'

/** Says that the connection, or the service behind it, is gone, for as long as it is. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  const isAway = useServiceAway()
  return (
    <div role="status">
      {(!online || isAway) && (
        <p className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-1.5 text-warn">
          <WifiOff size={14} aria-hidden />
          {online
            ? 'CutIndex isn’t responding right now. Nothing is lost; this page goes on by itself.'
            : 'You’re offline. This page may be out of date; nothing is sent until you reconnect.'}
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
