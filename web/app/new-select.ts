import type { Select } from '../../contract/footage/review.ts'
import { uniqueId } from '../../domain/unique-id.ts'

/** A select of these frames with the next free name, or the one that covers them already. */
export function newSelect(
  selects: readonly Select[],
  range: { startFrame: number; endFrame: number },
): { select: Select; isNew: boolean } {
  const same = selects.find(
    (item) => item.start_frame === range.startFrame && item.end_frame === range.endFrame,
  )
  if (same) return { select: same, isNew: false }
  const name = `Select ${nextNumber(selects)}`
  const select = {
    id: uniqueId(),
    name,
    start_frame: range.startFrame,
    end_frame: range.endFrame,
  }
  return { select, isNew: true }
}

/** Its place in the list, or more where that name is taken: no two have one name. */
function nextNumber(selects: readonly Select[]): number {
  const taken = selects.map(({ name }) => Number(/^Select (\d+)$/.exec(name)?.[1] ?? 0))
  return Math.max(selects.length, ...taken) + 1
}
