/** Draws of a long grid of equal cards those in view: thousands would make every change slow. */
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

export interface CardShape {
  minWidth: number
  gap: number
  /** Height of a card's picture as a share of its width; the text comes below. */
  ratio: number
  captionHeight: number
}

export interface CardWindow {
  first: number
  /** The first that is no longer drawn. */
  end: number
  /** Room for those above and below that are not drawn. */
  above: number
  below: number
  /** The card with the focus, where it is beyond those. */
  kept: number | null
}

/** Drawn before it is known how many are in view. */
const firstCards = 20
const atFirst: CardWindow = { first: 0, end: firstCards, above: 0, below: 0, kept: null }
/** Rows beyond the edges, so that scrolling finds them drawn. */
const spareRows = 2

export function useCardWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  shape: CardShape,
): CardWindow {
  const [view, setView] = useState<CardWindow>(atFirst)
  useEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = (): void => {
      const drawn = windowOf(element.getBoundingClientRect(), count, shape)
      const next = { ...drawn, kept: keptCard(element, drawn) }
      setView((before) => (isSame(before, next) ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Whatever scrolls, the panel or the page: scroll events do not bubble, but they are captured.
    addEventListener('scroll', measure, { capture: true, passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', measure, { capture: true })
    }
  }, [list, count, shape])
  return view
}

function windowOf(
  box: { top: number; width: number },
  count: number,
  shape: CardShape,
): Omit<CardWindow, 'kept'> {
  const { gap } = shape
  const columns = Math.max(1, Math.floor((box.width + gap) / (shape.minWidth + gap)))
  const width = (box.width - gap * (columns - 1)) / columns
  const rowHeight = width * shape.ratio + shape.captionHeight + gap
  const rows = Math.ceil(count / columns)
  const firstRow = Math.min(
    Math.max(0, rows - 1),
    Math.max(0, Math.floor(-box.top / rowHeight) - spareRows),
  )
  const endRow = Math.min(rows, Math.ceil((innerHeight - box.top) / rowHeight) + spareRows)
  const lastRow = Math.max(firstRow + 1, endRow)
  return {
    first: firstRow * columns,
    end: Math.min(count, lastRow * columns),
    above: firstRow * rowHeight,
    below: Math.max(0, rows - lastRow) * rowHeight,
  }
}

/** Without its card the focus would be lost. */
function keptCard(list: HTMLElement, drawn: { first: number; end: number }): number | null {
  const card = document.activeElement?.closest('[aria-posinset]')
  if (!card || !list.contains(card)) return null
  const index = Number(card.getAttribute('aria-posinset')) - 1
  return index < drawn.first || index >= drawn.end ? index : null
}

/** The indexes of all cards in the page, in order. */
export function cardsIn({ first, end, kept }: CardWindow, count: number): number[] {
  const last = Math.min(end, count)
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  if (kept === null || kept >= count) return drawn
  return kept < first ? [kept, ...drawn] : [...drawn, kept]
}

function isSame(a: CardWindow, b: CardWindow): boolean {
  return a.first === b.first && a.end === b.end && a.below === b.below && a.kept === b.kept
}
