/**
 * Sound that follows the mouths of a file, but early or late.
 *
 * First all windows are asked together for one delay, the usual fault of a whole file. Where they
 * do not agree on one, each window is asked alone, and more is asked of it the more windows there
 * are. A claim needs a likeness that strangers do not reach, that no other delay comes near to, and
 * that is plainly greater than the one without delay: a recording in sync keeps that last one high,
 * whatever else is to be heard. The figures are from docs/decisions/0061.
 */
import { judgeSync } from './lip-likeness.ts'
import type { Sync, SyncWindow } from './lip-likeness.ts'

export interface Shifts {
  /** Seconds by which the sound of the whole file is late (negative: early); null if it is not. */
  delay: number | null
  windows: SyncWindow[]
}

/** A viewer notices less, but cameras, phones and changes of the frame rate make up to 0.2 s. */
const minDelaySeconds = 0.22
/** Limits in likeness × √seconds. */
const minWorth = 1.1
const minLead = 0.3
const minOverNear = 0.35
/** Added to the threshold for each doubling of the tries. */
const perDoubling = 0.06
const minSeconds = 3
const followsLikeness = 0.25
/** Another person's voice shows only as missing likeness, which takes longer. */
const strangerSeconds = 12
const strangerLikeness = 0.1

export function findShifts(windows: SyncWindow[]): Shifts {
  const whole = judgeSync(windows)
  if (whole && isShifted(whole, 1)) {
    const others = windows.filter((window) => !isInSync(judgeSync([window])))
    return { delay: whole.delay, windows: others }
  }
  const alone = windows.filter((window) => {
    const sync = judgeSync([window])
    return sync !== null && isShifted(sync, windows.length)
  })
  return { delay: null, windows: alone }
}

/** True if the sound may be this mouth's: it follows without delay, or too little was visible. */
export function mayFollow(windows: readonly SyncWindow[]): boolean {
  const sync = judgeSync(windows)
  return sync === null || sync.seconds < minSeconds || sync.near >= followsLikeness
}

/** True if the sound cannot be this mouth's at any delay. */
export function isStranger(windows: readonly SyncWindow[]): boolean {
  const sync = judgeSync(windows)
  return (
    sync !== null &&
    sync.seconds >= strangerSeconds &&
    sync.near <= strangerLikeness &&
    sync.best * Math.sqrt(sync.seconds) < minWorth
  )
}

/** True if the sound follows without delay, so clearly that a delay would have been noticed. */
export function followsInTime(windows: readonly SyncWindow[]): boolean {
  const sync = judgeSync(windows)
  return sync !== null && Math.abs(sync.delay) < minDelaySeconds && isPlain(sync, 1)
}

function isShifted(sync: Sync, tries: number): boolean {
  return (
    Math.abs(sync.delay) >= minDelaySeconds &&
    (sync.best - sync.near) * Math.sqrt(sync.seconds) >= minOverNear &&
    isPlain(sync, tries)
  )
}

function isPlain(sync: Sync, tries: number): boolean {
  const worth = Math.sqrt(sync.seconds)
  return (
    sync.seconds >= minSeconds &&
    sync.best * worth >= minWorth + perDoubling * Math.log2(tries) &&
    (sync.best - sync.rival) * worth >= minLead
  )
}

function isInSync(sync: Sync | null): boolean {
  return (
    sync !== null &&
    Math.abs(sync.delay) < minDelaySeconds &&
    sync.best * Math.sqrt(sync.seconds) >= minWorth
  )
}
