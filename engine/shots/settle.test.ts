import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settleChanges } from './settle.ts'

function scoresOf(...cuts: [frame: number, score: number, certain: number][]): number[] {
  const scored = cuts.map(([frame, score, certain]) => ({ frame, score, certain, flashEnd: null }))
  const scores = { framesPerSecond: 25, cuts: scored, graduals: [], fades: [] }
  return settleChanges(scores).map(({ score }) => Math.round(score * 100) / 100)
}

test('two unsure cuts within a quarter second are a jolt of the camera', () => {
  assert.deepEqual(scoresOf([173, 0.9, 0], [178, 0.8, 0.2]), [0.47, 0.29])
  assert.deepEqual(scoresOf([173, 1, 0], [178, 0.3, 0]), [1, 0.3], 'one of them is hardly a cut')
})

test('cuts that are further apart or all new keep their scores', () => {
  assert.deepEqual(scoresOf([173, 0.9, 0], [180, 0.8, 0]), [0.9, 0.8])
  assert.deepEqual(scoresOf([173, 0.9, 1], [178, 0.8, 0]), [0.9, 0.8])
  assert.deepEqual(scoresOf([173, 0.9, 0], [174, 0.8, 0]), [0.9], 'two steps of one cut')
})

test('a window that ends with the mixed frame of a cut is no change of its own', () => {
  const changesBeside = (isBehindBlend: boolean, start: number, end: number): string[] =>
    settleChanges({
      framesPerSecond: 30,
      cuts: [{ frame: 100, score: 0.95, certain: 1, flashEnd: null, isBehindBlend }],
      graduals: [{ type: 'wipe', start, end, score: 0.9, edges: null, isExplained: false }],
      fades: [],
    }).map(({ type }) => type)
  assert.deepEqual(changesBeside(true, 64, 100), ['cut'])
  assert.deepEqual(changesBeside(true, 64, 99), ['cut'])
  assert.deepEqual(changesBeside(true, 64, 98), ['wipe', 'cut'])
  assert.deepEqual(changesBeside(true, 100, 136), ['cut', 'wipe'])
  assert.deepEqual(changesBeside(false, 64, 99), ['wipe', 'cut'])
})
