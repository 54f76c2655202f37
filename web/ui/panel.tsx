import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'

/** A titled area of a screen. */
export function Panel({
  title,
  actions,
  className,
  ref,
  children,
}: {
  title?: string
  actions?: ReactNode
  className?: string
  ref?: Ref<HTMLElement>
  children: ReactNode
}) {
  return (
    <section
      ref={ref}
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

const actionClass =
  'inline-flex items-center gap-1.5 text-brand-ink hover:underline disabled:opacity-50 pointer-coarse:min-h-11'

/** The way on from a panel, at its upper right: to a place. */
export function PanelLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={actionClass}>
      {children}
    </Link>
  )
}

/** The same look for what happens here. */
export function PanelAction(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} className={actionClass} />
}
