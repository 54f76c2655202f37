/** Every key of the review screen, in the order of the help dialog. */
import type { Shortcut } from '../../../keys/shortcuts.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'
import type { Zoom } from '../timeline/timeline.tsx'

export interface ReviewActions {
  toShot: (direction: 1 | -1) => void
  toCutPoint: (direction: 1 | -1) => void
  markIn: () => void
  markOut: () => void
  clear: () => void
  playMarked: () => void
  addSelect: () => void
  addToCut?: () => void
  undo: () => void
  redo: () => void
  correctWords: () => void
  splitShot: () => void
  mergeShot: () => void
  snap: () => void
  zoom: (direction: Zoom) => void
  fullScreen: () => void
  export: () => void
  find: () => void
  help: () => void
}

export function shortcutList(reel: Reel, playhead: Playhead, actions: ReviewActions): Shortcut[] {
  const second = Math.round(reel.framesPerSecond)
  return [
    { keys: [' '], label: 'Play or pause', run: () => playhead.toggle() },
    {
      keys: ['j'],
      label: 'Play backwards, faster with each press',
      run: () => playhead.shuttle(-1),
    },
    { keys: ['k'], label: 'Stop', run: () => playhead.stop() },
    { keys: ['l'], label: 'Play forwards, faster with each press', run: () => playhead.shuttle(1) },
    { keys: ['p'], label: 'Play in to out', run: actions.playMarked },
    { keys: ['r'], label: 'Loop', run: () => playhead.toggleLoop() },
    { keys: ['m'], label: 'Mute', run: () => playhead.toggleSound() },
    { keys: ['f'], label: 'Full screen', run: actions.fullScreen },
    { keys: ['ArrowLeft'], label: 'Back one frame', run: () => playhead.step(-1) },
    { keys: ['ArrowRight'], label: 'Forward one frame', run: () => playhead.step(1) },
    { keys: ['Shift+ArrowLeft'], label: 'Back one second', run: () => playhead.step(-second) },
    { keys: ['Shift+ArrowRight'], label: 'Forward one second', run: () => playhead.step(second) },
    { keys: ['ArrowUp'], label: 'Previous shot', run: () => actions.toShot(-1) },
    { keys: ['ArrowDown'], label: 'Next shot', run: () => actions.toShot(1) },
    { keys: ['Shift+ArrowUp'], label: 'Previous cut point', run: () => actions.toCutPoint(-1) },
    { keys: ['Shift+ArrowDown'], label: 'Next cut point', run: () => actions.toCutPoint(1) },
    { keys: ['Home'], label: 'First frame', run: () => playhead.seek(0) },
    { keys: ['End'], label: 'Last frame', run: () => playhead.seek(reel.frames - 1) },
    { keys: ['i'], label: 'Mark in', run: actions.markIn },
    { keys: ['o'], label: 'Mark out', run: actions.markOut },
    { keys: ['x'], label: 'Clear in and out', run: actions.clear },
    { keys: ['h'], label: 'Highlight as a select', run: actions.addSelect },
    ...(actions.addToCut ? [{ keys: ['a'], label: 'Add to a cut', run: actions.addToCut }] : []),
    { keys: ['c', 'Enter'], label: 'Correct the words here', run: actions.correctWords },
    { keys: ['b'], label: 'Split the shot here', run: actions.splitShot },
    { keys: ['n'], label: 'Merge the shot with the next', run: actions.mergeShot },
    { keys: ['Ctrl+z'], label: 'Undo', run: actions.undo },
    { keys: ['Ctrl+Shift+z'], label: 'Redo', run: actions.redo },
    { keys: ['s'], label: 'Snap to cuts', run: actions.snap },
    { keys: ['+', '='], label: 'Zoom in', run: () => actions.zoom(1) },
    { keys: ['-'], label: 'Zoom out', run: () => actions.zoom(-1) },
    { keys: ['\\'], label: 'Fit the timeline', run: () => actions.zoom(0) },
    { keys: ['e'], label: 'Export', run: actions.export },
    { keys: ['/'], label: 'Find in the transcript', run: actions.find },
    { keys: ['?'], label: 'Keyboard shortcuts', run: actions.help },
  ]
}
