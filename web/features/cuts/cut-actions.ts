/** Everything that can be done to a cut on its screen, by pointer and by keyboard. */
import { useCallback, useMemo, useState } from 'react'
import type { DragEvent } from 'react'
import {
  addRanges,
  bringBack,
  duplicateRanges,
  hasRoom,
  moveRanges,
  moveSpan,
  removeRanges,
  setDisabled,
  splitRange,
  strike,
  trimRange,
} from '../../../contract/cut-edit.ts'
import type { NewRange } from '../../../contract/cut-edit.ts'
import { eventAt } from '../../../contract/cut-times.ts'
import type { CutPassage } from '../../../contract/cut-text.ts'
import type { CutRange } from '../../../contract/cuts.ts'
import { counted } from '../../app/figures.ts'
import { showToast } from '../../ui/toast.tsx'
import type { CutState } from './cut-state.ts'
import { rateOf } from './cut-view.ts'
import type { CutView } from './cut-view.ts'
import { recordFrame, sourceFrame } from './player/cut-player.ts'
import type { CutPlayer } from './player/cut-player.ts'
import { layOutPassage, struckSpan, wordsBetween } from './text/passage-words.ts'
import { selectedIn } from './text/text-places.ts'

export interface CutActions {
  /** The range that the keys act on. */
  currentId: string | null
  choose: (id: string | null) => void
  /** Where A adds: before the range at this index. */
  insertAt: number
  add: (ranges: readonly NewRange[], where: 'line' | 'end') => void
  remove: (id: string) => void
  duplicate: (id: string) => void
  toggleOff: (id: string) => void
  trim: (id: string, ends: { in?: number; out?: number }) => void
  keepGap: (id: string, out: number) => void
  split: () => void
  /** Moves the passage that the playhead or the choice is in. */
  move: (direction: 1 | -1) => void
  /** Strikes the selected words, or brings them back where all of them are struck. */
  strikeSelected: () => void
  goToSource: (rangeId: string, frame: number) => void
  goToSeam: (direction: 1 | -1) => void
  goToWord: (direction: 1 | -1, isExtending: boolean) => void
  isShowingRemoved: boolean
  toggleRemoved: () => void
  drag: {
    start: (event: DragEvent, passage: CutPassage) => void
    startHit: (event: DragEvent, range: NewRange) => void
    over: (event: DragEvent, body: HTMLElement | null) => void
    drop: (event: DragEvent) => void
    leave: () => void
  }
}

type Dragged = { kind: 'passage'; passage: CutPassage } | { kind: 'new'; range: NewRange }

