import type { ReactNode } from 'react'
import { isOutage } from '../app/failures.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** A screen that says one thing and offers the ways on. */
export function MessagePage({
  label,
  title,
  children,
  actions,
}: {
  label: ReactNode
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="measure flex grow flex-col justify-center py-16">
      <div className="mx-auto w-full max-w-140">
        <p className="timecode text-sm text-ink-3">{label}</p>
        <h1 className="mt-2 text-2xl font-semibold tracking-tight text-balance">{title}</h1>
        <div className="mt-3 text-md text-ink-2">{children}</div>
        {actions && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}

/** Stands in for the thing of a screen: on its way, out of reach, or not there (`children`). */
export function Absent({
  noun,
  error,
  onRetry,
  children,
}: {
  noun: string
  error: unknown
  onRetry: () => unknown
  children: ReactNode
}) {
  if (!error) return <Loading noun={noun} />
  if (!isOutage(error)) return children
  return (
    <div className="m-auto">
      <LoadFailure onRetry={() => void onRetry()} />
    </div>
  )
}

export function Loading({ noun }: { noun: string }) {
  return (
    <div role="status" aria-label={`Loading the ${noun}`} className="flex grow flex-col gap-4 p-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-100" />
    </div>
  )
}
