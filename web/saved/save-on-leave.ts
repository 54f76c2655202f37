/**
 * Saves when the connection is back (`again`) and when the page goes away (`leave`). Returns what ends
 * that, after saving once more.
 */
export function saveOnLeave(again: () => unknown, leave = again): () => void {
  const onOnline = (): void => void again()
  const onHide = (): void => void leave()
  addEventListener('online', onOnline)
  addEventListener('pagehide', onHide)
  return () => {
    removeEventListener('online', onOnline)
    removeEventListener('pagehide', onHide)
    again()
  }
}
