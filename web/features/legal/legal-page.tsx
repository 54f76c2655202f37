import type { ReactNode } from 'react'
import { Link } from 'react-router'

export interface LegalSection {
  id: string
  title: string
  body: ReactNode
}

export const legalLinkClass = 'text-brand-ink underline underline-offset-2'

/** A legal text: what it says in short, a list of its sections, and the sections. */
export function LegalPage({
  title,
  summary,
  sections,
  other,
}: {
  title: string
  summary: ReactNode
  sections: readonly LegalSection[]
  other: { to: string; label: string }
}) {
  return (
    <div className="measure grid gap-x-12 gap-y-8 py-12 sm:py-16 lg:grid-cols-[220px_1fr]">
      <nav aria-label="Sections" className="hidden self-start lg:sticky lg:top-20 lg:block">
        <ol className="border-l border-line">
          {sections.map((section) => (
            <li key={section.id}>
              <a
                href={`#${section.id}`}
                className="block py-1 pl-3 text-ink-2 hover:text-ink hover:underline"
              >
                {section.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="max-w-170 min-w-0">
        <p className="text-ink-3">
          Last updated <time dateTime="2025-10-22">October 22, 2025</time>
        </p>
        <h1 className="mt-1 text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="mt-4 text-md text-ink-2">{summary}</div>
        {sections.map((section, index) => (
          <section key={section.id} id={section.id} className="mt-10">
            <h2 className="text-lg font-semibold tracking-tight">
              {index + 1}. {section.title}
            </h2>
            <div className="mt-2 flex flex-col gap-3 text-md text-ink-2 [&_li]:ml-5 [&_li]:list-disc [&_li]:pl-1">
              {section.body}
            </div>
          </section>
        ))}
        <p className="mt-12 border-t border-line pt-6 text-md text-ink-2">
          See also the{' '}
          <Link to={other.to} className={legalLinkClass}>
            {other.label}
          </Link>
          .
        </p>
      </article>
    </div>
  )
}
