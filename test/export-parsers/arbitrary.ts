/** Random findings for the properties of the exports. */
import * as fc from 'fast-check'
import { standardRates } from '../../domain/time/timecode.ts'
import type { Change, MadeFindings } from './findings.ts'

/** Changes that follow each other with room between, as a detector reports them. */
export const changes: fc.Arbitrary<{ changes: Change[]; frames: number }> = fc
  .record({
    steps: fc.array(
      fc.record({
        type: fc.constantFrom('cut', 'cut', 'dissolve', 'fade', 'wipe'),
        gap: fc.integer({ min: 1, max: 400 }),
        length: fc.integer({ min: 1, max: 60 }),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 40 },
    ),
    tail: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ steps, tail }) => {
    let at = 0
    const changes = steps.map(({ type, gap, length, score }): Change => {
      const start = at + gap
      const end = type === 'cut' ? start : start + length
      at = end
      return { type, start, end, score }
    })
    return { changes: changes, frames: at + tail + 1 }
  })

export const standardRate = fc.constantFrom(...standardRates)

/** A timecode as text, valid at every rate and in drop frame. */
export const startTimecode = fc
  .record({
    hours: fc.integer({ min: 0, max: 23 }),
    minutes: fc.integer({ min: 0, max: 59 }),
    seconds: fc.integer({ min: 0, max: 59 }),
    frames: fc.integer({ min: 4, max: 23 }),
  })
  .map((parts) => [parts.hours, parts.minutes, parts.seconds, parts.frames].map(two).join(':'))

/** Names with everything that formats trip over. */
export const mediaName = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    'a & b <c> "d" \'e\'.mov',
    'Zürich – 東京 🎬.mp4',
    'line\nbreak\tand\rmore.mxf',
    '=cmd|calc.mp4',
    '   .mov',
    'D:\\clips\\one.mov',
    '-->.mp4',
    'x'.repeat(300),
  ),
)

export const videoFindings: fc.Arbitrary<MadeFindings> = fc
  .record({
    of: changes,
    rate: standardRate,
    start: fc.option(startTimecode),
    audio: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  })
  .map(({ of: parts, rate, start, audio }) => ({
    ...parts,
    rate: rate.rate,
    dropFrame: rate.dropFrame,
    startTimecode: start,
    audio,
  }))

function two(value: number): string {
  return String(value).padStart(2, '0')
}
