/** The landing page claims what was measured, and nothing else. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { journeySnippets } from '../../web/features/docs/snippets.ts'

const root = resolve(import.meta.dirname, '../..')
const page = read('web/screens/landing/testimonials.tsx')

test('the figure for hard cuts is the one with the source left out', () => {
  const row = read('docs/decisions/0060-shot-rules.md')
    .split('\n')
    .find((line) => /^\| \d+ real clips, /.test(line))
    ?.split('|')
  const [clips, f1, scdet] = [row?.[1], row?.[3], row?.[5]].map(
    (cell) => /[.\d]+/.exec(cell ?? '')?.[0] ?? '',
  )
  assert.ok(page.includes(`'0${f1} F1'`), `docs say ${f1}`)
  assert.ok(page.includes(`hard cuts of ${clips} real clips`), `docs say ${clips}`)
  assert.ok(page.includes(`(scdet: 0${scdet})`), `docs say ${scdet}`)
})

test('the figure for moved sound is the one of the measured steps', () => {
  const row = /moved by ±0\.3 to ±3 s [^|]*\| (\d+ of \d+)/.exec(
    read('docs/decisions/0061-lip-sync.md'),
  )
  assert.ok(row?.[1] && page.includes(`'${row[1]}'`), `docs say ${row?.[1]}`)
})

test('a file becomes an EDL in as many calls as the tested example makes', () => {
  const curl = journeySnippets.find(({ id }) => id === 'curl')?.code ?? ''
  assert.ok(page.includes(`'${curl.match(/\bcurl /g)?.length} calls'`))
})

function read(name: string): string {
  return readFileSync(resolve(root, name), 'utf8')
}
