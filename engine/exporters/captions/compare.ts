import type { Rational } from '../../../domain/time/rational.ts'
import { expectEqual, fail } from '../compare.ts'
import type { readCues } from '../lists/read.ts'
import type { Cue } from './captions.ts'
import { milliseconds } from './subtitles.ts'

/** Captions that were read back are those that were meant, in order and never two at once. */
export function compareCues(
  read: ReturnType<typeof readCues>,
  cues: readonly Cue[],
  { rate, textOf }: { rate: Rational; textOf: ((cue: Cue) => string) | null },
): void {
  expectEqual('the number of captions', read.length, cues.length)
  cues.forEach((cue, index) => {
    const got = read[index]!
    expectEqual(`caption ${index + 1}: start`, got.startMs, milliseconds(cue.start, rate))
    expectEqual(`caption ${index + 1}: end`, got.endMs, milliseconds(cue.end, rate))
    if (textOf) expectEqual(`caption ${index + 1}: text`, got.text, textOf(cue))
    if (got.endMs <= got.startMs) fail(`caption ${index + 1} has no length`)
    const next = read[index + 1]
    if (next && next.startMs < got.endMs) fail(`captions ${index + 1} and ${index + 2} overlap`)
  })
}
