/** The cut as one document: its text is the edit. */
import { Redo2, Search, Undo2 } from 'lucide-react'
import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { CutPassage } from '../../../../contract/cut-text.ts'
import { counted } from '../../../app/figures.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { controlClass } from '../../../ui/field.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import type { CutActions } from '../cut-actions.ts'
import type { CutState } from '../cut-state.ts'
import { rateOf, seamBetween } from '../cut-view.ts'
import type { CutView } from '../cut-view.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { useSpokenWord } from './follow-word.ts'
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
  useSpokenWord({ body, view, player, withRemoved: actions.isShowingRemoved })
  const counts = useMemo(() => countWords(passages), [passages])
  const framesPerSecond = (id: string) => rateOf(view, id)
  useFound(body, query)
  return (
    <section aria-label="Text of the cut" className="flex min-h-0 grow flex-col bg-page">
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 max-sm:px-3">
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
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Escape') event.currentTarget.blur()
              if (event.key === 'Enter') scrollToFound(body.current, passages, query)
            }}
            className={`${controlClass} h-7! pl-8!`}
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
          Removed words <Kbd>R</Kbd>
        </button>
        <IconButton label="Undo (Ctrl Z)" disabled={!state.canUndo} onClick={state.undo}>
          <Undo2 size={15} aria-hidden />
        </IconButton>
        <IconButton label="Redo (Ctrl Shift Z)" disabled={!state.canRedo} onClick={state.redo}>
          <Redo2 size={15} aria-hidden />
        </IconButton>
      </div>
      <div
        ref={body}
        data-passages
        className="min-h-0 grow overflow-y-auto py-2"
        onDragOver={(event) => actions.drag.over(event, body.current)}
        onDrop={(event) => actions.drag.drop(event)}
        onDragLeave={(event) => event.currentTarget === event.target && actions.drag.leave()}
      >
        {passages.length === 0 && empty}
        {passages.map((passage, index) => {
          const next = passages[index + 1]
          const isLine =
            actions.insertAt === passage.rangeIndex + 1 && next?.rangeId !== passage.rangeId
          const seam = next && seamBetween(passage, next, framesPerSecond)
          return (
            <Fragment key={`${passage.rangeId} ${passage.in}`}>
              {index === 0 && actions.insertAt === 0 && <InsertionLine />}
              <PassageRow
                passage={passage}
                number={passage.rangeIndex + 1}
                range={state.cut.ranges[passage.rangeIndex]}
                view={view}
                actions={actions}
                isCurrent={actions.currentId === passage.rangeId}
              />
              {isLine ? (
                <InsertionLine />
              ) : (
                seam && (
                  <SeamLine
                    seam={seam}
                    onKeep={() => actions.keepGap(passage.rangeId, seam.gap?.to ?? passage.out)}
                  />
                )
              )}
            </Fragment>
          )
        })}
      </div>
      <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line px-4 text-xs text-ink-3 max-sm:hidden">
        <p className="figures grow truncate" role="status">
          {counted(passages.length, 'passage')} · {counted(counts.kept, 'word')} kept,{' '}
          {counts.removed.toLocaleString('en-US')} removed
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

function scrollToFound(
  body: HTMLElement | null,
  passages: readonly CutPassage[],
  query: string,
): void {
  const wanted = query.trim().toLowerCase()
  const index = passages.findIndex(({ words, joiner }) =>
    words
      .map(({ text }) => text)
      .join(joiner)
      .toLowerCase()
      .includes(wanted),
  )
  body?.querySelectorAll('[data-passage]')[index]?.scrollIntoView({ block: 'center' })
}
