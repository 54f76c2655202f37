import type { ReactNode } from 'react'

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
