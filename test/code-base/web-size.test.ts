import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { webBudgets } from '../../scripts/build/web-budgets.ts'

// The web has been built before the tests run.
const distribution = resolve(import.meta.dirname, '../../dist')

for (const path of ['', 'terms', 'privacy', 'docs/developer', 'docs/editors']) {
  test(`the scripts and styles of /${path} stay within their budgets`, (context) => {
    const html = readFileSync(join(distribution, path, 'index.html'), 'utf8')
    const scripts = kilobytes(linked(html, 'js'))
    const styles = gzipSync(/<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '').length / 1000
    context.diagnostic(`scripts ${scripts.toFixed(1)} kB, styles ${styles.toFixed(1)} kB`)
    assert.ok(scripts > 50 && styles > 5, 'the page has what it needs')
    assert.ok(scripts <= webBudgets.landingScripts, `${scripts.toFixed(1)} kB of scripts`)
    assert.ok(styles <= webBudgets.styles, `${styles.toFixed(1)} kB of styles`)
  })
}

test('the fonts stay within their budget', () => {
  const names = readdirSync(join(distribution, 'assets')).filter((name) => name.endsWith('.woff2'))
  const bytes = names.reduce((sum, name) => sum + read(`/assets/${name}`).length, 0)
  assert.equal(names.length, 2)
  assert.ok(bytes / 1000 <= webBudgets.fonts, `${bytes} bytes of fonts`)
})

test('no script holds the schemas of the contract, which only the server needs', () => {
  const names = readdirSync(join(distribution, 'assets')).filter((name) => name.endsWith('.js'))
  assert.ok(names.length > 10)
  const heavy = names.filter((name) => read(`/assets/${name}`).includes('_zod'))
  assert.deepEqual(heavy, [])
})

function linked(html: string, extension: string): string[] {
  const matches = html.matchAll(/(?:href|src)="(\/[^"]+)"/g)
  const all = [...matches].map((match) => match[1] ?? '')
  return [...new Set(all.filter((address) => address.endsWith(`.${extension}`)))]
}

function kilobytes(addresses: readonly string[]): number {
  return addresses.reduce((sum, address) => sum + gzipSync(read(address)).length, 0) / 1000
}

function read(address: string): Buffer {
  return readFileSync(join(distribution, address))
}
