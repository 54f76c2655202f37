/**
 * `node scripts/pictures.ts ADDRESS`: takes the pictures of the product that the web shows, from a
 * running server with its sandbox, so that they never show what the product is not. The review
 * screen is that of the sample clip, analysed by this very server.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'

const address = process.argv[2] ?? 'http://localhost:3000'
const folder = resolve(import.meta.dirname, '../web/public')
/** Previews are shown at 1.91 to 1; the margin keeps the frame of the demonstration whole. */
const preview = { width: 1280, height: 670 }
const review = { width: 1440, height: 860 }
const margin = 20
const cutPoints = 3
const analysisMs = 600_000
const webpQuality = 80

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await takePreview(browser)
  await takeReviews(browser)
} finally {
  await browser.close()
}

async function takePreview(from: Browser): Promise<void> {
  const page = await from.newPage({
    viewport: { width: preview.width, height: 2 * preview.height },
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
  const path = resolve(folder, 'og.png')
  await page.screenshot({ path, clip: { x: 0, y: box.y - margin, ...preview } })
  await page.close()
  console.log(`Wrote ${path}.`)
}

/** The review screen of the sample clip, in both themes. */
async function takeReviews(from: Browser): Promise<void> {
  const page = await from.newPage({ viewport: review, reducedMotion: 'reduce' })
  page.setDefaultTimeout(60_000)
  await signIn(page)
  await page.getByRole('button', { name: 'Try the sample clip' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: analysisMs })
  await page.waitForLoadState('networkidle')
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
    await page.goto(`${page.url().split('?')[0]}?frame=100`)
    await page.locator('canvas').first().waitFor()
    await page.waitForLoadState('networkidle')
    await writeWebp(page, resolve(folder, `review-${theme}.webp`))
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto(address)
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.locator('input[name="email"]').first().fill(`editor.${Date.now()}@example.com`)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await page.locator('[data-toast]').first().waitFor({ state: 'detached' })
}

/** Playwright writes PNG and JPEG only; the browser itself writes WebP. */
async function writeWebp(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: webpQuality,
  })
  await writeFile(path, Buffer.from(data, 'base64'))
  console.log(`Wrote ${path}.`)
}
