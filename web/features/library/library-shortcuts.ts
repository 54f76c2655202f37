/** Every key of the library, in the order of the help dialog. The grid itself takes the arrows. */
import type { Shortcut } from '../../ui/shortcuts.tsx'

export function libraryShortcuts(of: {
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
    if (of.hasSelection) run()
  }
  return [
    { keys: ['a'], label: 'Analyse the selection', run: withSelection(of.analyse) },
    { keys: ['m'], label: 'Move the selection', run: withSelection(of.move) },
    { keys: ['e'], label: 'Export the selection', run: withSelection(of.export) },
    { keys: ['F2'], label: 'Rename', run: withSelection(of.rename) },
    {
      keys: ['Delete', 'Backspace'],
      label: 'Delete the selection',
      run: withSelection(of.remove),
    },
    { keys: ['Ctrl+a'], label: 'Select all that match', run: of.selectAll },
    { keys: ['Escape'], label: 'Clear the selection', run: of.clear },
    { keys: ['u'], label: 'Upload', run: of.upload },
    { keys: ['/'], label: 'Search', run: of.find },
    { keys: ['g'], label: 'Grid or list', run: of.changeView },
    ...Array.from({ length: 9 }, (_, index) => ({
      keys: [String(index + 1)],
      label: `Project ${index + 1}`,
      run: () => of.goToProject(index),
    })),
    { keys: ['?'], label: 'Keyboard shortcuts', run: of.help },
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
