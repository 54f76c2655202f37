/**
 * `node scripts/pictures/pictures.ts`: starts the product, analyses the sample clip with it, and
 * makes from that what the web shows of the product: the review and the cut screen in both themes,
 * the landing page's demonstration, and the picture that previews of links show. So none of them
 * can show what the product is not. Run it after a change of these screens, look at the result, and
 * commit it.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath } from '../chromium.ts'
import { analyseSample, openProduct, signIn, storedToken } from './product.ts'
import { takeCuts } from './cut-pictures.ts'
import { writeDemo } from './sample-demo.ts'

const folder = resolve(import.meta.dirname, '../../web/public')
/** Previews are shown at 1.91 to 1; the margin keeps the frame of the demonstration whole. */
const preview = { width: 1280, height: 670 }
const review = { width: 1440, height: 860 }
/** Inside the second shot, on a word of a sentence. */
const reviewFrame = 168
const margin = 20
const cutPoints = 5
const webpQuality = 80

await using browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
})
await withProduct(takeReviews)
// The demonstration has just changed; the second start builds the page again.
await withProduct(takePreview)

async function withProduct(take: (from: Browser, url: string) => Promise<void>): Promise<void> {
  await using product = await openProduct()
  await take(browser, product.url)
}

/** The review screen of the sample clip, in both themes, and what the demonstration shows of it. */
async function takeReviews(from: Browser, url: string): Promise<void> {
  const page = await from.newPage({ viewport: review, reducedMotion: 'reduce' })
  page.setDefaultTimeout(60_000)
  await signIn(page, url)
  const path = await analyseSample(page)
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
    await page.goto(`${url}${path}?frame=${reviewFrame}`)
    await page.locator('canvas').first().waitFor()
    await page.waitForFunction(() => document.querySelector('video')?.readyState === 4)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1500)
    await writeWebp(page, resolve(folder, `review-${theme}.webp`))
  }
  const token = await storedToken(page)
  const jobId = path.split('/').at(-1) ?? ''
  await writeDemo({ url, id: jobId, token })
  await takeCuts(page, { url, jobId, folder, write: (file) => writeWebp(page, file) })
  await page.close()
}

async function takePreview(from: Browser, url: string): Promise<void> {
  const page = await from.newPage({
    viewport: { width: preview.width, height: 2 * preview.height },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  await page.goto(url)
  for (let cut = 0; cut < cutPoints; cut += 1) {
    await page.getByRole('button', { name: 'Next cut point' }).click()
  }
  await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return video !== null && video.readyState >= 2 && !video.seeking && video.currentTime > 0
  })
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const box = await page.getByLabel('Demonstration').boundingBox()
  if (!box) throw new Error('The demonstration is not on the page.')
  const path = resolve(folder, 'og.png')
  await page.screenshot({ path, clip: { x: 0, y: box.y - margin, ...preview } })
  await page.close()
  console.log(`Wrote ${path}.`)
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
