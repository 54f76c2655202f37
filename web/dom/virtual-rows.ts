/** Rows of different heights in a scroller: only those near the window are in the page. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

export interface VirtualRows {
  rows: readonly { index: number; key: string | number | bigint; start: number }[]
  /** Height of all rows in pixels. */
  height: number
  /** For every row in the page, with its `data-index`. */
  measure: (row: Element | null) => void
  show: (index: number, align?: 'auto' | 'center') => void
}

export function useVirtualRows(input: {
  count: number
  scroller: RefObject<HTMLElement | null>
  /** Until a row was in the page. */
  estimate: (index: number) => number
  keyOf: (index: number) => string
  padding?: number
  /** Stays in the page wherever the list is scrolled to. */
  kept?: number | null
}): VirtualRows {
  const { count, scroller, padding = 0, kept = null } = input
  // Its functions are called here and handed to nobody.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: input.estimate,
    getItemKey: input.keyOf,
    overscan: 6,
    paddingStart: padding,
    paddingEnd: padding,
    rangeExtractor: (range) => {
      const wanted = new Set(defaultRangeExtractor(range))
      for (const index of [...heldRows(scroller.current), ...(kept === null ? [] : [kept])]) {
        if (index >= 0 && index < count) wanted.add(index)
      }
      return [...wanted].sort((a, b) => a - b)
    },
  })
  return {
    rows: list.getVirtualItems(),
    height: list.getTotalSize(),
    measure: list.measureElement,
    show: (index, align = 'auto') => list.scrollToIndex(index, { align }),
  }
}

/** Rows that the keyboard or a selection is in: without them both would be lost. */
function heldRows(list: HTMLElement | null): number[] {
  if (!list) return []
  const { activeElement } = document
  const focused = rowAt(list, activeElement)
  const selection = getSelection()
  const ends =
    selection && !selection.isCollapsed
      ? [rowAt(list, selection.anchorNode), rowAt(list, selection.focusNode)]
      : []
  const [anchor, end] = ends.map((index) => index ?? -1)
  const selected =
    anchor === undefined || end === undefined || anchor < 0 || end < 0
      ? []
      : between(Math.min(anchor, end), Math.max(anchor, end))
  return focused === null ? selected : [...selected, focused]
}

function rowAt(list: HTMLElement, node: Node | null): number | null {
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  const row = element?.closest<HTMLElement>('[data-index]')
  return row && list.contains(row) ? Number(row.dataset.index) : null
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
