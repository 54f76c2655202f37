/** The built pages on hosts that are not this project's server, and on the one that is. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../../scripts/chromium.ts'
import { useHouse } from '../support/browser-app.ts'
import { startHttp } from '../support/http.ts'

const house = useHouse()
const dist = resolve(import.meta.dirname, '../../dist')
const mark = '<meta name="cutindex-api" content="same-origin" />'
const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' }

test('on a static host the page chooses its API by the name of the host (§7)', async () => {
  await using host = await startHttp((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(dist, extname(path) ? path : join(path, 'index.html'))
    if (!existsSync(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/css' })
    return void response.end(readFileSync(file))
  })
  await using browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Every name leads to the static host, so that nothing leaves this machine.
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP * 127.0.0.1:${host.port}`],
  })
  const page = await browser.newPage()
  for (const [name, api] of [
    ['cutindex.com', 'https://api.cutindex.com'],
    ['dev.cutindex.com', 'https://api.dev.cutindex.com'],
    ['clips.example', 'https://api.dev.cutindex.com'],
    ['localhost', 'http://localhost:3000'],
  ]) {
    await page.goto(`http://${name}/`)
    await page.locator('#app[data-hydrated]').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
    const link = page.getByRole('link', { name: 'Continue with GitHub' })
    const address = await link.getAttribute('href')
    assert.equal(address?.split('/v1/')[0], api, name)
  }
})

test('our server marks every page as its own, and a page that a browser has is not sent again', async () => {
  for (const file of globSync('**/*.html', { cwd: dist })) {
    assert.ok(!readFileSync(join(dist, file), 'utf8').includes('cutindex-api'), file)
  }
  for (const path of ['/', '/index.html', '/terms', '/dashboard', '/jobs/some-job']) {
    const bodies = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await house.server.fetch(path, { headers: { 'accept-encoding': encoding } })
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-encoding') ?? 'identity', encoding)
      bodies.add(await answer.text())
      const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
      assert.equal((await house.server.fetch(path, { headers })).status, 304, path)
    }
    assert.equal(bodies.size, 1)
    assert.equal([...bodies][0]?.split(mark).length, 2, path)
  }
  assert.equal((await house.server.fetch('/no-such-page')).status, 404)
})
