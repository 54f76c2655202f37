import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speakerSpans, voiceAt } from './timeline-data.ts'

test('a voice without a mouth is not called talking', () => {
  const data = {
    talking: [{ startFrame: 10, endFrame: 20 }],
    voiceOnly: [{ startFrame: 20, endFrame: 30 }],
  }
  const voices = [9, 10, 19, 20, 29, 30].map((frame) => voiceAt(data, frame))
  assert.deepEqual(voices, [null, 'talking', 'talking', 'voice only', 'voice only', null])
})

test('words of one speaker are one span, and unsure ones stay apart', () => {
  const word = (
    start_frame: number,
    speaker: string | null,
    speaker_confidence: number | null,
  ) => ({
    start_frame,
    end_frame: start_frame + 10,
    speaker,
    speaker_confidence,
  })
  const words = [
    word(0, 'voice-1', 0.9),
    word(20, 'voice-1', 0.95),
    word(100, 'voice-1', 0.9),
    word(112, 'voice-2', 0.9),
    word(124, 'voice-2', 0.5),
    word(136, null, null),
  ]
  assert.deepEqual(
    speakerSpans(words, 25).map((span) => [
      span.speaker,
      span.isSure,
      span.startFrame,
      span.endFrame,
    ]),
    [
      ['voice-1', true, 0, 30],
      ['voice-1', true, 100, 110],
      ['voice-2', true, 112, 122],
      ['voice-2', false, 124, 134],
    ],
  )
})
