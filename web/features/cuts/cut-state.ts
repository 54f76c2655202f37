/** A cut on the screen. A save that meets a newer version keeps both until a person has chosen. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { cutLimits } from '../../../domain/cuts/cut-limits.ts'
import type { CutRange } from '../../../domain/cuts/cut.ts'
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { keepAddresses } from '../../playback/keep-addresses.ts'
import { createSavedDocument } from '../../saved/saved-document.ts'
import type { DocumentRules, SaveState } from '../../saved/saved-document.ts'
import { useDocument } from '../../saved/use-saved-document.ts'
import { showToast } from '../../ui/toast.tsx'

export type CutSettings = Pick<
  Cut,
  'name' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'frame_size' | 'target_seconds'
>

export interface CutState {
  cut: Cut
  sources: readonly CutSource[]
  saveState: SaveState
  /** False, after saying so, where the cut would hold more than it can. */
  change: (next: (ranges: readonly CutRange[]) => CutRange[]) => boolean
  changeSettings: (part: Partial<CutSettings>) => void
  undo: () => void
  /** Says what was just done, with a way back until the next change. */
  offerUndo: (title: string) => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  /** Ends when everything is on the server (true), or could not be brought there. */
  save: () => Promise<boolean>
  /** Asks for new addresses of media before the present ones expire. */
  renewAddresses: () => Promise<void>
  /** The version that somebody else saved meanwhile. */
  theirs: Cut | null
  keepMine: () => void
  takeTheirs: () => void
  keepBoth: () => Promise<string | null>
}

interface Opened {
  cut: Cut
  sources: readonly CutSource[]
}

export function useOpenedCut(id: string) {
  return useQuery({
    queryKey: [...keys.cut, id],
    queryFn: ({ signal }) => api.getCut({ params: { id }, query: {} }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function useCutState(opened: Opened): CutState {
  const queries = useQueryClient()
  const [{ cut: saved, sources }, setSaved] = useState(opened)
  const { id } = opened.cut
  const [created] = useState(() => {
    const document = createSavedDocument(
      rulesOf(opened.cut, (answer) => {
        setSaved((before) => ({ ...answer, sources: keep(before.sources, answer.sources) }))
        void queries.invalidateQueries({ queryKey: keys.cuts })
      }),
    )
    document.receive({ value: opened.cut, version: opened.cut.version })
    return document
  })
  const document = useDocument(created)
  const { value, saveState, conflicts } = document
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (created.view().saveState === 'saved') return
      void created.save()
      event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [created])
  const renewAddresses = useCallback(async (): Promise<void> => {
    // Without an answer the next look asks again.
    const answer = await api.getCut({ params: { id }, query: {} }).catch(() => null)
    if (!answer) return
    const renewed = new Map(answer.sources.map((source) => [source.content_id, source]))
    setSaved((before) => {
      // A clip that was added and is not saved yet is not among them.
      const next = before.sources.map((source) => renewed.get(source.content_id) ?? source)
      return { ...before, sources: keep(before.sources, next) }
    })
  }, [id])
  const { version, updated_at } = saved
  const cut = useMemo(() => ({ ...value, version, updated_at }), [value, version, updated_at])
  const [theirs = null] = conflicts
  const withdrawOffer = useRef<() => void>(undefined)
  return useMemo(() => {
    // Any change withdraws the offer, whose Undo would undo that change instead.
    const after =
      <Args extends unknown[]>(run: (...args: Args) => void) =>
      (...args: Args): void => {
        withdrawOffer.current?.()
        run(...args)
      }
    const commit = after((part: Partial<Cut>) =>
      document.change((before) => ({ ...before, ...part })),
    )
    const undo = after(document.undo)
    const settle = (): void => document.decide(() => created.view().value)
    return {
      cut,
      sources,
      saveState,
      theirs,
      change(next) {
        const { ranges: before } = created.view().value
        const ranges = next(before)
        const problem = limitBroken(before, ranges)
        if (problem) showToast({ type: 'warning', ...problem })
        else if (ranges !== before) commit({ ranges })
        return problem === null
      },
      changeSettings: commit,
      undo,
      offerUndo(title) {
        const action = { label: 'Undo', run: undo }
        const message = 'Ctrl Z undoes it too.'
        withdrawOffer.current = showToast({ type: 'info', title, message, action })
      },
      redo: after(document.redo),
      canUndo: document.canUndo,
      canRedo: document.canRedo,
      save: document.save,
      renewAddresses,
      keepMine: settle,
      takeTheirs() {
        if (!theirs) return
        commit(bodyOf(theirs))
        settle()
      },
      async keepBoth() {
        const mine = created.view().value
        if (!theirs || !mine.project_id) return null
        const name = `${mine.name} (copy)`.slice(0, 200)
        const body = { ...bodyOf(mine), name, project_id: mine.project_id }
        const { cut: copy } = await api.createCut({ body })
        document.drop()
        return copy.id
      },
    }
  }, [cut, sources, saveState, theirs, created, document, renewAddresses])
}

function rulesOf(opened: Cut, onSaved: (answer: Opened) => void): DocumentRules<Cut, Cut> {
  const params = { id: opened.id }
  return {
    name: `cut:${opened.id}`,
    empty: opened,
    isValue: ({ ranges }) => Array.isArray(ranges),
    async save(cut, version = cut.version, options) {
      const answer = await api.saveCut({ params, body: { ...bodyOf(cut), version } }, options)
      onSaved(answer)
      return answer.cut.version
    },
    readSaved: ({ cut }: { cut: Cut }) => ({ value: cut, version: cut.version }),
    merge: ({ mine, theirs }) => ({ value: mine, conflicts: [theirs] }),
    refusal: 'The change could not be saved.',
  }
}

function bodyOf(cut: Cut) {
  const { name, frame_rate, drop_frame, start_timecode, frame_size, target_seconds, ranges } = cut
  return { name, frame_rate, drop_frame, start_timecode, frame_size, target_seconds, ranges }
}

function keep(known: readonly CutSource[], next: readonly CutSource[]): readonly CutSource[] {
  return keepAddresses(known, next, Date.now())
}

function limitBroken(before: readonly CutRange[], ranges: readonly CutRange[]) {
  if (ranges.length > Math.max(cutLimits.ranges, before.length)) {
    const max = cutLimits.ranges.toLocaleString('en-US')
    const message = `A cut holds at most ${max} clips. Start another one.`
    return { title: 'This cut is full', message }
  }
  const fullest = ranges.find(({ removed }) => removed.length > cutLimits.removedOfRange)
  if (!fullest || before.includes(fullest)) return null
  const message = `A clip holds at most ${cutLimits.removedOfRange} removed parts. Split it first.`
  return { title: 'This clip is full', message }
}
