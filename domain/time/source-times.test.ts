import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import type { Findings } from '../findings/findings.ts'
import { compare, rational } from './rational.ts'
import { knownFrameTimes, knownTimes, sourceTimes } from './source-times.ts'

type Words = NonNullable<Findings['transcription']>['words']

/** Words that begin and end within frames; an end frame is the first that a word does not reach. */
function heard(spans: readonly [number, number][], startOf: (frame: number) => number): Words {
  const frameAt = (ms: number): number => {
    let frame = 0
    while (startOf(frame + 1) <= ms) frame++
    return frame
  }
  return spans.map(([start, end]) => ({
    text: 'word',
    confidence: 1,
    speaker: null,
    start_frame: frameAt(start),
    end_frame: frameAt(end - 1) + 1,
    start_time: `${start}/1000`,
    end_time: `${end}/1000`,
    start: start / 1000,
    end: end / 1000,
  }))
}

test('a word within a frame does not say when the frame starts', () => {
  // Frames of 40 ms, of 200 ms from the fiftieth on; a cut at frame 70 and at the change of pace.
  const startOf = (frame: number): number => frame * 40 + Math.max(0, frame - 50) * 160
  const changes = [50, 70].map((at) => ({ type: 'cut', start: at, end: at }) as const)
  const timeOf = (frame: number): [number, number] => [startOf(frame), 1000]
  const findings = makeFindings({ timeOf, frames: 100, changes, media: { duration_time: '12/1' } })
  findings.transcription!.words = heard(
    [
      [435, 610],
      [2390, 2910],
      [2915, 3333],
    ],
    startOf,
  )
  const time = sourceTimes(findings)
  for (const { start_frame: start, end_frame: end } of findings.transcription!.words) {
    assert.deepEqual(time(start), rational(startOf(start), 1000))
    assert.deepEqual(time(end), rational(startOf(end), 1000))
  }
})

test('known times never run backwards, and those of the picture are exact', () => {
  const steps = fc.array(fc.integer({ min: 10, max: 60 }), { minLength: 20, maxLength: 200 })
  const words = fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 400 })), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(steps, words, fc.array(fc.nat(199), { maxLength: 4 }), (lengths, said, cuts) => {
      const starts = [0]
      for (const length of lengths) starts.push(starts.at(-1)! + length)
      const frames = lengths.length
      const startOf = (frame: number): number => starts[frame] ?? Infinity
      const timeOf = (frame: number): [number, number] => [startOf(frame), 1000]
      const changes = [...new Set(cuts)]
        .filter((at) => at > 0 && at < frames)
        .toSorted((a, b) => a - b)
        .map((at) => ({ type: 'cut', start: at, end: at }) as const)
      const findings = makeFindings({ timeOf, frames, changes, rate: '25/1' })
      const spans = said
        .map(([start, length]): [number, number] => [start, start + length])
        .filter(([, end]) => end <= starts.at(-1)!)
      findings.transcription!.words = heard(spans, startOf)
      const known = [...knownTimes(findings)].toSorted(([a], [b]) => a - b)
      known.forEach(([frame, time], index) => {
        const before = known[index - 1]
        if (before) assert.ok(compare(before[1], time) <= 0, `frame ${frame}`)
      })
      for (const at of changes)
        assert.deepEqual(sourceTimes(findings)(at.start), rational(startOf(at.start), 1000))
      assert.equal(knownFrameTimes(findings)!.length, known.length)
    }),
  )
})
