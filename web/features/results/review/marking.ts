/** Marks a passage, and makes it a select or a clip of a cut. */
import { useCallback, useState } from 'react'
import { showToast } from '../../../ui/toast.tsx'
import { framesOf } from '../viewer/reel.ts'
import type { Frames } from '../viewer/reel.ts'
import type { Workbench } from '../workbench-context.ts'
import { markedRange, markIn, markOut, noMarks } from './marks.ts'
import type { Marks } from './marks.ts'

export interface Marking {
  marks: Marks
  markIn: () => void
  markOut: () => void
  clear: () => void
  playMarked: () => void
  markPassage: (passage: { startFrame: number; endFrame: number }) => void
  addSelect: () => void
  addToCut: (() => void) | undefined
}

const advice = 'Mark a range first: In (I) at its first frame, Out (O) at its last.'

/** `snapFrames`: out marks that stand on one of them end before it. */
export function useMarking(workbench: Workbench, snapFrames: readonly number[]): Marking {
  const { reel, playhead, shots, state, addToCut } = workbench
  const [marks, setMarks] = useState(noMarks)
  /** The frames that became a select last, and where the playhead was then. */
  const [kept, setKept] = useState<(Frames & { at: number }) | null>(null)
  /** The marked range, else the shot at the playhead. */
  const chosenRange = (): Frames => {
    const at = playhead.frame()
    const shot = shots.find((item) => at >= item.startFrame && at < item.endFrame)
    const here = { start: shot?.startFrame ?? at, end: shot?.endFrame ?? at }
    return markedRange(marks, reel.frames) ?? here
  }
  /** The select that was just made, until other frames are marked or gone to. */
  const freshSelect = () => {
    const at = playhead.frame()
    if (!kept || markedRange(marks, reel.frames)) return undefined
    if (at !== kept.at && (at < kept.start || at > kept.end)) return undefined
    return state.review.selects.find(
      (item) => item.start_frame === kept.start && item.end_frame === kept.end,
    )
  }
  const markPassage = useCallback<Marking['markPassage']>(
    ({ startFrame, endFrame }) => {
      setMarks({ inFrame: startFrame, outFrame: endFrame })
      playhead.seek(startFrame)
    },
    [playhead],
  )
  return {
    marks,
    markPassage,
    markIn: () => setMarks(markIn(marks, playhead.frame())),
    markOut: () => setMarks(markOut(marks, playhead.frame(), snapFrames)),
    clear() {
      setMarks(noMarks)
      setKept(null)
    },
    playMarked() {
      const { inFrame, outFrame } = marks
      playhead.playPassages([{ startFrame: inFrame ?? 0, endFrame: outFrame ?? reel.frames }])
    },
    addSelect() {
      const { start, end } = chosenRange()
      if (end <= start) {
        showToast({ type: 'info', title: 'No select made', message: advice })
        return
      }
      state.addSelect({ startFrame: start, endFrame: end })
      setMarks(noMarks)
      setKept({ start, end, at: playhead.frame() })
    },
    addToCut:
      addToCut &&
      (() => {
        const select = freshSelect()
        const { start, end } = select ? framesOf(select) : chosenRange()
        const name = select ? { name: select.name } : {}
        if (end > start) addToCut([{ in: start, out: end, ...name }])
        else showToast({ type: 'info', title: 'Nothing to add', message: advice })
      }),
  }
}
