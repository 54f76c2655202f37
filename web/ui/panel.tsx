import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A titled area of a screen. */
export function Panel({
  title,
  actions,
  className,
  children,
}: {
  title?: string
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className={classes('rounded-lg border border-line bg-panel', className)}
    >
      {title && (
        <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <h2 className="grow text-base font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}
