import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('presets.css', import.meta.url), 'utf8')
const shades = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]

for (const preset of ['default', 'ocean', 'forest', 'sunset']) {
  test(`the preset ${preset} has primary, secondary, tertiary and accent scales`, () => {
    const start = css.indexOf(`[data-preset='${preset}']`)
    assert.ok(start >= 0)
    const block = css.slice(start, css.indexOf('}', start))
    for (const role of ['primary', 'secondary', 'tertiary', 'accent']) {
      for (const shade of shades)
        assert.ok(block.includes(`--${role}-${shade}:`), `${role} ${shade}`)
    }
  })
}
