import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FindingsOf } from '../../../../contract/findings.ts'
import { talkingChoices, talkingRows } from './talking-rows.ts'

const found: FindingsOf<'talking'> = {
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
    talkingRows(found).map((row) => [row.startFrame, row.label]),
    [
      [10, 'Person 1 talks'],
      [20, 'Voice only'],
      [30, 'Person 2 talks'],
      [60, 'Silence'],
      [70, 'Lip flap'],
    ],
  )
})

test('the list can be narrowed to those who talk and to what there is', () => {
  const choices = talkingChoices(found)
  assert.deepEqual(
    choices.map((choice) => choice.label),
    [
      'Everything',
      'Person 2 (1.2 s)',
      'Person 1 (0.4 s)',
      'Lip flap (1)',
      'Voice only (1)',
      'Silence (1)',
    ],
  )
  const rows = talkingRows(found)
  for (const { value } of choices.slice(1)) assert.ok(rows.some((row) => row.of === value))
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
