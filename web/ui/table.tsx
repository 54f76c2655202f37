import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export interface Column<Row> {
  id: string
  label: string
  /** Figures stand at the right edge, in figures of one width. */
  figures?: boolean
  cell: (row: Row) => ReactNode
}

export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isLinked = false,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Each row holds a `row-link`, which the whole row then is. */
  isLinked?: boolean
}) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={caption} tabIndex={0}>
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-ink-3">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={classes(
                  'h-8 px-3 font-medium whitespace-nowrap first:pl-0 last:pr-0',
                  column.figures && 'text-right',
                )}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={classes(
                'border-b border-line last:border-0',
                isLinked && 'linked-row hover:bg-raised',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={classes(
                    'h-8 px-3 py-1.5 align-middle first:pl-0 last:pr-0',
                    column.figures && 'figures text-right whitespace-nowrap',
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
