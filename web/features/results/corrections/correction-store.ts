/**
 * Corrections of one job's findings: shown at once, saved soon after by version, kept on this
 * computer until the service has them. What was saved elsewhere in the meantime is joined; where
 * both sides changed the same thing, a person decides and nothing is sent until then.
 */
import { noCorrections } from '../../../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import { CallError } from '../../../../contract/endpoint.ts'
import { api } from '../../../app/api.ts'
import { isFinalRefusal, showFailure } from '../../../app/failures.ts'
import { saveOnLeave } from '../../../saved/save-on-leave.ts'
import { showToast } from '../../../ui/toast.tsx'
import { mergeCorrections, takeMine } from './merge-corrections.ts'
import type { Conflict, Merged } from './merge-corrections.ts'
import { forgetCorrections, keepCorrections, readCorrections } from './unsent.ts'
import { createSignal } from '../../../dom/signal.ts'

const savePauseMs = 600
const retryMs = 5000
const maxUndone = 200
/** A browser sends only a short body for a page that is gone. */
const maxKeptAlive = 20_000

/** `waiting`: the service could not be reached; `refused`: it did not take them. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused'

/** What the service has, as far as this tab knows. */
export interface Synced {
  corrections: Corrections
  version: number
}

export interface CorrectionView {
  corrections: Corrections
  /** Whether the service has answered which corrections there are. */
  isOffered: boolean
  saveState: SaveState
  conflicts: readonly Conflict[]
  canUndo: boolean
  canRedo: boolean
}

export interface CorrectionStore {
  view: () => CorrectionView
  subscribe: (listener: () => void) => () => void
  /** Takes what the service has. */
  receive: (stored: Synced) => void
  change: (next: Corrections) => void
  undo: () => void
  redo: () => void
  /** When the next step back, and the next step forward, was taken. */
  undoAt: () => number
  redoAt: () => number
  /** Answers the open conflicts: the keys of those where mine is taken. */
  decide: (mine: ReadonlySet<string>) => void
  /** Ends when everything corrected so far is on the server, or cannot be sent now. */
  save: () => Promise<boolean>
  /** Saves when the page is left or the connection is back; returns what ends that. */
  attend: () => () => void
}

interface Step {
  corrections: Corrections
  at: number
}

export function createCorrectionStore(jobId: string): CorrectionStore {
  const { announce, subscribe } = createSignal()
  const past: Step[] = []
  const future: Step[] = []
  let now = noCorrections
  let synced: Synced | null = null
  let merged: Merged | null = null
  let saveState: SaveState = 'saved'
  let isDirty = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let view = look()

  function look(): CorrectionView {
    return {
      corrections: now,
      isOffered: synced !== null,
      saveState,
      conflicts: merged?.conflicts ?? [],
      canUndo: past.length > 0,
      canRedo: future.length > 0,
    }
  }
  function notify(): void {
    view = look()
    announce()
  }
  function keep(next: Corrections): void {
    now = next
    isDirty = true
    if (synced) keepCorrections(jobId, { base: synced, mine: now })
    saveState = 'saving'
    notify()
    saveIn(savePauseMs)
  }
  function saveIn(pauseMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), pauseMs)
  }
  /** Takes what others saved; steps back and forward must not undo it. */
  function adopt(theirs: Synced): void {
    const base = synced?.corrections ?? noCorrections
    for (const step of [...past, ...future]) {
      step.corrections = mergeCorrections({
        base,
        mine: step.corrections,
        theirs: theirs.corrections,
      }).corrections
    }
    synced = theirs
    if (!isDirty) {
      now = theirs.corrections
      return
    }
    const joined = mergeCorrections({ base, mine: now, theirs: theirs.corrections })
    if (joined.conflicts.length > 0) {
      merged = joined
      return
    }
    now = joined.corrections
    const message = 'Yours and theirs are both kept.'
    showToast({ type: 'info', title: 'Corrections were also saved elsewhere', message })
  }
  function fail(error: unknown): void {
    isDirty = true
    const theirs = savedElsewhere(error)
    if (theirs) {
      adopt(theirs)
      notify()
      return
    }
    saveState = isFinalRefusal(error) ? 'refused' : 'waiting'
    notify()
    if (saveState === 'refused') {
      showFailure(error, {
        title: 'Not saved',
        fallback: 'The service did not take these corrections.',
      })
    } else saveIn(retryMs)
  }
  async function send(): Promise<void> {
    do {
      if (!isDirty || !synced || merged) return
      const body = { ...now, version: synced.version }
      const sent = now
      isDirty = false
      saveState = 'saving'
      notify()
      try {
        const keepalive = JSON.stringify(body).length < maxKeptAlive
        const answer = await api.saveCorrections({ params: { id: jobId }, body }, { keepalive })
        synced = { corrections: sent, version: answer.version }
        if (isStillDirty()) continue
        forgetCorrections(jobId)
        saveState = 'saved'
        notify()
      } catch (error) {
        fail(error)
      }
    } while (saveState === 'saving')
  }
  /** Something may have been changed while a save was on its way. */
  function isStillDirty(): boolean {
    return isDirty
  }
  async function save(): Promise<boolean> {
    clearTimeout(timer)
    running ??= send().finally(() => {
      running = null
    })
    await running
    return !isDirty && !merged
  }
  function travel(from: Step[], to: Step[]): void {
    const step = from.pop()
    if (!step) return
    to.push({ corrections: now, at: Date.now() })
    keep(step.corrections)
  }
  return {
    view: () => view,
    subscribe,
    receive({ corrections, version }) {
      if (merged || running || (synced && version <= synced.version)) return
      const unsent = synced ? null : readCorrections(jobId)
      if (unsent) {
        now = unsent.mine
        synced = unsent.base
        isDirty = true
      }
      if (!synced || version > synced.version) adopt({ corrections, version })
      notify()
      if (isDirty) void save()
    },
    change(next) {
      if (JSON.stringify(next) === JSON.stringify(now)) return
      past.push({ corrections: now, at: Date.now() })
      if (past.length > maxUndone) past.shift()
      future.length = 0
      keep(next)
    },
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    undoAt: () => past.at(-1)?.at ?? 0,
    redoAt: () => future.at(-1)?.at ?? 0,
    decide(mine) {
      if (!merged) return
      const chosen = merged.conflicts.filter((conflict) => mine.has(conflict.key))
      const next = chosen.reduce(takeMine, merged.corrections)
      merged = null
      keep(next)
    },
    save,
    attend: () => saveOnLeave(save),
  }
}

function savedElsewhere(error: unknown): Synced | null {
  if (!(error instanceof CallError) || error.code !== 'conflict') return null
  return (error.body as { saved?: Synced }).saved ?? null
}
