/** The clips as cards or rows, of which only those near the window are in the page. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { Button } from '../../ui/button.tsx'
import { useKeptFocus } from '../../dom/kept-focus.ts'
import { useSize } from '../../dom/use-size.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { ClipCard } from './clip-card.tsx'
import type { ClipActions } from './clip-card.tsx'
import { isForClips } from './clip-keys.ts'
import { ClipRow, leavesFirst, rowColumns } from './clip-row.tsx'
import { useLasso } from './lasso.tsx'
import type { LassoSelect } from './lasso.tsx'

interface Props extends ClipActions {
  clips: readonly ContentItem[]
  view: 'grid' | 'list'
  cardWidth: number
  isSelected: (id: string) => boolean
  renaming: string | null
  projectName: (id: string | null) => string
  /** Stands before the clips and scrolls with them. */
  head: (columns: number) => ReactNode
  onLasso: LassoSelect
  hasMore: boolean
  isLoadingMore: boolean
  hasFailedMore: boolean
  onMore: () => void
  /** Keys that act on the clip that has the focus. */
  onKey: (clip: ContentItem, event: KeyboardEvent) => void
}

const gap = 8
/** Padding of the scroller in pixels, as set by its class. */
const paddingTop = 4
const paddingLeft = 16
const textHeight = 72
const rowHeight = 44
/** Rows before the end at which the next page is asked for. */
const aheadRows = 6

