/**
 * A document that is changed on the screen and saved by version.
 *
 * A change shows at once, is kept on this computer, and is sent after a pause, when asked, and when
 * the page is left. One save runs at a time. A save that meets a newer version merges it with what
 * was changed here since `base`, the last version known; while conflicts are open nothing is sent.
 * Steps of undo and redo are merged too, so that they never take back what somebody else saved.
 */
import { CallError } from '../../contract/endpoint.ts'
import { isFinalRefusal, showFailure } from '../app/failures.ts'
import { createSignal } from '../dom/signal.ts'
import { forgetUnsent, keepUnsent, readUnsent } from './unsent.ts'

const savePauseMs = 600
const retryMs = 5000
const maxUndone = 200
/** A browser sends only a short body for a page that is gone; a letter has up to three bytes. */
const maxKeptAlive = 20_000

/** `waiting`: the service could not be reached; `refused`: it did not take the document. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused' | 'conflict'

export interface Stored<Value> {
  value: Value
  version: number
}

export interface Sides<Value> {
  base: Value
  mine: Value
  theirs: Value
}

export interface Merged<Value, Conflict> {
  /** With their side of each conflict. */
  value: Value
  conflicts: readonly Conflict[]
}

export interface DocumentRules<Value, Conflict> {
  /** Names its unsent changes on this computer. */
  name: string
  empty: Value
  /** Whether kept changes have the shape of this version of the page; the service checks fields. */
  isValue: (kept: Value) => boolean
  /** Returns the new version. Without a version the last save wins. */
  save: (
    value: Value,
    version: number | undefined,
    options: { keepalive: boolean },
  ) => Promise<number>
  /** Whether a page that is left may overtake its own save, by one without a version. */
  canOvertake?: boolean
  /** Reads the saved document that comes with the refusal of a save. */
  readSaved: (saved: never) => Stored<Value>
  merge: (sides: Sides<Value>) => Merged<Value, Conflict>
  refusal: string
  onMerged?: () => void
  /** Called once until a save arrives again. */
  onUnreachable?: () => void
}

export interface DocumentView<Value, Conflict> {
  value: Value
  isLoaded: boolean
  saveState: SaveState
  conflicts: readonly Conflict[]
  canUndo: boolean
  canRedo: boolean
}

type Change<Value> = (value: Value) => Value

interface Step<Value> {
  value: Value
  run: string | undefined
  at: number
}

export type SavedDocument<Value, Conflict> = ReturnType<typeof createSavedDocument<Value, Conflict>>

