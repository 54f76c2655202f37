import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ExportOptions } from '../../../../contract/footage/export-options.ts'
import { sourceTimes } from '../../../../domain/time/source-times.ts'
import { toNumber } from '../../../../domain/time/rational.ts'
import { toTimecode } from '../../../../domain/time/timecode.ts'
import { buildGrid } from '../../../../engine/timeline/grid.ts'
import { makeFindings } from '../../../../test/export-parsers/findings.ts'
import { reelOf } from './reel.ts'

/** Thousandths of a second at which each frame starts, and at which the last one ends. */
const variableStarts = fc
  .array(fc.integer({ min: 12, max: 120 }), { minLength: 20, maxLength: 150 })
  .map((lengths) => lengths.reduce((starts, length) => [...starts, starts.at(-1)! + length], [0]))
const rates = ['25/1', '30000/1001', '24173/1000', '25/2', '100/7', '15/1', '2397/100', '240/1']
const start = fc.constantFrom(null, '00:00:00:00', '01:00:00:00', '10:59:59:00')

test('the screen names the frames of a variable clip as exports do', () => {
  fc.assert(
    fc.property(variableStarts, start, fc.nat(149), (starts, timecode, cut) => {
      const frames = starts.length - 1
      const findings = makeFindings({
        frames,
        timeOf: (frame) => [starts[Math.min(frame, frames)]!, 1000],
        changes: [{ type: 'cut', start: cut % frames, end: cut % frames }],
        media: {
          variable_frame_rate: true,
          start_timecode: timecode,
          duration: starts.at(-1)! / 1000,
          duration_time: `${starts.at(-1)}/1000`,
        },
      })
      agreeWithExports(findings)
      const reel = reelOf(findings.media, findings)
      const timeOf = sourceTimes(findings)
      for (let frame = 0; frame < frames; frame++) {
        assert.equal(reel.frameAtSecond(toNumber(timeOf(frame)) + 0.002), frame)
      }
    }),
    { numRuns: 60 },
  )
})

test('sound behind the picture does not change the names of frames', () => {
  for (const rate of rates) {
    const media = { duration: 9000, duration_time: '9000/1' }
    agreeWithExports(makeFindings({ rate, frames: 300, media }))
  }
})

test('the average rate of a variable clip is that of its picture, not of sound behind it', () => {
  const findings = makeFindings({
    rate: '30/1',
    frames: 300,
    changes: [{ type: 'cut', start: 300, end: 300 }],
    media: { variable_frame_rate: true, duration: 20, duration_time: '20/1' },
  })
  assert.equal(reelOf(findings.media, findings).framesPerSecond, 30)
})

test('a variable clip knows the seconds between two frames', () => {
  const findings = makeFindings({
    frames: 4,
    timeOf: (frame) => [[0, 1, 3, 4, 5][frame]!, 10],
    points: [1, 2, 3].map((frame) => ({ frame, score: 1 })),
    media: { variable_frame_rate: true, duration: 0.5, duration_time: '1/2' },
  })
  const { secondsAt } = reelOf(findings.media, findings)
  assert.deepEqual([1, 1.5, 2].map(secondsAt), [0.1, 0.2, 0.3])
})

for (const rate of rates) {
  test(`the screen names frames at ${rate} as exports do`, () => {
    for (const timecode of [null, '01:00:00:00']) {
      agreeWithExports(makeFindings({ rate, frames: 1100, media: { start_timecode: timecode } }))
    }
  })
}

function agreeWithExports(findings: ReturnType<typeof makeFindings>): void {
  const grid = buildGrid(findings, ExportOptions.parse({}))
  const reel = reelOf(findings.media, findings)
  const name = (frame: number): string =>
    toTimecode(grid.startFrame + grid.place(frame), grid.format)
  for (let frame = 0; frame < reel.frames; frame++) {
    assert.equal(reel.timecode(frame), name(frame), `frame ${frame}`)
    // Typing leads to the first frame of that name.
    const typed = reel.typed(reel.timecode(frame), 0)
    assert.ok(typed !== null && typed <= frame, `${reel.timecode(frame)} leads to ${typed}`)
    assert.equal(reel.timecode(typed), reel.timecode(frame))
  }
  assert.equal(
    reel.length([{ start: 0, end: reel.frames }]),
    toTimecode(grid.frames, grid.format),
    'the length',
  )
}
