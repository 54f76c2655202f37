/** Everything that can be done to a cut on its screen, by pointer and by keyboard. */
import { useCallback, useMemo, useState } from 'react'
import {
  addRanges,
  bringBack,
  describeRange,
  duplicateRanges,
  moveRanges,
  moveSpan,
  newRange,
  removeRanges,
  setDisabled,
  splitRange,
  strike,
  trimRange,
} from '../../../domain/cuts/cut-edit.ts'
import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import { eventAt } from '../../../domain/cuts/cut-times.ts'
import type { CutPassage } from '../../../domain/cuts/cut-text.ts'
import type { CutRange } from '../../../domain/cuts/cut.ts'
import { counted } from '../../app/format.ts'
import type { CutState } from './cut-state.ts'
import { useDrag } from './passage-drag.ts'
import type { Drag } from './passage-drag.ts'
import type { CutView } from './cut-view.ts'
import { recordFrame, sourceFrame } from './player/cut-player.ts'
import type { CutPlayer } from './player/cut-player.ts'
import type { Deck } from './player/deck.ts'
import { spanSeconds } from './source-seconds.ts'
import { layOutPassage, restoredSpan, struckSpan, wordsBetween } from './text/passage-words.ts'
import { selectedIn } from '../../dom/text-places.ts'

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
  describe: (id: string, text: { name?: string; note?: string }) => void
  split: () => void
  /** Moves the passage that the playhead or the choice is in. */
  move: (direction: 1 | -1) => void
  /** Strikes the selected words, or brings them back where all of them are struck. */
  strikeSelected: (exactly?: 'exactly') => void
  goToSource: (rangeId: string, frame: number) => void
  goToSeam: (direction: 1 | -1) => void
  goToWord: (direction: 1 | -1, isExtending: boolean) => void
  isShowingRemoved: boolean
  toggleRemoved: () => void
  /** Trims and struck words land on a cut point or a silence near them. */
  isSnapping: boolean
  toggleSnapping: () => void
  drag: Drag
}

export function useCutActions(state: CutState, view: CutView, deck: Deck): CutActions {
  const player = deck.cut
  const [currentId, setCurrentId] = useState<string | null>(null)
  const [isShowingRemoved, setShowingRemoved] = useState(true)
  const [isSnapping, setSnapping] = useState(true)
  const { ranges } = state.cut
  const { change } = state
  const add = useCallback(
    (added: readonly NewRange[], index: number): void => {
      const fresh = added.map(newRange)
      if (change((list) => addRanges(list, fresh, index))) setCurrentId(fresh.at(-1)?.id ?? null)
    },
    [change],
  )
  const drag = useDrag((dragged, index) => {
    if (dragged.kind === 'new') {
      add([dragged.range], index)
      return
    }
    change((list) => movePassage(list, dragged.passage, index))
    setCurrentId(dragged.passage.rangeId)
  })
  const currentIndex = ranges.findIndex((range) => range.id === currentId)
  const insertAt = drag.dropAt ?? (currentIndex < 0 ? ranges.length : currentIndex + 1)

  const goToSource = useCallback(
    (rangeId: string, frame: number) => {
      const events = view.events.filter((event) => event.rangeId === rangeId)
      const event = events.find((item) => frame < item.out) ?? events.at(-1)
      if (event) player.seek(recordFrame(event, Math.max(event.in, frame)))
    },
    [view.events, player],
  )
  return useMemo(
    () => ({
      currentId,
      choose: (id) => {
        deck.leave()
        setCurrentId(id)
      },
      insertAt,
      add: (added, where) => add(added, where === 'end' ? state.cut.ranges.length : insertAt),
      ...rangeActions({ state, view, player, currentId, choose: setCurrentId }),
      strikeSelected: (exactly) =>
        strikeSelected({ state, view, player, isShowingRemoved }, Boolean(exactly) || !isSnapping),
      isSnapping,
      toggleSnapping: () => setSnapping(!isSnapping),
      goToSource,
      goToSeam: (direction) => goToSeam(view, player, direction),
      goToWord: (direction, isExtending) =>
        goToWord({ view, player, direction, isExtending, isShowingRemoved, goToSource }),
      isShowingRemoved,
      toggleRemoved: () => setShowingRemoved(!isShowingRemoved),
      drag,
    }),
    [
      state,
      view,
      deck,
      player,
      currentId,
      insertAt,
      isShowingRemoved,
      isSnapping,
      drag,
      add,
      goToSource,
    ],
  )
}

type RangeActions = Pick<
  CutActions,
  'remove' | 'duplicate' | 'toggleOff' | 'trim' | 'keepGap' | 'describe' | 'split' | 'move'
>

