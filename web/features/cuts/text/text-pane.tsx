/** The cut as one document: its text is the edit. */
import { Redo2, Search, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { CutPassage } from '../../../../contract/cut-text.ts'
import { counted } from '../../../app/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { controlClass } from '../../../ui/field.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { useVirtualRows } from '../../../ui/virtual-rows.ts'
import type { CutActions } from '../cut-actions.ts'
import type { CutState } from '../cut-state.ts'
import { seamBetween } from '../seam.ts'
import { spanSeconds } from '../source-seconds.ts'
import type { CutView } from '../cut-view.ts'
import { isPassage } from '../passage-drag.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { useSpokenWord } from './follow-word.ts'
import { passageKeys } from './passage-keys.ts'
import { PassageRow } from './passage-row.tsx'
import { SeamLine } from './seam-line.tsx'

export function TextPane({
  state,
  view,
  player,
  actions,
  empty,
}: {
  state: CutState
  view: CutView
  player: CutPlayer
  actions: CutActions
  empty: ReactNode
}) {
  const { passages } = view
  const body = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const found = useRef(-1)
  const rowKeys = useMemo(() => passageKeys(passages), [passages])
  const keyOf = useCallback((index: number) => rowKeys[index] ?? String(index), [rowKeys])
  const estimate = useCallback(
    (index: number) => heightOf(passages[index], body.current?.clientWidth ?? 800),
    [passages],
  )
  const { dragged } = actions.drag
  const list = useVirtualRows({
    count: passages.length,
    scroller: body,
    estimate,
    keyOf,
    padding: 8,
    kept: dragged && passages.findIndex((passage) => isPassage(dragged, passage)),
  })
  useSpokenWord({
    body,
    view,
    player,
    withRemoved: actions.isShowingRemoved,
    rows: list.rows.map((row) => row.index).join(),
    show: list.show,
  })
  useCurrentInView(passages, actions.currentId, list.show)
  const counts = useMemo(() => countWords(passages), [passages])
  useFound(body, query)
  useKeptFocus(body, '[data-index]')
  return (
    <section aria-label="Text of the cut" className="flex min-h-0 grow flex-col bg-page">
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 max-sm:px-3 pointer-coarse:h-13">
        <label className="relative w-60 max-sm:grow">
          <Search
            size={14}
            aria-hidden
            className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
          />
          <input
            id="find-in-cut"
            type="search"
            aria-label="Find in this cut"
            placeholder="Find in this cut…"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              found.current = -1
            }}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Escape') event.currentTarget.blur()
              if (event.key === 'Enter' && query.trim()) {
                found.current = nextFound(passages, query, found.current)
                if (found.current >= 0) list.show(found.current, 'center')
              }
            }}
            className={`${controlClass} h-7! pl-8! pointer-coarse:h-11!`}
          />
          {!query && (
            <span className="absolute top-1/2 right-1.5 -translate-y-1/2 max-sm:hidden">
              <Kbd>/</Kbd>
            </span>
          )}
        </label>
        <span className="grow max-sm:hidden" />
        <button
          type="button"
          aria-pressed={actions.isShowingRemoved}
          onClick={actions.toggleRemoved}
          className={classes(
            'flex h-7 items-center gap-1.5 rounded-md px-2.5 font-medium whitespace-nowrap pointer-coarse:h-11',
            actions.isShowingRemoved ? 'bg-raised text-ink' : 'text-ink-2 hover:text-ink',
          )}
        >
          <span>
            Removed<span className="max-sm:sr-only"> words</span>
          </span>
          <Kbd>R</Kbd>
        </button>
        <IconButton label="Undo (Ctrl Z)" aria-disabled={!state.canUndo} onClick={state.undo}>
          <Undo2 size={15} aria-hidden />
        </IconButton>
        <IconButton label="Redo (Ctrl Shift Z)" aria-disabled={!state.canRedo} onClick={state.redo}>
          <Redo2 size={15} aria-hidden />
        </IconButton>
      </div>
      <div ref={body} data-passages className="relative min-h-0 grow overflow-y-auto">
        {passages.length === 0 && empty}
        <div className="relative" style={{ height: list.height }}>
          {list.rows.map((row) => {
            const passage = passages[row.index]
            return (
              passage && (
                <div
                  key={row.key}
                  ref={list.measure}
                  data-index={row.index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  {row.index === 0 && actions.insertAt === 0 && <InsertionLine />}
                  <PassageRow
                    passage={passage}
                    number={passage.rangeIndex + 1}
                    range={state.cut.ranges[passage.rangeIndex]}
                    view={view}
                    actions={actions}
                    isCurrent={actions.currentId === passage.rangeId}
                  />
                  <Below
                    passage={passage}
                    next={passages[row.index + 1]}
                    view={view}
                    actions={actions}
                  />
                </div>
              )
            )
          })}
        </div>
      </div>
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line px-4 text-xs text-ink-3 max-sm:hidden">
        <p className="figures grow truncate" role="status">
          {view.hasText
            ? `${counted((passages.at(-1)?.rangeIndex ?? -1) + 1, 'clip')} · ${counted(counts.kept, 'word')} kept, ${counts.removed.toLocaleString('en-US')} removed`
            : 'Loading words…'}
        </p>
        <p className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd>⌫</Kbd> remove words
        </p>
        <p className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd>S</Kbd> split
        </p>
        <p className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd>Alt ↑</Kbd> move up
        </p>
      </footer>
    </section>
  )
}

