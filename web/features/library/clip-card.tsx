import { Check } from 'lucide-react'
import { memo } from 'react'
import type { DragEvent, MouseEvent } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { classes } from '../../ui/classes.ts'
import { ClipName } from './clip-name.tsx'
import { ClipState } from './clip-state.tsx'
import { Length, Poster } from '../../clips/poster.tsx'
import { markText, rateText, startText } from '../../clips/clip-text.ts'
import { useScrub } from './scrub.tsx'

export interface ClipActions {
  onChoose: (id: string, how: 'only' | 'range' | 'toggle') => void
  onOpen: (clip: ContentItem) => void
  /** A finger has no double click: it opens, or chooses one more where some are chosen. */
  onTap: (clip: ContentItem) => void
  onRename: (clip: ContentItem, name: string) => void
  onDrag: (clip: ContentItem, event: DragEvent) => void
  /** Asks for an analysis of it once more. */
  onRetry: (clip: ContentItem) => void
}

interface Props extends ClipActions {
  clip: ContentItem
  isSelected: boolean
  isFocused: boolean
  isRenaming: boolean
}

const overlay = 'absolute bottom-1 rounded-sm bg-[oklch(0%_0_0/70%)] px-1 text-xs text-[white]'

export const ClipCard = memo(function ClipCard({ clip, isSelected, isFocused, ...props }: Props) {
  const scrub = useScrub(clip)
  const marks = markText(clip)
  const state = isSelected ? 'border-brand bg-brand-wash' : 'border-transparent'
  return (
    // The grid takes the keys for all of its clips.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      aria-selected={isSelected}
      data-clip={clip.id}
      tabIndex={isFocused ? 0 : -1}
      draggable
      onDragStart={(event) => props.onDrag(clip, event)}
      onClick={(event) => clickOn(clip, event, props)}
      onContextMenu={(event) => holdOn(clip, event, props)}
      onDoubleClick={() => props.onOpen(clip)}
      className={classes('group flex min-w-0 flex-col gap-1 rounded-md border-2 p-0.5', state)}
    >
      <div
        className="relative aspect-video overflow-hidden rounded-sm bg-surround"
        {...scrub.handlers}
      >
        <div className={clip.rating < 0 ? 'size-full opacity-40' : 'contents'}>
          <Poster clip={clip} />
        </div>
        {scrub.overlay}
        <SelectBox clip={clip} isSelected={isSelected} onChoose={props.onChoose} />
        {marks && (
          <span className={classes(overlay, 'left-1')} title={clip.keywords.join(', ')}>
            {marks}
          </span>
        )}
        <Length clip={clip} />
      </div>
      <div className="flex h-5 px-1">
        <ClipName clip={clip} isRenaming={props.isRenaming} onRename={props.onRename} />
      </div>
      <div className="flex justify-between gap-2 px-1 text-xs text-ink-3">
        <span className="timecode truncate">{startText(clip) || '–'}</span>
        <span className="figures shrink-0">{rateText(clip)}</span>
      </div>
      <div className="flex h-4 px-1">
        <ClipState clip={clip} onRetry={() => props.onRetry(clip)} />
      </div>
    </div>
  )
})

export function clickOn(clip: ContentItem, event: MouseEvent, actions: ClipActions): void {
  if (isByFinger(event)) actions.onTap(clip)
  else actions.onChoose(clip.id, howOf(event))
}

/** Holding a finger on a clip selects it; the mouse's other button keeps the browser's menu. */
export function holdOn(clip: ContentItem, event: MouseEvent, actions: ClipActions): void {
  if (!isByFinger(event)) return
  event.preventDefault()
  actions.onChoose(clip.id, 'toggle')
}

function isByFinger(event: MouseEvent): boolean {
  return (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
}

function howOf(event: MouseEvent): 'only' | 'range' | 'toggle' {
  if (event.shiftKey) return 'range'
  return event.metaKey || event.ctrlKey ? 'toggle' : 'only'
}

/** Hit area over the corner of the poster, so that choosing one more never needs a key. */
export function SelectBox({
  clip,
  isSelected,
  onChoose,
}: {
  clip: ContentItem
  isSelected: boolean
  onChoose: ClipActions['onChoose']
}) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      aria-label={`Select ${clip.file_name}`}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation()
        onChoose(clip.id, event.shiftKey ? 'range' : 'toggle')
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      className={classes(
        'absolute top-0 left-0 grid size-8 place-items-center pointer-coarse:size-11',
        !isSelected &&
          'opacity-0 group-hover:opacity-100 focus:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <span
        className={classes(
          'grid size-4.5 place-items-center rounded-sm border',
          isSelected
            ? 'border-brand bg-brand text-on-brand'
            : 'border-[white] bg-[oklch(0%_0_0/50%)]',
        )}
      >
        {isSelected && <Check size={14} strokeWidth={3} aria-hidden />}
      </span>
    </button>
  )
}
