import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('presets.css', import.meta.url), 'utf8')
const shades = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]

for (const preset of ['default', 'ocean', 'forest', 'sunset']) {
  test(`the preset ${preset} has primary, secondary, tertiary and accent scales (§2 Global)`, () => {
    const start = css.indexOf(`[data-preset='${preset}']`)
    assert.ok(start >= 0)
    const block = css.slice(start, css.indexOf('}', start))
    for (const role of ['primary', 'secondary', 'tertiary', 'accent']) {
      for (const shade of shades)
        assert.ok(block.includes(`--${role}-${shade}:`), `${role} ${shade}`)
    }
  })
}

test('no preset paints shots in the colour of errors', () => {
  const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
  const errors = [...tokens.matchAll(/--bad: (oklch\([^)]*\))/g)].map(([, text = '']) => lab(text))
  assert.equal(errors.length, 2)
  for (const preset of ['default', 'ocean', 'forest', 'sunset']) {
    const start = css.indexOf(`[data-preset='${preset}']`)
    const block = css.slice(start, css.indexOf('}', start))
    for (const [lane, usual] of [
      ['shot-a', 'primary-600'],
      ['shot-b', 'primary-700'],
    ]) {
      const own =
        new RegExp(`--${lane}: (.*);`).exec(block) ?? new RegExp(`--${usual}: (.*);`).exec(block)
      const colour = lab(own?.[1] ?? '')
      for (const error of errors) {
        const distance = Math.hypot(colour[1] - error[1], colour[2] - error[2])
        assert.ok(distance >= 0.1, `${preset} ${lane}: ${distance.toFixed(3)} from errors`)
      }
    }
  }
})

/** Lightness and the two axes of colour, from an oklch() text. */
function lab(text: string): [number, number, number] {
  const parts = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/.exec(text)?.slice(1).map(Number)
  const [lightness, chroma, hue] = parts ?? []
  assert.ok(lightness !== undefined && chroma !== undefined && hue !== undefined, text)
  const angle = (hue * Math.PI) / 180
  return [lightness / 100, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}
