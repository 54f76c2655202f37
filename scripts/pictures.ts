/**
 * `node scripts/pictures.ts ADDRESS`: takes the pictures of the product that the web shows, from a
 * running server, so that they never show what the product is not.
 */
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'

const address = process.argv[2] ?? 'http://localhost:3000'
const picture = resolve(import.meta.dirname, '../web/public/og.png')
/** Previews are shown at 1.91 to 1; the margin keeps the frame of the demonstration whole. */
const size = { width: 1280, height: 670 }
const margin = 20
const cutPoints = 3

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({
  viewport: { width: size.width, height: 2 * size.height },
  colorScheme: 'dark',
  reducedMotion: 'reduce',
})
await page.goto(address)
for (let cut = 0; cut < cutPoints; cut += 1) {
  await page.getByRole('button', { name: 'Next cut point' }).click()
}
await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
const box = await page.getByLabel('Demonstration').boundingBox()
if (!box) throw new Error('The demonstration is not on the page.')
await page.screenshot({ path: picture, clip: { x: 0, y: box.y - margin, ...size } })
await browser.close()
console.log(`Wrote ${picture}.`)
