import { Spinner } from '../ui/spinner.tsx'

/** Shown until the first screen is there. */
export function Loading() {
  return (
    <div role="status" className="flex min-h-dvh grow items-center justify-center text-ink-3">
      <Spinner size={20} />
      <span className="sr-only">Loading</span>
    </div>
  )
}
