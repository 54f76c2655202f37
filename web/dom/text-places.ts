/** From characters of a shown text to places in the page, and back. */

export function rangeOfText(
  text: Element,
  { from, to }: { from: number; to: number },
): StaticRange {
  const start = placeIn(text, from + 1)
  const end = placeIn(text, to)
  return new StaticRange({
    startContainer: start.node,
    startOffset: start.offset - 1,
    endContainer: end.node,
    endOffset: end.offset,
  })
}

/** Finds the characters of a text that a selection covers; nothing where it lies outside. */
export function selectedIn(text: Element, selection: Range): { from: number; to: number } | null {
  if (!selection.intersectsNode(text)) return null
  const whole = document.createRange()
  whole.selectNodeContents(text)
  const length = whole.toString().length
  const from = text.contains(selection.startContainer)
    ? offsetOf(text, selection.startContainer, selection.startOffset)
    : 0
  const to = text.contains(selection.endContainer)
    ? offsetOf(text, selection.endContainer, selection.endOffset)
    : selection.comparePoint(text, 0) > 0
      ? 0
      : length
  return to > from ? { from, to } : null
}

export function offsetOf(text: Element, node: Node, offset: number): number {
  const before = document.createRange()
  before.setStart(text, 0)
  before.setEnd(node, offset)
  return before.toString().length
}

function placeIn(text: Element, offset: number): { node: Node; offset: number } {
  const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  let rest = offset
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (rest <= length) return { node, offset: rest }
    rest -= length
  }
  return { node: text, offset: 0 }
}
