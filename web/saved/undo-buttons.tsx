import { Redo2, Undo2 } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'

export function UndoButtons({
  state,
  size,
}: {
  state: { canUndo: boolean; canRedo: boolean; undo: () => void; redo: () => void }
  size: number
}) {
  return (
    <>
      <IconButton label="Undo (Ctrl Z)" aria-disabled={!state.canUndo} onClick={state.undo}>
        <Undo2 size={size} aria-hidden />
      </IconButton>
      <IconButton label="Redo (Ctrl Shift Z)" aria-disabled={!state.canRedo} onClick={state.redo}>
        <Redo2 size={size} aria-hidden />
      </IconButton>
    </>
  )
}
