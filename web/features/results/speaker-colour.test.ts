import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speakerColour } from './speaker-colour.ts'

test('the first six voices and their faces have hues that the eye keeps apart', () => {
  for (const kind of ['voice', 'face']) {
    const hues = [1, 2, 3, 4, 5, 6].map((n) =>
      Number(/(\d+)\)$/.exec(speakerColour(`${kind}-${n}`))?.[1]),
    )
    hues.forEach((hue, at) => {
      for (const other of hues.slice(at + 1)) {
        const apart = Math.abs(((hue - other + 540) % 360) - 180)
        assert.ok(apart >= 30, `${hue} and ${other}`)
      }
    })
  }
  assert.equal(speakerColour('Anna'), speakerColour('Anna'))
  assert.notEqual(speakerColour('Anna'), speakerColour('Ben'))
})