function rangeActions(input: {
  state: CutState
  view: CutView
  player: CutPlayer
  currentId: string | null
  choose: (id: string) => void
}): RangeActions {
  const { state, view, player, currentId, choose } = input
  const { change } = state
  return {
    remove: (id) => {
      change((list) => removeRanges(list, [id]))
      state.offerUndo('Clip removed')
    },
    duplicate: (id) => change((list) => duplicateRanges(list, [id])),
    toggleOff: (id) =>
      change((list) => setDisabled(list, [id], !list.find((range) => range.id === id)?.disabled)),
    trim: (id, ends) =>
      change((list) => {
        const range = list.find((item) => item.id === id)
        const clipFrames = view.sources.get(range?.content_id ?? '')?.frames
        return clipFrames ? trimRange(list, id, { ...ends, clipFrames }) : [...list]
      }),
    keepGap: (id, out) => change((list) => trimRange(list, id, { out, clipFrames: out })),
    describe: (id, text) => change((list) => describeRange(list, id, text)),
    split: () => {
      const event = eventAt(view.events, player.frame())
      if (!event) return
      const at = sourceFrame(event, player.frame())
      change((list) => splitRange(list, event.rangeId, at))
      choose(event.rangeId)
    },
    move: (direction) => {
      const passage = passageHere(view, player.frame(), currentId)
      if (!passage) return
      const at = passage.rangeIndex
      choose(passage.rangeId)
      if (direction < 0 && at === 0 && passage.in === state.cut.ranges[0]?.in) return
      const to = direction < 0 ? Math.max(0, at - 1) : at + 2
      change((list) => movePassage(list, passage, to))
    },
  }
}

/** The passage under the playhead, unless another range is chosen. */
function passageHere(
  view: CutView,
  frame: number,
  currentId: string | null,
): CutPassage | undefined {
  const mine = view.passages.filter((passage) => passage.rangeId === currentId)
  const event = eventAt(view.events, frame)
  const source = event ? sourceFrame(event, frame) : -1
  const under = view.passages.find(
    (item) => item.rangeId === event?.rangeId && source >= item.in && source < item.out,
  )
  return under && (mine.length === 0 || under.rangeId === currentId) ? under : mine[0]
}

function goToSeam({ passages }: CutView, player: CutPlayer, direction: 1 | -1): void {
  const starts = passages.flatMap(({ recordIn }) => (recordIn === null ? [] : [recordIn]))
  const here = player.frame()
  const to =
    direction > 0 ? starts.find((start) => start > here) : starts.findLast((start) => start < here)
  if (to !== undefined) player.seek(to)
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
  const rows = [...document.querySelectorAll<HTMLElement>('[data-passages] [data-index]')]
  const chosen = rows.flatMap((row) => {
    const passage = view.passages[Number(row.dataset.index)]
    const text = range && row.querySelector('[data-words]')
    const place = text && selectedIn(text, range)
    if (!passage || !place) return []
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

/** `isExact`: at the words' own frames, without a look for a cut point near them. */
function strikeSelected(input: Striking, isExact: boolean): void {
  const chosen = chosenWords(input)
  if (chosen.length === 0) return
  const isBack = chosen.every(({ words }) => words.every((word) => word.struck))
  const isDone = input.state.change((list) => {
    let next = [...list]
    for (const { passage, words } of chosen) {
      const range = next[passage.rangeIndex]
      if (!range) continue
      const span = isBack
        ? restoredSpan(passage, words, range)
        : struckSpan(passage, words, {
            range,
            secondsOf: (lasting) => spanSeconds(input.view.sources.get(passage.contentId), lasting),
            cutPoints: isExact ? [] : (input.view.cutPoints.get(passage.contentId) ?? []),
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
  if (isDone) input.state.offerUndo(title)
}

/** Moves the playhead to the word before or after; extending selects the words on the way. */
function goToWord(input: {
  view: CutView
  player: CutPlayer
  direction: 1 | -1
  isExtending: boolean
  isShowingRemoved: boolean
  goToSource: (rangeId: string, frame: number) => void
}): void {
  const { view, player, direction, isExtending } = input
  const event = eventAt(view.events, player.frame())
  if (!event) return
  if (isExtending) {
    extendSelection(input)
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
  if (next) input.goToSource(next.rangeId, next.in)
}

function extendSelection(input: Parameters<typeof goToWord>[0]): void {
  const selection = getSelection()
  if (!selection) return
  if (selection.isCollapsed) {
    const [here] = chosenWords(input)
    const index = here ? input.view.passages.indexOf(here.passage) : -1
    const text = document.querySelector(`[data-passages] [data-index="${index}"] [data-words]`)
    const word = here?.words[0]
    const placed =
      here &&
      layOutPassage(here.passage, input.isShowingRemoved).words.find((item) => item.in === word?.in)
    const node = text?.firstChild?.firstChild
    if (!text || !placed || !node) return
    selection.setPosition(text, 0)
    for (let at = 0; at < placed.from; at += 1) selection.modify('move', 'forward', 'character')
  }
  selection.modify('extend', input.direction > 0 ? 'forward' : 'backward', 'word')
}
