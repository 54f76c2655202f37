import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWords, splitLines } from './join-words.ts'

const word = (x: number, y: number, width: number, angle = 0) => ({
  ...{ x, y, width, height: 40, angle, score: 0.9 },
})

test('words of one line become one area, other lines and cells stay', () => {
  const areas = joinWords([
    word(100, 50, 80),
    word(200, 52, 100),
    word(500, 50, 80),
    word(100, 110, 80),
  ])
  assert.deepEqual(
    areas.map(({ x, y, width }) => [x, y, width]),
    [
      [500, 50, 80],
      [155, 51, 190],
      [100, 110, 80],
    ],
  )
})

test('words are joined along a tilted line, not across it', () => {
  const angle = Math.PI / 18
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = joinWords([
    word(100, 100, 80, angle),
    word(100 + 95 * cos, 100 + 95 * sin, 80, angle),
  ])
  assert.equal(along.length, 1)
  assert.ok(Math.abs(along[0]!.width - 175) < 1e-6)
  assert.equal(joinWords([word(100, 100, 80, angle), word(195, 100 + 40, 80, angle)]).length, 2)
})

test('words that were read apart are one line where the gap is no wider than a letter', () => {
  const read = (text: string, left: number, width: number, height = 30) => ({
    text,
    area: { x: left + width / 2, y: 600, width, height, angle: 0 },
  })
  const name = [read('Kwame', 340, 115), read('Mensah', 472, 138)]
  const [line] = splitLines(name)
  assert.deepEqual(
    line!.words.map(({ text }) => text),
    ['Kwame', 'Mensah'],
  )
  assert.deepEqual([line!.area.x, line!.area.width], [475, 270])
  assert.deepEqual(splitLines([read('Kwame', 340, 115), read('Mensah', 500, 138)]), [], 'a cell')
  assert.deepEqual(splitLines([read('TAKE', 340, 60, 18), read('12', 410, 50)]), [], 'a label')
})
