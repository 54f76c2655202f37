/** Every key of the library, in the order of the help dialog. The grid itself takes the arrows. */
import { clipMarks } from '../../../domain/clip-marks.ts'
import { characterOf, isControlHeld } from '../../keys/key-name.ts'
import type { PressedKey } from '../../keys/key-name.ts'
import type { Shortcut } from '../../keys/shortcuts.tsx'

/** 0 to 5 and X, pressed alone. */
export function ratingByKey(event: PressedKey): number | null {
  const character = characterOf(event)
  if (isControlHeld(event) || event.altKey) return null
  if (character === 'x') return clipMarks.reject
  return /^[0-5]$/.test(character) ? Number(character) : null
}

export function libraryShortcuts(input: {
  hasSelection: boolean
  analyse: () => void
  move: () => void
  rate: (rating: number) => void
  keywords: () => void
  export: () => void
  remove: () => void
  rename: () => void
  upload: () => void
  find: () => void
  selectAll: () => void
  clear: () => void
  changeView: () => void
  help: () => void
}): Shortcut[] {
  const withSelection = (run: () => void) => () => {
    if (input.hasSelection) run()
  }
  return [
    { keys: ['w'], label: 'Analyse the selection', run: withSelection(input.analyse) },
    { keys: ['m'], label: 'Move the selection', run: withSelection(input.move) },
    { keys: ['e'], label: 'Export the selection', run: withSelection(input.export) },
    ...Array.from({ length: 6 }, (_, rating) => ({
      keys: [String(rating)],
      label: rating === 0 ? 'No rating' : `Rate ${rating}`,
      run: withSelection(() => input.rate(rating)),
    })),
    { keys: ['x'], label: 'Reject', run: withSelection(() => input.rate(clipMarks.reject)) },
    { keys: ['k'], label: 'Keywords', run: withSelection(input.keywords) },
    { keys: ['F2'], label: 'Rename', run: withSelection(input.rename) },
    {
      keys: ['Delete', 'Backspace'],
      label: 'Delete the selection',
      run: withSelection(input.remove),
    },
    { keys: ['Ctrl+a'], label: 'Select all that match', run: input.selectAll },
    { keys: ['Escape'], label: 'Clear the selection', run: input.clear },
    { keys: ['u'], label: 'Upload', run: input.upload },
    { keys: ['/'], label: 'Search', run: input.find },
    { keys: ['g'], label: 'Grid or list', run: input.changeView },
    { keys: ['?'], label: 'Keyboard shortcuts', run: input.help },
  ]
}

/** Keys of the grid, for the help dialog. */
export const gridKeys: readonly Shortcut[] = [
  { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], label: 'Go to a clip', run: noop },
  { keys: ['Shift+ArrowRight'], label: 'Select up to the next clip', run: noop },
  { keys: [' '], label: 'Select or not', run: noop },
  { keys: ['Enter'], label: 'Open the review', run: noop },
]

function noop(): void {
  // The grid answers these keys itself.
}
