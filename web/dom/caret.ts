import type { MouseEvent } from 'react'

/** How many characters of an element stand before the place that was pressed. */
export function offsetUnder(event: MouseEvent): number | null {
  const at = caretAt(event.clientX, event.clientY)
  if (!at || !event.currentTarget.contains(at.node)) return null
  const before = document.createRange()
  before.setStart(event.currentTarget, 0)
  before.setEnd(at.node, at.offset)
  return before.toString().length
}

/** Safari has only the older call before version 18.4. */
function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const at = document.caretPositionFromPoint(x, y)
    return at && { node: at.offsetNode, offset: at.offset }
  }
  const older = document as { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  const range = older.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}