export function useCutActions(state: CutState, view: CutView, player: CutPlayer): CutActions {
  const [currentId, setCurrentId] = useState<string | null>(null)
  const [isShowingRemoved, setShowingRemoved] = useState(true)
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const [dropAt, setDropAt] = useState<number | null>(null)
  const { ranges } = state.cut
  const currentIndex = ranges.findIndex((range) => range.id === currentId)
  const insertAt = dropAt ?? (currentIndex < 0 ? ranges.length : currentIndex + 1)
  const { change } = state

  const goToSource = useCallback(
    (rangeId: string, frame: number) => {
      const events = view.events.filter((event) => event.rangeId === rangeId)
      const event = events.find((item) => frame < item.out) ?? events.at(-1)
      if (event) player.seek(recordFrame(event, Math.max(event.in, frame)))
    },
    [view.events, player],
  )
  return useMemo(() => {
    const toggleOff = (id: string): void =>
      change((list) => setDisabled(list, [id], !list.find((range) => range.id === id)?.disabled))
    const add: CutActions['add'] = (added, where) => {
      if (!hasRoom(ranges, added.length)) {
        const message = 'A cut holds at most 2,000 ranges. Start another one.'
        showToast({ type: 'warning', title: 'This cut is full', message })
        return
      }
      const index = where === 'end' ? ranges.length : insertAt
      let last: string | null = null
      change((list) => {
        const next = addRanges(list, added, index)
        last = next[index + added.length - 1]?.id ?? null
        return next
      })
      setCurrentId(last)
    }
    const passageHere = (): CutPassage | undefined => {
      const mine = view.passages.filter((passage) => passage.rangeId === currentId)
      const event = eventAt(view.events, player.frame())
      const source = event ? sourceFrame(event, player.frame()) : -1
      const under = view.passages.find(
        (item) => item.rangeId === event?.rangeId && source >= item.in && source < item.out,
      )
      return under && (mine.length === 0 || under.rangeId === currentId) ? under : mine[0]
    }
    const moveTo = (passage: CutPassage, index: number): void =>
      change((list) => movePassage(list, passage, index))
    return {
      currentId,
      choose: setCurrentId,
      insertAt,
      add,
      remove: (id) => {
        change((list) => removeRanges(list, [id]))
        const message = 'Press Ctrl Z to bring it back.'
        showToast({ type: 'info', title: 'Passage removed', message })
      },
      duplicate: (id) => change((list) => duplicateRanges(list, [id])),
      toggleOff,
      trim: (id, ends) =>
        change((list) => {
          const range = list.find((item) => item.id === id)
          const clipFrames = view.sources.get(range?.content_id ?? '')?.frames
          return clipFrames ? trimRange(list, id, { ...ends, clipFrames }) : [...list]
        }),
      keepGap: (id, out) => change((list) => trimRange(list, id, { out, clipFrames: out })),
      split: () => {
        const event = eventAt(view.events, player.frame())
        if (!event) return
        const at = sourceFrame(event, player.frame())
        change((list) => splitRange(list, event.rangeId, at))
        setCurrentId(event.rangeId)
      },
      move: (direction) => {
        const passage = passageHere()
        if (!passage) return
        const at = passage.rangeIndex
        setCurrentId(passage.rangeId)
        if (direction < 0 && at === 0 && passage.in === ranges[0]?.in) return
        moveTo(passage, direction < 0 ? Math.max(0, at - 1) : at + 2)
      },
      strikeSelected: () => strikeSelected({ state, view, player, isShowingRemoved }),
      goToSource,
      goToSeam: (direction) => {
        const starts = view.passages.flatMap(({ recordIn }) =>
          recordIn === null ? [] : [recordIn],
        )
        const here = player.frame()
        const to =
          direction > 0
            ? starts.find((start) => start > here)
            : starts.findLast((start) => start < here)
        if (to !== undefined) player.seek(to)
      },
      goToWord: (direction, isExtending) =>
        goToWord({ view, player, direction, isExtending, isShowingRemoved, goToSource }),
      isShowingRemoved,
      toggleRemoved: () => setShowingRemoved(!isShowingRemoved),
      drag: {
        start: (event, passage) => {
          event.dataTransfer.setData('text/plain', passage.clipName)
          event.dataTransfer.effectAllowed = 'move'
          setDragged({ kind: 'passage', passage })
        },
        startHit: (event, range) => {
          event.dataTransfer.setData('text/plain', range.name ?? '')
          event.dataTransfer.effectAllowed = 'copy'
          setDragged({ kind: 'new', range })
        },
        over: (event, body) => {
          if (!dragged || !body) return
          event.preventDefault()
          scrollAtEdge(event, body)
          setDropAt(placeUnder(event, body, view.passages))
        },
        drop: (event) => {
          event.preventDefault()
          if (dragged && dropAt !== null) {
            if (dragged.kind === 'passage') moveTo(dragged.passage, dropAt)
            else change((list) => addRanges(list, [dragged.range], dropAt))
          }
          setDragged(null)
          setDropAt(null)
        },
        leave: () => {
          setDropAt(null)
        },
      },
    }
  }, [
    state,
    view,
    player,
    change,
    ranges,
    currentId,
    insertAt,
    isShowingRemoved,
    dragged,
    dropAt,
    goToSource,
  ])
}

/** A passage that is only a part of its range becomes a range of its own first. */
function movePassage(list: readonly CutRange[], passage: CutPassage, index: number): CutRange[] {
  const range = list[passage.rangeIndex]
  if (!range) return [...list]
  if (passage.in === range.in && passage.out === range.out) {
    return moveRanges(list, [range.id], index)
  }
  return moveSpan(list, range.id, { in: passage.in, out: passage.out }, index)
}

interface Striking {
  state: CutState
  view: CutView
  player: CutPlayer
  isShowingRemoved: boolean
}

