/** Whether a press that began here selected words: they stay selected through later clicks. */
export interface Ends {
  anchorNode: unknown
  anchorOffset: number
  focusNode: unknown
  focusOffset: number
}

export function createSelectionGesture(): {
  press: (isHere: boolean, selected: Ends | null) => void
  /** The selection changed, perhaps to what it was before. */
  change: () => void
  /** True where this press selected something. */
  release: (selected: Ends | null) => boolean
} {
  let before: { ends: Ends | null; isChanged: boolean } | null = null
  return {
    press(isHere, selected) {
      before = isHere ? { ends: selected && copyOf(selected), isChanged: false } : null
    },
    change() {
      if (before) before.isChanged = true
    },
    release(selected) {
      const pressed = before
      before = null
      return pressed !== null && (pressed.isChanged || !isSame(pressed.ends, selected))
    },
  }
}

/** The browser changes one object for all selections. */
function copyOf({ anchorNode, anchorOffset, focusNode, focusOffset }: Ends): Ends {
  return { anchorNode, anchorOffset, focusNode, focusOffset }
}

function isSame(a: Ends | null, b: Ends | null): boolean {
  return (
    a?.anchorNode === b?.anchorNode &&
    a?.anchorOffset === b?.anchorOffset &&
    a?.focusNode === b?.focusNode &&
    a?.focusOffset === b?.focusOffset
  )
}