export function createSavedDocument<Value, Conflict>(rules: DocumentRules<Value, Conflict>) {
  const { announce, subscribe } = createSignal()
  const history = createHistory<Value>()
  const early: Parameters<typeof change>[] = []
  let value = rules.empty
  let base: Stored<Value> | null = null
  let open: (Merged<Value, Conflict> & { theirs: Stored<Value> }) | null = null
  let state: SaveState = 'saved'
  let isDirty = false
  let isAttended = false
  let wasUnreachable = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let view = look()

  function look(): DocumentView<Value, Conflict> {
    return {
      value,
      isLoaded: base !== null,
      saveState: open ? 'conflict' : state,
      conflicts: open?.conflicts ?? [],
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
    }
  }
  function show(next: SaveState): void {
    state = next
    view = look()
    announce()
  }
  function put(next: Value): void {
    value = next
    isDirty = true
    keepUnsent(rules.name, { base, mine: value })
    show('saving')
    saveIn(savePauseMs)
  }
  function saveIn(pauseMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), pauseMs)
  }
  /** Takes what somebody else saved. */
  function adopt(theirs: Stored<Value>): void {
    const known = base?.value ?? rules.empty
    const merge = (mine: Value) => rules.merge({ base: known, mine, theirs: theirs.value })
    for (const step of history.steps()) step.value = merge(step.value).value
    const merged = isDirty && !isSame(value, theirs.value) ? merge(value) : null
    if (merged && merged.conflicts.length > 0) {
      open = { ...merged, theirs }
      return
    }
    base = theirs
    value = merged?.value ?? theirs.value
    isDirty = merged !== null
    if (merged) rules.onMerged?.()
    else forgetUnsent(rules.name)
  }
  function fail(error: unknown): void {
    show(isFinalRefusal(error) ? 'refused' : 'waiting')
    if (state === 'refused') {
      showFailure(error, { title: 'Not saved', fallback: rules.refusal })
      return
    }
    if (isAttended) saveIn(retryMs)
    if (!wasUnreachable) rules.onUnreachable?.()
    wasUnreachable = true
  }
  async function send(): Promise<void> {
    while (isDirty && base && !open) {
      const sent = value
      show('saving')
      try {
        const version = await rules.save(sent, base.version, { keepalive: isShort(sent) })
        base = { value: sent, version }
        wasUnreachable = false
        isDirty = value !== sent
        if (isDirty) keepUnsent(rules.name, { base, mine: value })
        else forgetUnsent(rules.name)
      } catch (error) {
        const theirs = savedElsewhere(error)
        if (!theirs) return fail(error)
        adopt(rules.readSaved(theirs))
      }
      show(isDirty ? 'saving' : 'saved')
    }
  }
  /** Ends with true when the service has everything, with false when it cannot be sent now. */
  async function save(): Promise<boolean> {
    clearTimeout(timer)
    running ??= send().finally(() => {
      running = null
    })
    await running
    return !isDirty
  }
  /** A page that is left may not live until an earlier save has arrived. */
  function leave(): void {
    if (!running || !isDirty || !rules.canOvertake) void save()
    else rules.save(value, undefined, { keepalive: isShort(value) }).catch(() => undefined)
  }
  /** Steps of one run, such as the letters of one name, are undone together. */
  function change(next: Change<Value>, run?: string): void {
    // Nothing decided before may be thrown away: this waits until that is known.
    if (!base) {
      early.push([next, run])
      return
    }
    const after = next(value)
    if (after === value || isSame(after, value)) return
    history.record(value, run)
    put(after)
  }
  return {
    view: () => view,
    subscribe,
    /** Takes what the service has; sends nothing yet. */
    receive(stored: Stored<Value>): void {
      if (open || running || (base && stored.version <= base.version)) return
      const unsent = base ? null : readUnsent(rules.name, readKept)
      if (unsent) {
        value = unsent.mine
        base = unsent.base
        isDirty = true
      }
      if (!base || stored.version > base.version) adopt(stored)
      show(isDirty ? 'saving' : 'saved')
      for (const args of early.splice(0)) change(...args)
    },
    change,
    undo: () => history.travel('past', value, put),
    redo: () => history.travel('future', value, put),
    /** When the next step back, and the next step forward, was taken. */
    undoAt: () => history.past.at(-1)?.at ?? 0,
    redoAt: () => history.future.at(-1)?.at ?? 0,
    /** Ends the open conflicts with this value. */
    decide(next: (merged: Merged<Value, Conflict>) => Value): void {
      if (!open) return
      const decided = next(open)
      base = open.theirs
      open = null
      put(decided)
    },
    /** Forgets what is not saved. */
    drop(): void {
      isDirty = false
      open = null
      forgetUnsent(rules.name)
      show('saved')
    },
    save,
    /** Saves when the page is left or the connection is back; returns a function that ends this. */
    attend(): () => void {
      isAttended = true
      const onOnline = (): void => void save()
      addEventListener('online', onOnline)
      addEventListener('pagehide', leave)
      onOnline()
      return () => {
        isAttended = false
        removeEventListener('online', onOnline)
        removeEventListener('pagehide', leave)
        onOnline()
      }
    },
  }

  function readKept(kept: { base: Stored<Value>; mine: Value }) {
    return rules.isValue(kept.base.value) && rules.isValue(kept.mine) ? kept : null
  }
}

function createHistory<Value>() {
  const past: Step<Value>[] = []
  const future: Step<Value>[] = []
  return {
    past,
    future,
    steps: () => [...past, ...future],
    record(value: Value, run: string | undefined): void {
      if (!run || past.at(-1)?.run !== run) past.push({ value, run, at: Date.now() })
      if (past.length > maxUndone) past.shift()
      future.length = 0
    },
    travel(from: 'past' | 'future', value: Value, put: (value: Value) => void): void {
      const [source, target] = from === 'past' ? [past, future] : [future, past]
      const step = source.pop()
      if (!step) return
      target.push({ value, run: undefined, at: Date.now() })
      put(step.value)
    },
  }
}

function savedElsewhere(error: unknown): never | null {
  if (!(error instanceof CallError) || error.code !== 'conflict') return null
  return (error.body.saved ?? null) as never
}

function isShort(value: unknown): boolean {
  return JSON.stringify(value).length < maxKeptAlive
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
