import type { ReactNode } from 'react'

/** A section of the landing page: its name in the margin, its content in the column beside it. */
export function Section({
  id,
  name,
  title,
  lead,
  children,
}: {
  id?: string
  name: string
  title: string
  lead?: string
  children: ReactNode
}) {
  return (
    <section id={id} aria-label={name} className="border-t border-line">
      <div className="measure py-14 sm:py-20">
        <div className="grid gap-x-8 gap-y-3 lg:grid-cols-[160px_1fr]">
          <p className="flex items-center gap-2 self-start pt-1.5 text-sm text-ink-3">
            <svg width="9" height="12" viewBox="0 0 10 14" aria-hidden="true">
              <path d="M5 0 10 7 5 14 0 7Z" className="fill-lane-cut" />
            </svg>
            {name}
          </p>
          <div className="max-w-180">
            <h2 className="text-xl font-semibold tracking-tight text-balance sm:text-2xl">
              {title}
            </h2>
            {lead && <p className="mt-3 text-md text-pretty text-ink-2">{lead}</p>}
          </div>
        </div>
        <div className="mt-8 sm:mt-10">{children}</div>
      </div>
    </section>
  )
}
