import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { talkingChoices, talkingRows } from './talking-rows.ts'

const detected: FindingsOf<'talking'> = {
  speech: [span(10, 60)],
  silence: [span(60, 100)],
  talking: [
    { ...span(30, 60), face: 'face-2', score: 1 },
    { ...span(10, 20), face: 'face-1', score: 1 },
  ],
  lip_flap: [{ ...span(70, 80), face: 'face-1', score: 1 }],
  voice_only: [span(20, 30)],
  faces: [
    { id: 'face-1', spans: [], talking_seconds: 0.4 },
    { id: 'face-2', spans: [], talking_seconds: 1.2 },
    { id: 'face-3', spans: [], talking_seconds: 0 },
  ],
}

test('everything about talking is one list in the order of time', () => {
  assert.deepEqual(
    talkingRows(detected).map((row) => [row.startFrame, row.label]),
    [
      [10, 'Person 1 talks'],
      [20, 'Voice only'],
      [30, 'Person 2 talks'],
      [60, 'Silence'],
      [70, 'Lip flap'],
      [80, 'Silence'],
    ],
  )
})

test('no two rows share a frame, whoever talks at once', () => {
  const faces = ['face-1', 'face-2', 'face-3']
  const anySpan = fc
    .record({ start: fc.integer({ min: 0, max: 90 }), length: fc.integer({ min: 1, max: 30 }) })
    .map(({ start, length }) => span(start, start + length))
  const anyFace = fc
    .tuple(anySpan, fc.constantFrom(...faces))
    .map(([range, face]) => ({ ...range, face, score: 1 }))
  const anyFound = fc.record({
    speech: fc.array(anySpan),
    silence: fc.array(anySpan),
    talking: fc.array(anyFace),
    lip_flap: fc.array(anyFace),
    voice_only: fc.array(anySpan),
    faces: fc.array(
      fc.record({ id: fc.constant('face-1'), spans: fc.array(anySpan), talking_seconds: fc.nat() }),
    ),
  })
  fc.assert(
    fc.property(anyFound, (some) => {
      const rows = talkingRows(some)
      rows.forEach((row, index) => {
        assert.ok(row.endFrame > row.startFrame)
        assert.ok(row.startFrame >= (rows[index - 1]?.endFrame ?? 0))
      })
      const spans = [...some.silence, ...some.talking, ...some.lip_flap, ...some.voice_only]
      for (const { start_frame: frame } of spans) {
        assert.ok(rows.some((row) => row.startFrame <= frame && row.endFrame > frame))
      }
    }),
  )
})

test('two who talk at once are one row, and a flap says who talks beside it', () => {
  const both = {
    ...detected,
    talking: [
      { ...span(0, 50), face: 'face-1', score: 1 },
      { ...span(20, 60), face: 'face-2', score: 1 },
    ],
    lip_flap: [{ ...span(55, 58), face: 'face-3', score: 1 }],
    ...{ voice_only: [], silence: [] },
  }
  assert.deepEqual(
    talkingRows(both).map((row) => [row.startFrame, row.endFrame, row.label]),
    [
      [0, 20, 'Person 1 talks'],
      [20, 50, 'Person 1 and Person 2 talk'],
      [50, 55, 'Person 2 talks'],
      [55, 58, 'Lip flap'],
      [58, 60, 'Person 2 talks'],
    ],
  )
  assert.match(talkingRows(both)[3]?.hint ?? '', /Person 3 moves the lips.*Person 2 talks/)
})

test('the list can be narrowed to those who talk and to what there is', () => {
  const rows = talkingRows(detected)
  const choices = talkingChoices(detected, rows)
  assert.deepEqual(
    choices.map((choice) => choice.label),
    [
      'Everything',
      'Person 2 (1.2 s)',
      'Person 1 (0.4 s)',
      'Lip flap (1)',
      'Voice only (1)',
      'Silence (2)',
    ],
  )
  for (const { value } of choices.slice(1)) assert.ok(rows.some((row) => row.of.includes(value)))
})

test('a pause while somebody talks is no row of its own, and is not counted', () => {
  const paused = { ...detected, silence: [...detected.silence, ...detected.talking] }
  assert.deepEqual(talkingRows(paused), talkingRows(detected))
  const labels = talkingChoices(paused, talkingRows(paused)).map(({ label }) => label)
  assert.ok(labels.includes('Silence (2)'))
})

function span(start: number, end: number) {
  return {
    start_frame: start,
    end_frame: end,
    start_time: `${start}/25`,
    end_time: `${end}/25`,
    start: start / 25,
    end: end / 25,
  }
}