export function ClipGrid(props: Props) {
  const { clips, view } = props
  const scroller = useRef<HTMLDivElement>(null)
  const headElement = useRef<HTMLDivElement>(null)
  const { width } = useSize(scroller, firstWidth)
  const headHeight = useSize(headElement, firstWidth).height
  const [wantedFocus, setFocus] = useState(0)
  // A filter may have left fewer clips.
  const focus = Math.max(0, Math.min(wantedFocus, clips.length - 1))
  useKeptFocus(scroller, '[data-clip]')
  const actions = useStableActions(props)
  const layout = layoutOf(view, width, props.cardWidth)
  const { columns } = layout
  const { rows, rowCount } = useRows(props, scroller, { layout, headHeight, focus })
  const lasso = useLasso(
    scroller,
    { ...layout, top: headHeight + paddingTop, left: paddingLeft, count: clips.length },
    props.onLasso,
  )
  const onKeyDown = useGridKeys(props, { scroller, columns, focus, setFocus, rows })
  return (
    <div
      ref={scroller}
      role="presentation"
      data-scroller
      className="@container relative min-h-0 grow overflow-y-auto px-4 pt-1 pb-24 select-none"
      onKeyDown={onKeyDown}
      {...lasso.handlers}
      onFocus={({ target }) => {
        const index = clips.findIndex((clip) => clip.id === target.dataset.clip)
        if (index >= 0) setFocus(index)
      }}
    >
      {lasso.frame}
      <div ref={headElement}>
        {props.head(layout.cardColumns)}
        {view === 'list' && clips.length > 0 && <ListHead />}
      </div>
      <div
        role="grid"
        aria-label="Clips"
        aria-multiselectable
        aria-rowcount={rowCount}
        className="relative"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            role={view === 'list' ? 'presentation' : 'row'}
            aria-rowindex={view === 'list' ? undefined : row.index + 1}
            className="absolute inset-x-0 grid contain-layout"
            style={{
              transform: `translateY(${row.start - headHeight}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              gap,
            }}
          >
            <Cells
              first={row.index * columns}
              count={columns}
              focus={focus}
              parent={props}
              actions={actions}
            />
          </div>
        ))}
      </div>
      <More {...props} />
    </div>
  )
}

function Cells({
  first,
  count,
  focus,
  parent,
  actions,
}: {
  first: number
  count: number
  focus: number
  parent: Props
  actions: ClipActions
}) {
  return parent.clips
    .slice(first, first + count)
    .map((clip, at) => (
      <Clip
        key={clip.id}
        clip={clip}
        rowIndex={first / count + 1}
        isFocused={first + at === focus}
        parent={parent}
        actions={actions}
      />
    ))
}

const firstWidth = 1000

function layoutOf(view: Props['view'], width: number, cardWidth: number) {
  const isList = view === 'list'
  const cardColumns = Math.max(2, Math.floor((width + (isList ? 0 : gap)) / (cardWidth + gap)))
  const columns = isList ? 1 : cardColumns
  const columnWidth = (width - gap * (columns - 1)) / columns
  const cardHeight = (columnWidth - 8) * (9 / 16) + textHeight
  const height = isList ? rowHeight : cardHeight + gap
  return { columns, cardColumns, columnWidth, rowHeight: height, gap: isList ? 0 : gap }
}

/** The rows near the window; asks for the next page before the last is reached. */
function useRows(
  { clips, view, hasMore, isLoadingMore, hasFailedMore, onMore }: Props,
  scroller: RefObject<HTMLDivElement | null>,
  input: { layout: ReturnType<typeof layoutOf>; headHeight: number; focus: number },
) {
  const { layout, headHeight, focus } = input
  const { columns, rowHeight: height } = layout
  const rowCount = Math.ceil(clips.length / columns)
  // Its functions are not exposed outside.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: headHeight,
    overscan: 1,
    // The clip that Tab comes to stays in the page wherever the grid is scrolled to.
    rangeExtractor: (range) => {
      const wanted = new Set(defaultRangeExtractor(range))
      if (rowCount > 0) wanted.add(Math.floor(focus / columns))
      return [...wanted].sort((a, b) => a - b)
    },
    // Draws new rows in a task of their own, not inside the one that scrolls.
    useFlushSync: false,
  })
  useEffect(() => rows.measure(), [rows, view, columns, height])
  const lastShown = rows.range?.endIndex ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && !hasFailedMore && lastShown >= rowCount - aheadRows) onMore()
  }, [hasMore, isLoadingMore, hasFailedMore, lastShown, rowCount, onMore])
  return { rows, rowCount }
}

function useGridKeys(
  { clips, onChoose, onKey }: Props,
  grid: {
    scroller: RefObject<HTMLDivElement | null>
    columns: number
    focus: number
    setFocus: (index: number) => void
    rows: ReturnType<typeof useRows>['rows']
  },
) {
  const { scroller, columns, focus, setFocus, rows } = grid
  const moveTo = (index: number, event: KeyboardEvent) => {
    const next = Math.max(0, Math.min(clips.length - 1, index))
    const clip = clips[next]
    if (!clip) return
    event.preventDefault()
    // Draws the row of the clip before it gets the focus.
    flushSync(() => setFocus(next))
    rows.scrollToIndex(Math.floor(next / columns))
    if (event.shiftKey) onChoose(clip.id, 'range')
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-clip="${clip.id}"]`)
    cell?.focus({ preventScroll: true })
  }
  return (event: KeyboardEvent) => {
    if (!isForClips(event.target as HTMLElement, event.key)) return
    const step = steps(columns)[event.key]
    if (step !== undefined) moveTo(focus + step, event)
    else if (event.key === 'Home') moveTo(0, event)
    else if (event.key === 'End') moveTo(clips.length - 1, event)
    else if (clips[focus]) onKey(clips[focus], event)
  }
}

function More({ isLoadingMore, hasFailedMore, onMore }: Props) {
  if (hasFailedMore) {
    return (
      <p className="flex items-center justify-center gap-3 py-4 text-ink-2">
        Could not load more <Button onClick={onMore}>Retry</Button>
      </p>
    )
  }
  return isLoadingMore ? (
    <p role="status" className="flex items-center justify-center gap-2 py-4 text-ink-3">
      <Spinner /> Loading more clips…
    </p>
  ) : null
}

function Clip({
  clip,
  rowIndex,
  isFocused,
  parent,
  actions,
}: {
  clip: ContentItem
  rowIndex: number
  isFocused: boolean
  parent: Props
  actions: ClipActions
}) {
  const shared = {
    clip,
    isFocused,
    isSelected: parent.isSelected(clip.id),
    isRenaming: parent.renaming === clip.id,
    ...actions,
  }
  if (parent.view === 'grid') return <ClipCard {...shared} />
  const projectName = parent.projectName(clip.project_id)
  return <ClipRow {...shared} rowIndex={rowIndex} projectName={projectName} />
}

/** Functions that never change, so that a new page of clips does not draw the others again. */
function useStableActions(actions: ClipActions): ClipActions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      onChoose: (...args) => latest.current.onChoose(...args),
      onOpen: (...args) => latest.current.onOpen(...args),
      onTap: (...args) => latest.current.onTap(...args),
      onRename: (...args) => latest.current.onRename(...args),
      onDrag: (...args) => latest.current.onDrag(...args),
      onRetry: (...args) => latest.current.onRetry(...args),
    }),
    [],
  )
}

function ListHead() {
  const names = {
    '': '',
    Name: '',
    Length: '',
    Rate: '',
    Size: leavesFirst,
    Start: leavesFirst,
    Added: '',
    Project: leavesFirst,
    Analysis: '',
  }
  return (
    <div aria-hidden className={`${rowColumns} h-8 px-2 text-xs text-ink-3`}>
      {Object.entries(names).map(([name, leaves]) => (
        <span key={name} className={leaves}>
          {name}
        </span>
      ))}
    </div>
  )
}

function steps(columns: number): Record<string, number> {
  return { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }
}
