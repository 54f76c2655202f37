import { memo } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { date } from '../../app/format.ts'
import { classes } from '../../ui/classes.ts'
import { AnalysisMarks } from './analysis-marks.tsx'
import { Poster } from '../../clips/poster.tsx'
import { clickOn, holdOn, problemOf, SelectBox } from './clip-card.tsx'
import type { ClipActions } from './clip-card.tsx'
import { ClipName } from './clip-name.tsx'
import { lengthText, rateText, startText } from '../../clips/clip-text.ts'
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
  'grid grid-cols-[72px_minmax(0,1fr)_72px_72px_80px_112px_96px_128px_72px] items-center gap-3 @max-5xl:grid-cols-[72px_minmax(0,1fr)_64px_56px_92px_72px]'

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
        <span className="shrink-0 text-ink-3">{problemOf(clip)}</span>
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
        <AnalysisMarks analysis={clip.analysis} />
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
