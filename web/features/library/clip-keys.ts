import { belongsTo, pathOf } from '../../keys/key-owner.ts'
import type { Focused } from '../../keys/key-owner.ts'

/** Keys act on clips from a clip or the empty grid, not from cards of uploads nor from buttons. */
export function isForClips(target: Focused, key: string): boolean {
  const isHere =
    target.getAttribute('data-scroller') !== null ||
    pathOf(target).some((element) => element.getAttribute('data-clip') !== null)
  return isHere && !belongsTo(target, key)
}
