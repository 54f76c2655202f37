/**
 * A cut on the screen: changed at once, undone and redone (undo.ts), saved by version after each
 * change. A save that meets a newer version keeps both until the person has chosen.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { cutLimits } from '../../../domain/cuts/cut-limits.ts'
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import type { CutRange } from '../../../domain/cuts/cut.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { isFinalRefusal, showFailure } from '../../app/failures.ts'
import { keepAddresses } from '../../playback/keep-addresses.ts'
import { keys } from '../../app/queries.ts'
import { saveOnLeave } from '../../saved/save-on-leave.ts'
import { showToast } from '../../ui/toast.tsx'
import { createUndo } from './undo.ts'
import { bodyOf, forgetCut, keepCut, readCut } from './unsent-cut.ts'
import type { CutBody } from './unsent-cut.ts'

const savePauseMs = 500
const retryMs = 5000

export type CutSettings = Pick<
  Cut,
  'name' | 'frame_rate' | 'drop_frame' | 'start_timecode' | 'frame_size' | 'target_seconds'
>
export type SaveStatus = 'saved' | 'saving' | 'failed' | 'conflict'

export interface CutState {
  cut: Cut
  sources: readonly CutSource[]
  status: SaveStatus
  /** False where it would hold more than a cut can, which was said. */
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
  /** Asks for addresses that live on, before those of the sources die. */
  renewAddresses: () => Promise<void>
  /** What somebody else saved meanwhile. */
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
  // What an earlier screen could not save.
  const [unsent] = useState(() => readCut(opened.cut.id))
  const [cut, setCut] = useState(() => ({ ...opened.cut, ...unsent?.cut }))
  const [sources, setSources] = useState(opened.sources)
  const [status, setStatus] = useState<SaveStatus>(unsent ? 'saving' : 'saved')
  const [theirs, setTheirs] = useState<Cut | null>(null)
  const [steps] = useState(createUndo)
  const latest = useRef(cut)
  /** What the server has. */
  const version = useRef(unsent?.version ?? cut.version)
  const waiting = useRef(unsent !== null)
  const running = useRef<Promise<void> | null>(null)
  const isOpen = useRef(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const withdrawOffer = useRef<() => void>(undefined)

  const send = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    // Another one may have begun by the time the first has ended.
    while (running.current) await running.current
    if (!waiting.current) return true
    waiting.current = false
    setStatus('saving')
    const sent = latest.current
    const work = (async () => {
      try {
        const answer = await api.saveCut({
          params: { id: sent.id },
          body: { ...bodyOf(sent), version: version.current },
        })
        version.current = answer.cut.version
        setSources((known) => keepAddresses(known, answer.sources, Date.now()))
        latest.current = {
          ...latest.current,
          version: answer.cut.version,
          updated_at: answer.cut.updated_at,
        }
        setCut(latest.current)
        setStatus(waiting.current ? 'saving' : 'saved')
        if (waiting.current) keepCut(latest.current, version.current)
        else forgetCut(sent.id)
        void queries.invalidateQueries({ queryKey: keys.cuts })
      } catch (error) {
        waiting.current = true
        keepCut(latest.current, version.current)
        const saved = savedBy(error)
        if (saved) setTheirs(saved)
        setStatus(saved ? 'conflict' : 'failed')
        if (saved) return
        if (isFinalRefusal(error)) {
          showFailure(error, { title: 'Not saved', fallback: 'The change could not be saved.' })
        } else if (isOpen.current) timer.current = setTimeout(() => void send(), retryMs)
      } finally {
        running.current = null
      }
    })()
    running.current = work
    await work
    return !waiting.current
  }, [queries])

  const put = useCallback(
    (next: Cut) => {
      // Its Undo would undo this change instead.
      withdrawOffer.current?.()
      latest.current = next
      waiting.current = true
      // A phone may end the page without a word before it is sent.
      keepCut(next, version.current)
      setCut(next)
      setStatus((before) => (before === 'conflict' ? before : 'saving'))
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), savePauseMs)
    },
    [send],
  )
  const commit = useCallback(
    (part: Partial<Cut>) => {
      steps.record(latest.current)
      put({ ...latest.current, ...part })
    },
    [steps, put],
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (!waiting.current && !running.current) return
      void send()
      event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    isOpen.current = true
    void send()
    const saveAndEnd = saveOnLeave(send)
    return () => {
      isOpen.current = false
      removeEventListener('beforeunload', warn)
      saveAndEnd()
    }
  }, [send])

  const { id } = opened.cut
  const renewAddresses = useCallback(async (): Promise<void> => {
    // Without an answer the next look asks again.
    const answer = await api.getCut({ params: { id }, query: {} }).catch(() => null)
    if (!answer) return
    setSources((known) => {
      const renewed = new Map(answer.sources.map((source) => [source.content_id, source]))
      // A clip that was added and is not saved yet is not among them.
      const next = known.map((source) => renewed.get(source.content_id) ?? source)
      return keepAddresses(known, next, Date.now())
    })
  }, [id])

  const restore = (body: CutBody | null): void => {
    if (body) put({ ...latest.current, ...body })
  }
  const undo = (): void => restore(steps.undo(latest.current))
  const settle = (base: number): void => {
    version.current = base
    setTheirs(null)
    setStatus('saving')
    void send()
  }
  return useMemo(
    () => ({
      cut,
      sources,
      status,
      theirs,
      change: (next) => {
        const { ranges: before } = latest.current
        const ranges = next(before)
        if (ranges.length > Math.max(cutLimits.ranges, before.length)) {
          const message = `A cut holds at most ${cutLimits.ranges.toLocaleString('en-US')} ranges. Start another one.`
          showToast({ type: 'warning', title: 'This cut is full', message })
          return false
        }
        const fullest = ranges.find(({ removed }) => removed.length > cutLimits.removedOfRange)
        if (fullest && !before.includes(fullest)) {
          const message = `A range holds at most ${cutLimits.removedOfRange} removed parts. Split it first.`
          showToast({ type: 'warning', title: 'This range is full', message })
          return false
        }
        if (ranges !== before) commit({ ranges })
        return true
      },
      changeSettings: commit,
      undo,
      offerUndo: (title) => {
        const action = { label: 'Undo', run: undo }
        const message = 'Ctrl Z undoes it too.'
        withdrawOffer.current = showToast({ type: 'info', title, message, action })
      },
      redo: () => restore(steps.redo(latest.current)),
      canUndo: steps.canUndo(),
      canRedo: steps.canRedo(),
      save: send,
      renewAddresses,
      keepMine: () => theirs && settle(theirs.version),
      takeTheirs: () => {
        if (!theirs) return
        commit(bodyOf(theirs))
        settle(theirs.version)
      },
      keepBoth: async () => {
        if (!theirs) return null
        const mine = latest.current
        if (!mine.project_id) return null
        const name = `${mine.name} (copy)`.slice(0, 200)
        const body = { ...bodyOf(mine), name, project_id: mine.project_id }
        const { cut: copy } = await api.createCut({ body })
        waiting.current = false
        forgetCut(mine.id)
        return copy.id
      },
    }),
    // Everything else is read from references.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [cut, sources, status, theirs, commit, send, renewAddresses],
  )
}

/** The saved cut that a refused save comes back with. */
function savedBy(error: unknown): Cut | null {
  if (!(error instanceof CallError) || error.status !== 409) return null
  const body = error.body as { saved?: { cut?: Cut }; details?: { saved?: { cut?: Cut } } }
  return body.saved?.cut ?? body.details?.saved?.cut ?? null
}