/** What stands between a passage and the next: the place to add at, or how the seam feels. */
function Below({
  passage,
  next,
  view,
  actions,
}: {
  passage: CutPassage
  next: CutPassage | undefined
  view: CutView
  actions: CutActions
}) {
  const isLine = actions.insertAt === passage.rangeIndex + 1 && next?.rangeId !== passage.rangeId
  if (isLine) return <InsertionLine />
  const seam =
    next && seamBetween(passage, next, (id, span) => spanSeconds(view.sources.get(id), span))
  if (!seam) return null
  return (
    <SeamLine
      seam={seam}
      onKeep={() => actions.keepGap(passage.rangeId, seam.gap?.to ?? passage.out)}
    />
  )
}

/** Near enough for the scroll bar, until the row itself is measured. */
function heightOf(passage: CutPassage | undefined, width: number): number {
  const characters = (passage?.words ?? []).reduce((sum, word) => sum + word.text.length + 1, 0)
  const inLine = Math.max(20, (width - 150) / 7.4)
  const lines = Math.max(1, Math.ceil(characters / inLine))
  return Math.max(84, 36 + lines * 25) + 24
}

/** The passage that the keys act on comes into view when it is chosen elsewhere, or moves. */
function useCurrentInView(
  passages: readonly CutPassage[],
  currentId: string | null,
  show: (index: number) => void,
): void {
  const index = currentId ? passages.findIndex((passage) => passage.rangeId === currentId) : -1
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    if (currentId && index >= 0) latest.current(index)
  }, [index, currentId])
}

/** Where A puts what is added next. */
function InsertionLine() {
  return (
    <div className="flex h-8 items-center gap-2 px-2 text-xs text-brand-ink" data-insertion>
      <span className="h-0.5 grow bg-brand" />
      <Kbd>A</Kbd>
      <span className="pr-3">adds here</span>
    </div>
  )
}

function countWords(passages: readonly CutPassage[]): { kept: number; removed: number } {
  const words = passages.flatMap((passage) => passage.words)
  const removed = words.filter((word) => word.struck).length
  return { kept: words.length - removed, removed }
}

/** Marks what is searched, in whatever passages are on the page. */
function useFound(body: RefObject<HTMLDivElement | null>, query: string): void {
  useEffect(() => {
    const wanted = query.trim().toLowerCase()
    if (!body.current || !wanted || !('highlights' in CSS)) return undefined
    const found = new Highlight()
    const nodes = document.createTreeWalker(body.current, NodeFilter.SHOW_TEXT)
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (!node.parentElement?.closest('[data-words]')) continue
      const text = (node.nodeValue ?? '').toLowerCase()
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
        found.add(
          new StaticRange({
            startContainer: node,
            startOffset: at,
            endContainer: node,
            endOffset: at + wanted.length,
          }),
        )
      }
    }
    CSS.highlights.set('found', found)
    return () => void CSS.highlights.delete('found')
  })
}

/** The next passage with the words, from the one that was found last. */
function nextFound(passages: readonly CutPassage[], query: string, after: number): number {
  const wanted = query.trim().toLowerCase()
  const holds = ({ words, joiner }: CutPassage): boolean =>
    words
      .map(({ text }) => text)
      .join(joiner)
      .toLowerCase()
      .includes(wanted)
  const later = passages.findIndex((passage, index) => index > after && holds(passage))
  return later >= 0 ? later : passages.findIndex(holds)
}
