/**
 * A round of uploads ends when nobody asks for its outcome any more. What failed in it keeps its
 * card in the library, with its Retry, and says nothing about the rounds after it.
 */
interface Ended {
  phase: 'waiting' | 'sending' | 'unsent'
  reason: string | null
  isDuplicate: boolean
  isQuiet: boolean
  isEarlier: boolean
}

/** What stays as a card: all that were cards before, and of a dialog's those that failed. */
export function endRound<Entry extends Ended>(entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ isQuiet, isEarlier, reason, isDuplicate }) => {
      const isFailure = reason !== null && !isDuplicate
      return isQuiet || isEarlier || isFailure
    })
    .map((entry) => ({ ...entry, isEarlier: true }))
}

/** What did not arrive of the round that has just ended. */
export function unsentOf<Entry extends Ended>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ phase, isEarlier }) => phase === 'unsent' && !isEarlier)
}
