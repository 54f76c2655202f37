/** A list of thousands in pieces: those near the window are drawn, the others keep their room. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { piecesOf } from './list-pieces.ts'

/** Drawn beyond the edges, so that scrolling finds them there. */
const sparePixels = '600px 0px'

export function LongList({
  count,
  rowHeight,
  row,
}: {
  count: number
  /** Estimated height of a row, used until it was drawn. */
  rowHeight: number
  row: (index: number) => ReactNode
}) {
  return (
    <div className="-mx-3 border-t border-line">
      {piecesOf(count).map(({ first, end }) => (
        <Piece key={first} first={first} end={end} rowHeight={rowHeight} row={row} />
      ))}
    </div>
  )
}

function Piece({
  first,
  end,
  rowHeight,
  row,
}: {
  first: number
  end: number
  rowHeight: number
  row: (index: number) => ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const [isNear, setNear] = useState(first === 0)
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return undefined
    // The margin of the window does not reach into a panel that scrolls by itself; the other does.
    const margins = { rootMargin: sparePixels, scrollMargin: sparePixels }
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1)
      if (!entry) return
      // The piece with the focus stays.
      const isKept = entry.isIntersecting || element.contains(document.activeElement)
      if (!isKept && element.childElementCount > 0) setHeight(element.offsetHeight)
      setNear(isKept)
    }, margins)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <ul
      ref={list}
      className="divide-y divide-line border-b border-line"
      style={isNear ? undefined : { height: height ?? (end - first) * rowHeight }}
    >
      {isNear && Array.from({ length: end - first }, (_, at) => row(first + at))}
    </ul>
  )
}
