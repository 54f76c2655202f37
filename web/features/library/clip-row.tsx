import { memo } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { date, lengthText } from '../../app/format.ts'
import { classes } from '../../ui/classes.ts'
import { Poster } from '../../clips/poster.tsx'
import { clickOn, holdOn, SelectBox } from './clip-card.tsx'
import type { ClipActions } from './clip-card.tsx'
import { ClipName } from './clip-name.tsx'
import { ClipState } from './clip-state.tsx'
import { markText, rateText, startText } from '../../clips/clip-text.ts'
import { fileSize } from '../../app/file-size.ts'

interface Props extends ClipActions {
  clip: ContentItem
  projectName: string
  /** Counted from 1 over all clips. */
  rowIndex: number
  isSelected: boolean
  isFocused: boolean
  isRenaming: boolean
}

export const rowColumns =
  'grid grid-cols-[72px_minmax(0,1fr)_64px_72px_80px_104px_92px_128px_168px] items-center gap-3 @max-5xl:grid-cols-[72px_minmax(0,1fr)_56px_64px_88px_160px]'

/** Columns that a narrow list leaves to the name. */
export const leavesFirst = '@max-5xl:hidden'

export const ClipRow = memo(function ClipRow({ clip, isSelected, isFocused, ...props }: Props) {
  return (
    // The grid takes the keys for all of its clips.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      data-clip={clip.id}
      tabIndex={isFocused ? 0 : -1}
      draggable
      onDragStart={(event) => props.onDrag(clip, event)}
      onClick={(event) => clickOn(clip, event, props)}
      onContextMenu={(event) => holdOn(clip, event, props)}
      onDoubleClick={() => props.onOpen(clip)}
      className={classes(
        rowColumns,
        'group h-11 rounded-sm px-2 text-sm',
        isSelected ? 'bg-brand-wash' : 'hover:bg-hover',
      )}
    >
      <span role="gridcell" className="relative h-9 w-16 overflow-hidden rounded-sm bg-surround">
        <Poster clip={clip} />
        <SelectBox clip={clip} isSelected={isSelected} onChoose={props.onChoose} />
      </span>
      <span role="gridcell" className="flex min-w-0">
        <ClipName clip={clip} isRenaming={props.isRenaming} onRename={props.onRename} />
        <span className="shrink-0 text-xs text-ink-3" title={clip.keywords.join(', ')}>
          {markText(clip)}
        </span>
      </span>
      <Cell>{clip.media && clip.media.duration > 0 ? lengthText(clip.media.duration) : ''}</Cell>
      <Cell>{rateText(clip)}</Cell>
      <Cell className={leavesFirst}>{clip.file_size === null ? '' : fileSize(clip.file_size)}</Cell>
      <Cell className={leavesFirst}>{startText(clip)}</Cell>
      <Cell>{date(clip.created_at)}</Cell>
      <span role="gridcell" className={classes('truncate text-ink-2', leavesFirst)}>
        {props.projectName}
      </span>
      <span role="gridcell">
        <ClipState clip={clip} onRetry={() => props.onRetry(clip)} />
      </span>
    </div>
  )
})

function Cell({ className, children }: { className?: string; children: string }) {
  return (
    <span role="gridcell" className={classes('figures truncate text-ink-2', className)}>
      {children}
    </span>
  )
}