/** Each passage that the selection touches; without one, the word at the playhead. */
function chosenWords({ view, player, isShowingRemoved }: Omit<Striking, 'state'>) {
  const selection = getSelection()
  const range = selection && !selection.isCollapsed ? selection.getRangeAt(0) : null
  const rows = [...document.querySelectorAll('[data-passage]')]
  const chosen = view.passages.flatMap((passage, index) => {
    const text = range && rows[index]?.querySelector('[data-words]')
    const place = text && selectedIn(text, range)
    if (!place) return []
    const words = wordsBetween(layOutPassage(passage, isShowingRemoved), place)
    return words.length > 0 ? [{ passage, words }] : []
  })
  if (range) return chosen
  const event = eventAt(view.events, player.frame())
  const source = event ? sourceFrame(event, player.frame()) : -1
  return view.passages.flatMap((passage) => {
    if (passage.rangeId !== event?.rangeId) return []
    const word = passage.words.find((item) => source >= item.in && source < item.out)
    return word ? [{ passage, words: [word] }] : []
  })
}

function strikeSelected(of: Striking): void {
  const chosen = chosenWords(of)
  if (chosen.length === 0) return
  const isBack = chosen.every(({ words }) => words.every((word) => word.struck))
  of.state.change((list) => {
    let next = [...list]
    for (const { passage, words } of chosen) {
      const range = next[passage.rangeIndex]
      if (!range) continue
      const span = isBack
        ? struckSpan(passage, words, { range: { ...range, removed: [] }, framesPerSecond: 0 })
        : struckSpan(passage, words, {
            range,
            framesPerSecond: rateOf(of.view, passage.contentId),
          })
      if (!span) continue
      next = isBack ? bringBack(next, range.id, span) : strike(next, range.id, span)
    }
    return next
  })
  getSelection()?.removeAllRanges()
  const count = chosen.reduce((sum, { words }) => sum + words.length, 0)
  const title = isBack
    ? `Brought back ${counted(count, 'word')}`
    : `Removed ${counted(count, 'word')}`
  showToast({ type: 'info', title, message: 'Press Ctrl Z to undo.' })
}

/** Moves the playhead to the word before or after; extending selects the words on the way. */
function goToWord(of: {
  view: CutView
  player: CutPlayer
  direction: 1 | -1
  isExtending: boolean
  isShowingRemoved: boolean
  goToSource: (rangeId: string, frame: number) => void
}): void {
  const { view, player, direction, isExtending } = of
  const event = eventAt(view.events, player.frame())
  if (!event) return
  if (isExtending) {
    extendSelection(of)
    return
  }
  const source = sourceFrame(event, player.frame())
  const words = view.passages.flatMap((passage) =>
    passage.words
      .filter((word) => !word.struck)
      .map((word) => ({ rangeId: passage.rangeId, rangeIndex: passage.rangeIndex, in: word.in })),
  )
  const order = (item: { rangeIndex: number; in: number }): number =>
    item.rangeIndex - event.rangeIndex || item.in - source
  const next =
    direction > 0
      ? words.find((word) => order(word) > 0)
      : words.findLast((word) => order(word) < 0)
  if (next) of.goToSource(next.rangeId, next.in)
}

function extendSelection(of: Parameters<typeof goToWord>[0]): void {
  const selection = getSelection()
  if (!selection) return
  if (selection.isCollapsed) {
    const [here] = chosenWords(of)
    const row =
      document.querySelectorAll('[data-passage]')[
        of.view.passages.indexOf(here?.passage as CutPassage)
      ]
    const text = row?.querySelector('[data-words]')
    const word = here?.words[0]
    const placed =
      here &&
      layOutPassage(here.passage, of.isShowingRemoved).words.find((item) => item.in === word?.in)
    const node = text?.firstChild?.firstChild
    if (!text || !placed || !node) return
    selection.setPosition(text, 0)
    for (let at = 0; at < placed.from; at += 1) selection.modify('move', 'forward', 'character')
  }
  selection.modify('extend', of.direction > 0 ? 'forward' : 'backward', 'word')
}

const edgePixels = 48

function scrollAtEdge(event: DragEvent, body: HTMLElement): void {
  const box = body.getBoundingClientRect()
  if (event.clientY < box.top + edgePixels) body.scrollBy({ top: -16, behavior: 'instant' })
  if (event.clientY > box.bottom - edgePixels) body.scrollBy({ top: 16, behavior: 'instant' })
}

/** Before which range something dropped here would lie. */
function placeUnder(event: DragEvent, body: HTMLElement, passages: readonly CutPassage[]): number {
  const rows = [...body.querySelectorAll('[data-passage]')]
  for (const [index, row] of rows.entries()) {
    const box = row.getBoundingClientRect()
    if (event.clientY < box.top + box.height / 2) return passages[index]?.rangeIndex ?? 0
  }
  return (passages.at(-1)?.rangeIndex ?? -1) + 1
}
