import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loudestPeak, waveformPath } from './waveform-path.ts'

const heightsOf = (path: string): number[] =>
  [...path.matchAll(/M[\d.]+ (\d+)V(\d+)/g)].map((match) => Number(match[2]) - Number(match[1]))

describe('waveform', () => {
  it('knows its loudest moment, below silence as well as above', () => {
    assert.equal(loudestPeak(new Int8Array([0, 3, -12, 5])), 12)
    assert.equal(loudestPeak(new Int8Array([0, 0])), 1)
  })

  it('each column is as high as the loudest moment in it', () => {
    const values = new Int8Array([0, 0, -50, 50, -100, 100, 0, 0])
    const path = waveformPath(
      { values, perSecond: 4, startSeconds: 0, loudest: loudestPeak(values) },
      { seconds: 1, columns: 2 },
    )
    assert.deepEqual(heightsOf(path), [122, 242])
  })

  it('leaves out the columns before the sound begins and after it ends', () => {
    const values = new Int8Array([-10, 10, -10, 10])
    const path = waveformPath(
      { values, perSecond: 1, startSeconds: 2, loudest: 10 },
      { seconds: 6, columns: 6 },
    )
    assert.deepEqual(
      [...path.matchAll(/M([\d.]+)/g)].map((match) => Number(match[1])),
      [2.5, 3.5],
    )
  })
})
