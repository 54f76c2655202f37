import type { ReactNode } from 'react'
import { useWorkbench } from '../workbench-context.ts'

const maxShown = 500

/** Stretches of the footage, as many as a list can hold that stays quick. */
export function FoundRanges({ rows }: { rows: readonly ReactNode[] }) {
  return (
    <>
      <ul className="-mx-3 divide-y divide-line border-y border-line">{rows.slice(0, maxShown)}</ul>
      {rows.length > maxShown && (
        <p className="text-xs text-ink-3">
          Showing the first {maxShown} of {rows.length.toLocaleString('en-US')}. Exports include
          all.
        </p>
      )}
    </>
  )
}

/** A stretch of the footage in a list: where it is, what it is, how long; a click goes there. */
export function FoundRange({
  range,
  label,
  isBad = false,
  hint,
  children,
}: {
  range: { startFrame: number; endFrame: number }
  label: string
  isBad?: boolean
  hint?: string
  /** The buttons that act on it. */
  children?: ReactNode
}) {
  const { reel, playhead } = useWorkbench()
  return (
    <li className="flex items-center gap-2 py-1.5 pr-3 pl-2.5">
      <button
        type="button"
        onClick={() => playhead.seek(range.startFrame)}
        className="min-w-0 grow rounded-sm text-left pointer-coarse:min-h-11"
      >
        <span className="flex items-center gap-2">
          <span className="timecode text-brand-ink">{reel.timecode(range.startFrame)}</span>
          <span className={isBad ? 'text-bad' : ''}>{label}</span>
          <span className="timecode text-xs text-ink-3">
            {reel.length([{ start: range.startFrame, end: range.endFrame }])}
          </span>
        </span>
        {hint && <span className="block text-xs text-ink-2">{hint}</span>}
      </button>
      {children}
    </li>
  )
}
