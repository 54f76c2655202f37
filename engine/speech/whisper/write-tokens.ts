/**
 * Text as Whisper's tokens, for the prompt. The vocabulary is a byte-level one whose ids are the
 * order in which pairs were joined, so the pair with the lowest id is always joined first.
 */
import { tokenBytes } from './tokens.ts'

/** Where GPT-2's vocabulary parts a text before pairs are joined. */
const pieces = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

/** `tokens` holds each token by its id, as the vocabulary writes it. */
export function createTokenWriter(
  tokens: readonly (string | undefined)[],
): (text: string) => number[] {
  const idOf = new Map<string, number>()
  for (const [id, token] of tokens.entries()) {
    if (token !== undefined) idOf.set(key(tokenBytes(token)), id)
  }
  return (text) => (text.normalize('NFC').match(pieces) ?? []).flatMap((piece) => join(piece, idOf))
}

function join(piece: string, idOf: ReadonlyMap<string, number>): number[] {
  let parts = Array.from(Buffer.from(piece), (byte) => String.fromCharCode(byte))
  for (;;) {
    let best = Infinity
    for (let at = 0; at + 1 < parts.length; at++) {
      best = Math.min(best, idOf.get(parts[at]! + parts[at + 1]!) ?? Infinity)
    }
    if (best === Infinity) break
    const joined: string[] = []
    for (let at = 0; at < parts.length; at++) {
      const pair = at + 1 < parts.length ? parts[at]! + parts[at + 1]! : ''
      if (idOf.get(pair) === best) {
        joined.push(pair)
        at++
      } else joined.push(parts[at]!)
    }
    parts = joined
  }
  return parts.map((part) => idOf.get(part)).filter((id) => id !== undefined)
}

function key(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
