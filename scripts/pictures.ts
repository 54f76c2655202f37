/**
 * `node scripts/pictures.ts ADDRESS`: takes the pictures of the product that the web shows, from a
 * running server, so that they never show what the product is not.
 */
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'

const address = process.argv[2] ?? 'http://localhost:3000'
const picture = resolve(import.meta.dirname, '../web/public/og.png')
const size = { width: 1200, height: 630 }
const cutPoints = 3

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({
  viewport: size,
  colorScheme: 'dark',
  reducedMotion: 'reduce',
})
await page.goto(address)
for (let cut = 0; cut < cutPoints; cut += 1) {
  await page.getByRole('button', { name: 'Next cut point' }).click()
}
await page.getByLabel('Demonstration').evaluate((stage) => {
  const top = stage.getBoundingClientRect().top + scrollY
  scrollTo({ top: top - 72, behavior: 'instant' })
})
await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
await page.screenshot({ path: picture })
await browser.close()
console.log(`Wrote ${picture}.`)
