import type { ReactNode } from 'react'

export const linkClass = 'text-brand-ink underline underline-offset-2'

export function Topic({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-12 [&_li_code]:text-base [&_p_code]:text-base">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <div className="mt-3 flex flex-col gap-4 text-md text-ink-2">{children}</div>
    </section>
  )
}

export function Grid({
  caption,
  head,
  rows,
}: {
  caption: string
  head: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={caption} tabIndex={0}>
      <table className="w-full min-w-130 text-left text-base">
        <thead>
          <tr className="text-sm text-ink-3">
            {head.map((name) => (
              <th key={name} scope="col" className="pr-4 pb-2 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t border-line align-top">
              {row.map((cell, column) => (
                <td key={head[column]} className="py-2 pr-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
