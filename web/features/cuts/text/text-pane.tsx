/** The cut as one document: its text is the edit. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { CutPassage } from '../../../../domain/cuts/cut-text.ts'
import { counted } from '../../../app/format.ts'
import { classes } from '../../../ui/classes.ts'
import { SearchField } from '../../../ui/field.tsx'
import { Kbd } from '../../../keys/kbd.tsx'
import { useKeptFocus } from '../../../dom/kept-focus.ts'
import { useVirtualRows } from '../../../dom/virtual-rows.ts'
import type { VirtualRows } from '../../../dom/virtual-rows.ts'
import { UndoButtons } from '../../../saved/undo-buttons.tsx'
import { useCut } from '../cut-context.ts'
import { seamBetween } from '../seam.ts'
import { spanSeconds } from '../source-seconds.ts'
import { isPassage } from '../passage-drag.ts'
import { useSpokenWord } from './follow-word.ts'
import { passageKeys } from './passage-keys.ts'
import { PassageRow } from './passage-row.tsx'
import { SeamLine } from './seam-line.tsx'

export function TextPane({ empty }: { empty: ReactNode }) {
  const { view, deck, actions } = useCut()
  const { passages } = view
  const body = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const list = usePassageRows(body)
  useSpokenWord({
    body,
    view,
    player: deck.cut,
    withRemoved: actions.isShowingRemoved,
    rows: list.rows.map((row) => row.index).join(),
    show: list.show,
  })
  useCurrentInView(passages, actions.currentId, list.show)
  useFound(body, query)
  useKeptFocus(body, '[data-index]')
  return (
    <section aria-label="Text of the cut" className="flex min-h-0 grow flex-col bg-page">
      <TextHeader query={query} onQuery={setQuery} onShow={list.show} />
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
                  <PassageRow passage={passage} />
                  <Below passage={passage} next={passages[row.index + 1]} />
                </div>
              )
            )
          })}
        </div>
      </div>
      <TextFooter />
    </section>
  )
}

function usePassageRows(body: RefObject<HTMLDivElement | null>) {
  const { view, actions } = useCut()
  const { passages } = view
  const rowKeys = useMemo(() => passageKeys(passages), [passages])
  const keyOf = useCallback((index: number) => rowKeys[index] ?? String(index), [rowKeys])
  const estimate = useCallback(
    (index: number) => heightOf(passages[index], body.current?.clientWidth ?? 800),
    [passages, body],
  )
  const { dragged } = actions.drag
  const kept = dragged && passages.findIndex((passage) => isPassage(dragged, passage))
  const count = passages.length
  return useVirtualRows({ count, scroller: body, estimate, keyOf, padding: 8, kept })
}

function TextHeader({
  query,
  onQuery,
  onShow,
}: {
  query: string
  onQuery: (query: string) => void
  onShow: VirtualRows['show']
}) {
  const { state, view, actions } = useCut()
  const at = useRef(-1)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter' || !query.trim()) return
    at.current = nextFound(view.passages, query, at.current)
    if (at.current >= 0) onShow(at.current, 'center')
  }
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4 max-sm:px-3 pointer-coarse:h-13">
      <SearchField
        id="find-in-cut"
        label="Find in this cut"
        placeholder="Find in this cut…"
        value={query}
        onValue={(value) => {
          onQuery(value)
          at.current = -1
        }}
        onKeyDown={onKeyDown}
        className="w-60 max-sm:grow"
        fieldClassName="h-7! pointer-coarse:h-11!"
      >
        {!query && (
          <span className="absolute top-1/2 right-1.5 -translate-y-1/2 max-sm:hidden">
            <Kbd>/</Kbd>
          </span>
        )}
      </SearchField>
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
      <UndoButtons state={state} size={15} />
    </div>
  )
}

function TextFooter() {
  const { passages, hasText } = useCut().view
  const counts = useMemo(() => countWords(passages), [passages])
  const clips = (passages.at(-1)?.rangeIndex ?? -1) + 1
  const keys = { '⌫': 'remove words', S: 'split', 'Alt ↑': 'move up' }
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-line px-4 text-xs text-ink-3 max-sm:hidden">
      <p className="figures grow truncate" role="status">
        {hasText
          ? `${counted(clips, 'clip')} · ${counted(counts.kept, 'word')} kept, ${counts.removed.toLocaleString('en-US')} removed`
          : 'Loading words…'}
      </p>
      {Object.entries(keys).map(([key, action]) => (
        <p key={key} className="flex items-center gap-1.5 whitespace-nowrap">
          <Kbd>{key}</Kbd> {action}
        </p>
      ))}
    </footer>
  )
}

/** Stands between a passage and the next: the place to add at, or how the seam feels. */
function Below({ passage, next }: { passage: CutPassage; next: CutPassage | undefined }) {
  const { view, actions } = useCut()
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

/** Marks the words searched in the passages that are on the page. */
function useFound(body: RefObject<HTMLDivElement | null>, query: string): void {
  useEffect(() => {
    const wanted = query.trim().toLowerCase()
    if (!body.current || !wanted || !('highlights' in CSS)) return undefined
    const marks = new Highlight()
    const nodes = document.createTreeWalker(body.current, NodeFilter.SHOW_TEXT)
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (!node.parentElement?.closest('[data-words]')) continue
      const text = (node.nodeValue ?? '').toLowerCase()
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
        marks.add(
          new StaticRange({
            startContainer: node,
            startOffset: at,
            endContainer: node,
            endOffset: at + wanted.length,
          }),
        )
      }
    }
    CSS.highlights.set('found', marks)
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
