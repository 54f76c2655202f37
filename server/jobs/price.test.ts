import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fullAnalysis, fullAnalysisMicrosPerSecond } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { Refusal } from '../ground/refusal.ts'
import {
  countedSeconds,
  mediaSeconds,
  parseWorkflow,
  priceLines,
  roundUp,
  totalMicros,
} from './price.ts'

const whole = {}

function media(kind: Media['kind'], duration: number, pages: number | null = null): Media {
  return { kind, duration, pages, audio: [] } as unknown as Media
}

test('a workflow names known extractors once each', () => {
  assert.deepEqual(parseWorkflow('shots, ffprobe'), ['shots', 'ffprobe'])
  const refused: [string, RegExp][] = [
    ['', /Please select at least one extractor/],
    [' , ', /Please select at least one extractor/],
    ['shots,', /empty extractor id/],
    ['shots,ocr', /no extractor "ocr"/],
    ['shots,ffprobe,shots', /"shots" is named twice/],
  ]
  for (const [workflow, message] of refused) {
    assert.throws(
      () => parseWorkflow(workflow),
      (error) => error instanceof Refusal && error.status === 422 && message.test(error.message),
    )
  }
})

test('the extractors of a full analysis cost exactly its advertised price', () => {
  const lines = priceLines(fullAnalysis, {
    seconds: 3600,
    applies: () => true,
    isReused: () => false,
    isFree: false,
  })
  assert.equal(totalMicros(lines), 3600 * fullAnalysisMicrosPerSecond)
})

test('extractors that are reused or do not apply cost nothing', () => {
  const lines = priceLines(['ffprobe', 'shots', 'transcription'], {
    seconds: 10,
    applies: (id) => id !== 'transcription',
    isReused: (id) => id === 'ffprobe',
    isFree: false,
  })
  assert.deepEqual(
    lines.map(({ micros, reused, applies }) => ({ micros, reused, applies })),
    [
      { micros: 0, reused: true, applies: true },
      { micros: 30_000, reused: false, applies: true },
      { micros: 0, reused: false, applies: false },
    ],
  )
})

test('an image counts one second, a document one for each page', () => {
  assert.equal(mediaSeconds(media('image', 0), whole), 1)
  assert.equal(mediaSeconds(media('document', 0, 12), whole), 12)
  assert.equal(mediaSeconds(media('video', 0.2), whole), 1)
})

test('a stretch is never dearer than the whole, and an empty one is refused', () => {
  const second = fc.double({ min: 0, max: 20_000, noNaN: true })
  fc.assert(
    fc.property(
      second,
      second,
      fc.double({ min: 0.04, max: 21_600, noNaN: true }),
      (a, b, length) => {
        const video = media('video', length)
        const stretch = { in: Math.min(a, b), out: Math.max(a, b) }
        if (stretch.in >= Math.min(stretch.out, length)) {
          assert.throws(() => mediaSeconds(video, stretch), Refusal)
          return
        }
        const seconds = mediaSeconds(video, stretch)
        assert.ok(seconds <= mediaSeconds(video, whole))
        assert.ok(seconds >= 1 && Number.isInteger(seconds))
      },
    ),
  )
})

test('seconds are rounded up, but not for what a float adds', () => {
  assert.equal(roundUp(10), 10)
  assert.equal(roundUp(10.000_001), 11)
  assert.equal(roundUp(0.1 + 0.2 + 9.7), 10)
  assert.equal(roundUp(0), 1)
})

test('above 8K at 60 fps a second counts in proportion to its pixels', () => {
  const video = (facts: Partial<Media>): Media => ({ ...media('video', 1), ...facts })
  const heavy = { frames: 450, frame_rate: '450/1', width: 10_000, height: 10_000 }
  assert.equal(countedSeconds(video(heavy), 1), 23)
  const eightK = { frames: 3600, frame_rate: '60/1', width: 7680, height: 4320, duration: 60 }
  assert.equal(countedSeconds(video(eightK), 60), 60)
  // A part of it counts as a part, and long sound after the frames does not thin them out.
  assert.equal(countedSeconds(video({ ...heavy, frames: 4500, duration: 10 }), 2), 45)
  assert.equal(countedSeconds(video({ ...heavy, duration: 3600 }), 1), 23)
  assert.equal(countedSeconds(video({ ...heavy, duration: 3600 }), 3600), 3600)
  // The rate of variable frames is what there are, not the shortest distance of two.
  const variable = { variable_frame_rate: true, frame_rate: '1000/1', frames: 300, duration: 10 }
  assert.equal(countedSeconds(video({ ...variable, width: 1920, height: 1080 }), 10), 10)
  assert.equal(countedSeconds({ ...media('audio', 5), frames: 125 }, 5), 5)
})
