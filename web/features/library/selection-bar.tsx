import {
  AudioLines,
  Download,
  Ellipsis,
  FolderInput,
  Pencil,
  Sparkles,
  Trash2,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { totalText } from '../../app/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useNarrow } from '../../dom/narrow.ts'
import type { Selection } from './selection.ts'

interface Props {
  selection: Selection
  /** How many of the chosen ones are loaded. */
  shownCount: number
  onAnalyse: () => void
  onMove: () => void
  onRename: () => void
  onExport: () => void
  /** Absent where the choice cannot be synced. */
  onSync?: (() => void) | undefined
  onDelete: () => void
}

/** Floats over the lower edge while clips are chosen; a sheet of large buttons on a phone. */
export function SelectionBar(props: Props) {
  const isNarrow = useNarrow()
  if (props.selection.ids.size === 0) return null
  return isNarrow ? <Sheet {...props} /> : <Bar {...props} />
}

function Bar({ selection, ...props }: Props) {
  return (
    <div
      role="toolbar"
      aria-label="Selected clips"
      className="absolute inset-x-4 bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-brand/50 bg-panel px-3 py-2 shadow-float"
    >
      <Count selection={selection} shownCount={props.shownCount} />
      <Button look="primary" onClick={props.onAnalyse}>
        <Sparkles size={14} aria-hidden /> Analyse… <Kbd>W</Kbd>
      </Button>
      <Button look="quiet" onClick={props.onMove}>
        <FolderInput size={14} aria-hidden /> Move <Kbd>M</Kbd>
      </Button>
      {selection.ids.size === 1 && (
        <Button look="quiet" onClick={props.onRename}>
          <Pencil size={14} aria-hidden /> Rename <Kbd>F2</Kbd>
        </Button>
      )}
      <Button look="quiet" onClick={props.onExport}>
        <Download size={14} aria-hidden /> Export <Kbd>E</Kbd>
      </Button>
      {props.onSync && (
        <Button look="quiet" onClick={props.onSync}>
          <AudioLines size={14} aria-hidden /> Sync by sound
        </Button>
      )}
      <Button look="quiet" onClick={props.onDelete} className="text-bad!">
        <Trash2 size={14} aria-hidden /> Delete
      </Button>
      <IconButton label="Clear selection" onClick={selection.clear}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

function Sheet({ selection, ...props }: Props) {
  return (
    <div
      role="toolbar"
      aria-label="Selected clips"
      className="absolute inset-x-0 bottom-0 z-20 rounded-t-lg border-t border-line bg-panel px-3 pt-1 pb-3 shadow-float"
    >
      <div className="flex items-center">
        <Count selection={selection} shownCount={props.shownCount} />
        <span className="grow" />
        <MoreMenu {...props} canRename={selection.ids.size === 1} />
        <IconButton label="Clear selection" onClick={selection.clear}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div className="grid grid-cols-4 gap-2">
        <Button look="primary" className={tall} onClick={props.onAnalyse}>
          <Sparkles size={18} aria-hidden /> Analyse…
        </Button>
        <Button look="quiet" className={tall} onClick={props.onMove}>
          <FolderInput size={18} aria-hidden /> Move
        </Button>
        <Button look="quiet" className={tall} onClick={props.onExport}>
          <Download size={18} aria-hidden /> Export
        </Button>
        <Button look="quiet" className={classes(tall, 'text-bad!')} onClick={props.onDelete}>
          <Trash2 size={18} aria-hidden /> Delete
        </Button>
      </div>
    </div>
  )
}

/** Actions without room among the four large buttons of a phone. */
function MoreMenu({
  canRename,
  onRename,
  onSync,
}: Pick<Props, 'onRename' | 'onSync'> & { canRename: boolean }): ReactNode {
  if (!canRename && !onSync) return null
  return (
    <Menu
      trigger={
        <IconButton label="More">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {canRename && (
        <MenuItem onSelect={onRename}>
          <Pencil size={14} aria-hidden /> Rename
        </MenuItem>
      )}
      {onSync && (
        <MenuItem onSelect={onSync}>
          <AudioLines size={14} aria-hidden /> Sync by sound
        </MenuItem>
      )}
    </Menu>
  )
}

const tall = 'h-13! flex-col gap-0.5! px-1!'

function Count({ selection, shownCount }: Pick<Props, 'selection' | 'shownCount'>) {
  const count = selection.ids.size
  return (
    <p className="px-1 text-sm" aria-live="polite">
      <span className="font-semibold">{count.toLocaleString('en-US')} selected</span>
      <span className="figures text-ink-3">
        {shownCount < count && `, ${shownCount.toLocaleString('en-US')} shown`} ·{' '}
        {totalText(selection.seconds)}
      </span>
    </p>
  )
}
