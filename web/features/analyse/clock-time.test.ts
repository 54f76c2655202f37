import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseClockTime } from './clock-time.ts'

test('a time is read as people write it, and what is none is refused', () => {
  const times: [string, number | null][] = [
    ['90', 90],
    ['1:30', 90],
    [' 1:02:03 ', 3723],
    ['90:00', 5400],
    ['12.5', 12.5],
    ['0:12,25', 12.25],
    ['', null],
    ['1:75', null],
    ['1:60:00', null],
    ['-5', null],
    ['1:2:3:4', null],
    ['noon', null],
  ]
  for (const [text, seconds] of times) assert.equal(parseClockTime(text), seconds, text)
})
