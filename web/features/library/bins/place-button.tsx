import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { DragEvent, KeyboardEvent, ReactNode } from 'react'
import type { Place } from '../../../../contract/footage/content.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Menu } from '../../../ui/menu.tsx'
import { draggedBin, draggedClips } from '../drag.ts'

interface Props {
  icon: ReactNode
  isCurrent: boolean
  count?: number | undefined
  /** Files that are dropped here are added to it. */
  place?: Place
  depth?: number
  /** Absent where nothing is below it. */
  isOpen?: boolean | undefined
  menu?: ReactNode
  onToggle?: () => void
  onShow: () => void
  onDropClips?: (ids: string[]) => void
  onDropBin?: (id: string) => void
  onDrag?: (event: DragEvent) => void
  onKey?: (event: KeyboardEvent) => void
  children: string
}

/** A place of the sidebar: shows its clips, and takes clips, bins and files that are dropped. */
export function PlaceButton({
  icon,
  isCurrent,
  count,
  place,
  depth = 0,
  isOpen,
  menu,
  onToggle,
  onShow,
  onDropClips,
  onDropBin,
  onDrag,
  onKey,
  children,
}: Props) {
  const drops = useDrops(onDropClips, onDropBin)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="group/place relative flex flex-col">
      <button
        type="button"
        aria-current={isCurrent ? 'page' : undefined}
        aria-expanded={isOpen}
        title={children}
        data-place={place && `${place.project_id ?? 'none'} ${place.bin_id ?? ''}`}
        draggable={onDrag !== undefined}
        onDragStart={onDrag}
        onClick={onShow}
        onKeyDown={(event) => {
          const turns = isOpen ? 'ArrowLeft' : 'ArrowRight'
          if (isOpen !== undefined && event.key === turns) onToggle?.()
          else onKey?.(event)
        }}
        {...drops.handlers}
        style={{ paddingLeft: 8 + depth * 16 }}
        className={classes(
          'flex h-8 items-center gap-2.5 rounded-md border pr-2 text-left text-sm pointer-coarse:h-11',
          drops.isOver ? 'border-brand' : 'border-transparent',
          isCurrent ? 'bg-hover font-medium' : 'text-ink-2 hover:bg-hover hover:text-ink',
        )}
      >
        <span className="grid w-4 shrink-0 place-items-center text-ink-3">
          {isOpen === undefined ? icon : null}
        </span>
        <span className="grow truncate">{children}</span>
        {count !== undefined && (
          <span
            className={classes(
              'figures text-xs text-ink-3',
              !!menu && 'group-focus-within/place:pr-6 group-hover/place:pr-6',
            )}
          >
            {count.toLocaleString('en-US')}
          </span>
        )}
      </button>
      {isOpen !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${children}`}
          onClick={onToggle}
          style={{ left: depth * 16 }}
          className="absolute top-0 grid h-8 w-8 place-items-center text-ink-3 hover:text-ink pointer-coarse:h-11"
        >
          <Chevron size={14} aria-hidden />
        </button>
      )}
      {menu && <More name={children}>{menu}</More>}
    </div>
  )
}

function More({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="absolute top-0.5 right-0 opacity-0 group-focus-within/place:opacity-100 group-hover/place:opacity-100 pointer-coarse:opacity-100">
      <Menu
        trigger={
          <IconButton label={`More of ${name}`}>
            <Ellipsis size={14} aria-hidden />
          </IconButton>
        }
      >
        {children}
      </Menu>
    </span>
  )
}

function useDrops(onDropClips: Props['onDropClips'], onDropBin: Props['onDropBin']) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    const takes = (onDropClips && draggedClips(event)) || (onDropBin && draggedBin(event) !== null)
    if (!takes) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    setOver(false)
    const ids = draggedClips(event)
    const bin = draggedBin(event)
    if (!ids && !bin) return
    event.preventDefault()
    if (ids) onDropClips?.(ids)
    else if (bin) onDropBin?.(bin)
  }
  return {
    isOver,
    handlers: { onDragOver: over, onDragLeave: () => setOver(false), onDrop: drop },
  }
}
