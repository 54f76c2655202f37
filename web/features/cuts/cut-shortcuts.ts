/** Every key of the cut screen, in the order of the help dialog. */
import type { Shortcut } from '../../keys/shortcuts.tsx'
import type { CutActions } from './cut-actions.ts'
import type { CutState } from './cut-state.ts'
import type { CutView } from './cut-view.ts'
import type { CutPlayer } from './player/cut-player.ts'

export function cutShortcuts(input: {
  state: CutState
  view: CutView
  player: CutPlayer
  actions: CutActions
  find: () => void
  sources: () => void
  leavePreview: () => void
  zoom: (direction: 1 | -1) => void
  open: (dialog: 'help' | 'export') => void
}): Shortcut[] {
  const { player, actions, state } = input
  const second = Math.round(input.view.framesPerSecond)
  const current = (run: (id: string) => void) => () => {
    if (actions.currentId) run(actions.currentId)
  }
  const word = (direction: 1 | -1, isExtending: boolean) => () =>
    actions.goToWord(direction, isExtending)
  return [
    { keys: [' '], label: 'Play or pause', run: player.toggle },
    { keys: ['j'], label: 'Play backwards, faster each time', run: () => player.shuttle(-1) },
    { keys: ['k'], label: 'Stop', run: player.stop },
    { keys: ['l'], label: 'Play forwards, faster each time', run: () => player.shuttle(1) },
    { keys: ['m'], label: 'Mute', run: player.toggleSound },
    { keys: ['ArrowLeft'], label: 'Back one frame', run: () => player.step(-1) },
    { keys: ['ArrowRight'], label: 'Forward one frame', run: () => player.step(1) },
    { keys: ['Shift+ArrowLeft'], label: 'Back one second', run: () => player.step(-second) },
    { keys: ['Shift+ArrowRight'], label: 'Forward one second', run: () => player.step(second) },
    { keys: ['Home'], label: 'First frame', run: () => player.seek(0) },
    { keys: ['End'], label: 'Last frame', run: () => player.seek(input.view.frames - 1) },
    { keys: ['ArrowUp'], label: 'Previous seam', run: () => actions.goToSeam(-1) },
    { keys: ['ArrowDown'], label: 'Next seam', run: () => actions.goToSeam(1) },
    { keys: ['Ctrl+ArrowLeft'], label: 'Previous word', run: word(-1, false) },
    { keys: ['Ctrl+ArrowRight'], label: 'Next word', run: word(1, false) },
    { keys: ['Ctrl+Shift+ArrowLeft'], label: 'Select the word before', run: word(-1, true) },
    { keys: ['Ctrl+Shift+ArrowRight'], label: 'Select the next word', run: word(1, true) },
    {
      keys: ['Backspace', 'Delete'],
      label: 'Remove words, or bring them back',
      run: () => actions.strikeSelected(),
    },
    {
      keys: ['Alt+Backspace'],
      label: 'Remove words without snapping',
      run: () => actions.strikeSelected('exactly'),
    },
    { keys: ['Shift+Backspace'], label: 'Remove the clip', run: current(actions.remove) },
    { keys: ['s'], label: 'Split at the playhead', run: actions.split },
    { keys: ['d'], label: 'Duplicate the clip', run: current(actions.duplicate) },
    { keys: ['x'], label: 'Switch the clip off or on', run: current(actions.toggleOff) },
    { keys: ['Alt+ArrowUp'], label: 'Move the clip up', run: () => actions.move(-1) },
    { keys: ['Alt+ArrowDown'], label: 'Move the clip down', run: () => actions.move(1) },
    { keys: ['n'], label: 'Snap to cut points', run: actions.toggleSnapping },
    { keys: ['+', '='], label: 'Zoom in', run: () => input.zoom(1) },
    { keys: ['-'], label: 'Zoom out', run: () => input.zoom(-1) },
    { keys: ['f', 'a'], label: 'Search sources to add', run: input.sources },
    { keys: ['r'], label: 'Show or hide removed words', run: actions.toggleRemoved },
    { keys: ['Ctrl+z'], label: 'Undo', run: state.undo },
    { keys: ['Ctrl+Shift+z', 'Ctrl+y'], label: 'Redo', run: state.redo },
    { keys: ['e'], label: 'Export', run: () => input.open('export') },
    { keys: ['/'], label: 'Find in this cut', run: input.find },
    { keys: ['Escape'], label: 'Back to the cut from a source', run: input.leavePreview },
    { keys: ['?'], label: 'Keyboard shortcuts', run: () => input.open('help') },
  ]
}
