import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWatch } from './watch.ts'

const [width, height] = [960, 540]

/** A grey picture with bars as dense as print in a part of it. */
function image(print?: { left: number; top: number; right: number; bottom: number }) {
  const pixels = new Uint8Array(width * height).fill(90)
  for (let y = print?.top ?? 0; y < (print?.bottom ?? 0); y++) {
    for (let x = print!.left; x < print!.right; x++) {
      if (x % 8 < 4) pixels[y * width + x] = 230
    }
  }
  return { pixels, width, height }
}

test('a shot is read whole once, and later only where text comes', () => {
  const watch = createWatch()
  const sign = { left: 600, top: 40, right: 800, bottom: 100 }
  watch.look(image(sign), 0)
  const first = watch.look(image(sign), 0.3)
  assert.deepEqual(first, { left: 0, top: 0, right: width, bottom: height })
  assert.equal(watch.look(image(sign), 0.6), null)
  const both = image(sign)
  const title = { left: 240, top: 440, right: 480, bottom: 480 }
  const added = image(title).pixels
  for (let at = title.top * width; at < added.length; at++) both.pixels[at] = added[at]!
  const parts = [0.9, 1.2, 1.5].map((seconds) => watch.look(both, seconds))
  const part = parts.find((part) => part !== null)
  assert.ok(part, 'the title is read')
  assert.ok(part.left <= 240 && part.right >= 480 && part.top <= 440 && part.bottom >= 480)
  assert.ok(part.top > sign.bottom && part.right < width, JSON.stringify(part))
  assert.equal(parts.filter((part) => part !== null).length, 1)
})

test('a picture without print is never read', () => {
  const watch = createWatch()
  for (const seconds of [0, 0.3, 0.6, 0.9, 1.2]) assert.equal(watch.look(image(), seconds), null)
})
