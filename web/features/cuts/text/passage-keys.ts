/**
 * A key for each passage that stays while its range is trimmed, so that its row and the field that
 * trims it stay in the page: which range, and the how many-th passage of it.
 */
export function passageKeys(passages: readonly { rangeId: string }[]): string[] {
  const counts = new Map<string, number>()
  return passages.map(({ rangeId }) => {
    const count = counts.get(rangeId) ?? 0
    counts.set(rangeId, count + 1)
    return `${rangeId} ${count}`
  })
}
