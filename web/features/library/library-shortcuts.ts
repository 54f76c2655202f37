/** Every key of the library, in the order of the help dialog. The grid itself takes the arrows. */
import type { Shortcut } from '../../keys/shortcuts.tsx'

export function libraryShortcuts(input: {
  hasSelection: boolean
  analyse: () => void
  move: () => void
  export: () => void
  remove: () => void
  rename: () => void
  upload: () => void
  find: () => void
  selectAll: () => void
  clear: () => void
  changeView: () => void
  goToProject: (index: number) => void
  help: () => void
}): Shortcut[] {
  const withSelection = (run: () => void) => () => {
    if (input.hasSelection) run()
  }
  return [
    { keys: ['a'], label: 'Analyse the selection', run: withSelection(input.analyse) },
    { keys: ['m'], label: 'Move the selection', run: withSelection(input.move) },
    { keys: ['e'], label: 'Export the selection', run: withSelection(input.export) },
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
    ...Array.from({ length: 9 }, (_, index) => ({
      keys: [String(index + 1)],
      label: `Project ${index + 1}`,
      run: () => input.goToProject(index),
    })),
    { keys: ['?'], label: 'Keyboard shortcuts', run: input.help },
  ]
}

/** Keys of the grid, for the help dialog. */
export const gridKeys: readonly Shortcut[] = [
  { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], label: 'Go to a clip', run: noop },
  { keys: ['Shift+ArrowRight'], label: 'Select up to the next clip', run: noop },
  { keys: [' ', 'x'], label: 'Select or not', run: noop },
  { keys: ['Enter'], label: 'Open the review', run: noop },
]

function noop(): void {
  // The grid answers these keys itself.
}
