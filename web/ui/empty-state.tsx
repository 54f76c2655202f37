import type { ReactNode } from 'react'

/** Fills an empty list: says what belongs here, and offers the way to the first item. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-1 rounded-lg border border-dashed border-line px-6 py-8 text-center">
      <p className="font-medium">{title}</p>
      {children && <p className="max-w-90 text-ink-3">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
