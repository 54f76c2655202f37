const pieceRows = 50

/** The rows of a long list in pieces of fifty; `end` is the first that no longer belongs. */
export function piecesOf(count: number): { first: number; end: number }[] {
  return Array.from({ length: Math.ceil(count / pieceRows) }, (_, piece) => ({
    first: piece * pieceRows,
    end: Math.min(count, (piece + 1) * pieceRows),
  }))
}
