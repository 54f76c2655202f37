import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** Says that the connection is gone, for as long as it is. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-1.5 text-warn">
          <WifiOff size={14} aria-hidden />
          You’re offline. This page may be out of date; nothing is sent until you reconnect.
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
