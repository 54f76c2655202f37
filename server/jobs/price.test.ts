import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extractorIds, fullAnalysisMicrosPerSecond } from '../../contract/catalogue.ts'
import type { Media } from '../../contract/findings.ts'
import { Refusal } from '../refusal.ts'
import { billedSeconds, parseWorkflow, priceLines, roundUp, totalMicros } from './price.ts'

const whole = { inSeconds: null, outSeconds: null }

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

test('all six extractors cost exactly the advertised price of a full analysis', () => {
  const lines = priceLines(extractorIds, {
    seconds: 3600,
    applies: () => true,
    isReused: () => false,
  })
  assert.equal(totalMicros(lines), 3600 * fullAnalysisMicrosPerSecond)
})

test('what is reused or does not apply costs nothing', () => {
  const lines = priceLines(['ffprobe', 'shots', 'transcription'], {
    seconds: 10,
    applies: (id) => id !== 'transcription',
    isReused: (id) => id === 'ffprobe',
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
  assert.equal(billedSeconds(media('image', 0), whole), 1)
  assert.equal(billedSeconds(media('document', 0, 12), whole), 12)
  assert.equal(billedSeconds(media('video', 0.2), whole), 1)
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
        const stretch = { inSeconds: Math.min(a, b), outSeconds: Math.max(a, b) }
        if (stretch.inSeconds >= Math.min(stretch.outSeconds, length)) {
          assert.throws(() => billedSeconds(video, stretch), Refusal)
          return
        }
        const seconds = billedSeconds(video, stretch)
        assert.ok(seconds <= billedSeconds(video, whole))
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
