/** A round of uploads ends once its outcome is read; failed files keep their cards and Retry. */
interface Ended {
  phase: 'waiting' | 'sending' | 'unsent'
  reason: string | null
  isDuplicate: boolean
  isQuiet: boolean
  isEarlier: boolean
}

/** Keeps earlier cards, and of a dialog's files those that failed. */
export function endRound<Entry extends Ended>(entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ isQuiet, isEarlier, reason, isDuplicate }) => {
      const isFailure = reason !== null && !isDuplicate
      return isQuiet || isEarlier || isFailure
    })
    .map((entry) => ({ ...entry, isEarlier: true }))
}

/** The failed files of the round that has just ended. */
export function unsentOf<Entry extends Ended>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ phase, isEarlier }) => phase === 'unsent' && !isEarlier)
}
