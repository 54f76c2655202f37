/** The cut that every part of its screen reads, so that none hands it to the next. */
import { createContext, use, useMemo, useState } from 'react'
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import type { Project } from '../../../contract/footage/projects.ts'
import type { Comment } from '../../../contract/footage/shares.ts'
import { useCutActions } from './cut-actions.ts'
import type { CutActions } from './cut-actions.ts'
import { useProjectOf } from './cut-list.ts'
import { useCutState } from './cut-state.ts'
import type { CutState } from './cut-state.ts'
import { useCutView, useCutWords } from './cut-view.ts'
import type { CutView } from './cut-view.ts'
import { createCutPlayer } from './player/cut-player.ts'
import { createDeck } from './player/deck.ts'
import type { Deck } from './player/deck.ts'
import { useCommentsOf } from './share/comments-of.ts'

export interface OpenCut {
  state: CutState
  view: CutView
  actions: CutActions
  deck: Deck
  project: Project | undefined
  /** Written on the links of the cut. */
  comments: readonly Comment[]
}

export const CutContext = createContext<OpenCut | null>(null)

export function useCut(): OpenCut {
  const cut = use(CutContext)
  if (!cut) throw new Error('This part stands outside of a cut.')
  return cut
}

export function useOpenCut(opened: { cut: Cut; sources: readonly CutSource[] }): OpenCut {
  const [deck] = useState(() => createDeck(createCutPlayer()))
  const state = useEditedCut(useCutState(opened), deck)
  const [shared] = useState({ cut_id: opened.cut.id })
  const words = useCutWords(state)
  const view = useCutView(state.cut, state.sources, words)
  const actions = useCutActions(state, view, deck)
  const project = useProjectOf(state.cut.project_id)
  const comments = useCommentsOf(shared)
  return { state, view, actions, deck, project, comments }
}

/** Every change of the cut ends the preview of a source first. */
function useEditedCut(state: CutState, deck: Deck): CutState {
  return useMemo(() => {
    const first =
      <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
      (...args: Args): Result => {
        deck.leave()
        return run(...args)
      }
    return {
      ...state,
      change: first(state.change),
      undo: first(state.undo),
      redo: first(state.redo),
    }
  }, [state, deck])
}
