import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Findings } from '../../domain/findings/findings.ts'
import { rational, toNumber } from '../../domain/time/rational.ts'
import { sourceTimes } from '../../domain/time/source-times.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { createClock } from './clock.ts'
import { anchorTimes } from './anchor-times.ts'

/** How far the times that the findings tell are from those of the clock, in seconds. */
function farthest(steps: readonly number[]): number {
  const pts = [0]
  for (const step of steps) pts.push(pts.at(-1)! + step)
  const frames = pts.length
  const clock = createClock({ rate: rational(30), frames, pts, timeBase: rational(1, 600) })
  const end = toNumber(clock.timeOf(frames))
  const findings: Findings = {
    media: {
      ...makeFindings({ frames }).media,
      ...{ frame_rate: '30/1', variable_frame_rate: clock.variable, frames },
      ...{ duration: end, duration_time: `${Math.round(end * 600)}/600` },
    },
    ffprobe: {
      ...{ format: {}, streams: [], conform: [] },
      color: {
        ...{ primaries: null, transfer: null, matrix: null, range: null },
        ...{ bit_depth: 8, hdr: false },
      },
      ...(clock.variable ? { frame_times: anchorTimes(clock) } : {}),
    },
  }
  const timeOf = sourceTimes(findings)
  return Math.max(
    ...pts.map((_, frame) => Math.abs(toNumber(timeOf(frame)) - toNumber(clock.timeOf(frame)))),
  )
}

test('every frame of a variable clip is known to a millisecond', () => {
  const steps = fc.array(fc.integer({ min: 5, max: 200 }), { minLength: 2, maxLength: 400 })
  fc.assert(fc.property(steps, (list) => farthest(list) <= 0.0011))
})

test('a clip that changes its pace once is described by three frames', () => {
  const pts = Array.from({ length: 200 }, (_, frame) => frame * 20 + Math.max(0, frame - 90) * 40)
  const clock = createClock({ rate: rational(30), frames: 200, pts, timeBase: rational(1, 600) })
  const keys = anchorTimes({ ...clock, frames: 199 })
  assert.deepEqual(
    keys.map(({ frame }) => frame),
    [0, 90, 199],
  )
})

test('two hours without any order are described by a thousand frames, within a frame or two', () => {
  let state = 7
  const steps = Array.from({ length: 200_000 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return 10 + (state % 21)
  })
  const pts = [0]
  for (const step of steps) pts.push(pts.at(-1)! + step)
  const clock = createClock({
    ...{ rate: rational(30), frames: pts.length, pts },
    timeBase: rational(1, 600),
  })
  assert.ok(anchorTimes(clock).length <= 1000)
})
