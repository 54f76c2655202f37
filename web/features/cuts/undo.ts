/** Undo and redo of an open cut: what it was before each change, and what each undo took back. */
import type { Cut } from '../../../contract/footage/cuts.ts'
import { bodyOf } from './unsent-cut.ts'
import type { CutBody } from './unsent-cut.ts'

const maxUndone = 200

export function createUndo() {
  let past: Cut[] = []
  let future: Cut[] = []
  /** Goes one step along one of the two histories; null at its end. */
  const travel = (from: Cut[], to: Cut[], now: Cut): CutBody | null => {
    const next = from.pop()
    if (!next) return null
    to.push(now)
    return bodyOf(next)
  }
  return {
    /** A change ends what could be redone. */
    record(before: Cut): void {
      past = [...past.slice(1 - maxUndone), before]
      future = []
    },
    undo: (now: Cut) => travel(past, future, now),
    redo: (now: Cut) => travel(future, past, now),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  }
}
