/** Every time of the specification, with the page's clock in our hands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import type { Visit } from '../support/browser.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import {
  answer,
  contentOf,
  jobOf,
  runUntilThere,
  settle,
  stopClock,
  toleranceMs,
} from '../support/stubs.ts'
import { until } from '../support/until.ts'

const house = useHouse()

test('a toast stands 4 seconds, not a millisecond less or more (§2 Global, §9)', async () => {
  const { page, close } = await openClocked('/dashboard')
  const button = page.getByRole('button', { name: 'Analytics' })
  await button.waitFor()
  await stopClock(page)
  await button.evaluate((element: HTMLElement) => element.click())
  const toast = page.locator('[data-toast=info]')
  await toast.waitFor()
  await settle(page)
  await page.clock.runFor(3999)
  assert.equal(await toast.count(), 1)
  await page.clock.runFor(1)
  await toast.waitFor({ state: 'detached' })
  await close()
})

test('each of seven toasts stands 4 seconds when they come at once (§2 Global, §9)', async () => {
  const { page, close } = await openClocked('/dashboard')
  const button = page.getByRole('button', { name: 'Analytics' })
  await button.waitFor()
  await stopClock(page)
  for (let click = 0; click < 7; click += 1) {
    await button.evaluate((element: HTMLElement) => element.click())
  }
  const toast = page.locator('[data-toast=info]')
  await toast.nth(4).waitFor()
  await settle(page)
  assert.equal(await toast.count(), 5)
  await page.clock.runFor(3999)
  assert.equal(await toast.count(), 5)
  await page.clock.runFor(1)
  await until(async () => (await toast.count()) === 2)
  await settle(page)
  await page.clock.runFor(3999)
  assert.equal(await toast.count(), 2, 'the two that waited have their time too')
  await page.clock.runFor(1)
  await toast.first().waitFor({ state: 'detached' })
  await close()
})

test('the job dialog closes 1.5 seconds after the job was made (§4, §9)', async () => {
  const { page, context, close } = await openClocked('/dashboard')
  await page.getByRole('button', { name: 'Create Job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Job' })
  await dialog.getByLabel('Content URL').fill('https://example.com/clip.mov')
  await answer(context, 'POST /jobs', { status: 201, json: { job: jobOf(1, 'queued') } })
  await stopClock(page)
  await dialog.getByRole('button', { name: 'Create Job' }).click()
  await runUntilThere(page, dialog.getByText('Job created.'))
  await page.clock.runFor(1500 - toleranceMs)
  assert.equal(await dialog.count(), 1)
  await page.clock.runFor(toleranceMs)
  await dialog.waitFor({ state: 'detached' })
  await close()
})

test('the upload dialog closes 1 second after the upload (§4, §9)', async () => {
  const { page, context, close } = await openClocked('/dashboard')
  const library = page.getByRole('region', { name: 'My Content' })
  await library.getByRole('button', { name: 'Add Content' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await answer(context, 'POST /content/upload', {
    status: 201,
    json: { content: contentOf(1, 'upload') },
  })
  await stopClock(page)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await runUntilThere(page, dialog.getByText('Upload complete'))
  await page.clock.runFor(1000 - toleranceMs)
  assert.equal(await dialog.count(), 1)
  await page.clock.runFor(toleranceMs)
  await dialog.waitFor({ state: 'detached' })
  await close()
})

test('the success page counts 8 seconds to 0, holds under the pointer, then leaves (§2 Payment success, §4, §9)', async () => {
  const { page, context, close } = await openClocked('/terms')
  await ownCheckout(context)
  await stopClock(page)
  await page.goto(`${house.server.url}/payment/success?session_id=cs_none`)
  const countdown = page.getByTestId('countdown')
  await runUntilThere(page, countdown.getByText('dashboard in 8 s'))
  for (const left of [7, 6, 5]) {
    await page.clock.runFor(1000)
    await countdown.getByText(`dashboard in ${left} s`).waitFor()
  }
  await countdown.hover()
  await countdown.getByText('(paused)').waitFor()
  await page.clock.runFor(60_000)
  await countdown.getByText('dashboard in 5 s').waitFor()
  await page.mouse.move(0, 0)
  await countdown.getByText('(paused)').waitFor({ state: 'detached' })
  for (const left of [4, 3, 2, 1]) {
    await page.clock.runFor(1000)
    await countdown.getByText(`dashboard in ${left} s`).waitFor()
  }
  await page.clock.runFor(999)
  await countdown.getByText('dashboard in 1 s').waitFor()
  const pages = await page.evaluate(() => history.length)
  await page.clock.runFor(1)
  await page.waitForURL(`${house.server.url}/dashboard`)
  // Back leads to what was before, not to the countdown again.
  assert.equal(await page.evaluate(() => history.length), pages)
  await close()
})

test('20 pieces of confetti fall for 3 seconds (§2 Payment success, §9)', slow, async () => {
  const { page, context, close } = await openClocked('/terms')
  await ownCheckout(context)
  await stopClock(page)
  await page.addInitScript(countPieces)
  await page.goto(`${house.server.url}/payment/success?session_id=cs_none`)
  const confetti = page.locator('canvas[data-confetti]')
  await runUntilThere(page, confetti)
  await page.clock.runFor(500)
  assert.deepEqual(await page.evaluate(() => (window as unknown as Counting).pieces), [20])
  await page.clock.runFor(2500 - toleranceMs)
  assert.equal(await confetti.count(), 1)
  await page.clock.runFor(toleranceMs)
  assert.equal(await confetti.count(), 0)
  await close()
})

test('where motion is not wanted, no confetti falls', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await ownCheckout(context)
  await page.addInitScript(countPieces)
  await page.goto(`${house.server.url}/payment/success?session_id=cs_none`)
  await page.locator('canvas[data-confetti]').waitFor({ state: 'attached' })
  await page.locator('canvas[data-confetti]').waitFor({ state: 'detached' })
  assert.deepEqual(await page.evaluate(() => (window as unknown as Counting).pieces), [])
  await close()
})

/** The checkout of the address is this account's, and is being confirmed. */
function ownCheckout(context: BrowserContext): Promise<void> {
  return answer(context, 'GET /payment/session/cs_none', {
    json: {
      session_id: 'cs_none',
      status: 'pending',
      credit_package_id: 'pkg-power-50',
      price_usd: 50,
      credits_usd: 52.5,
    },
  })
}

interface Counting {
  /** How many shapes a frame had, each number once. */
  pieces: number[]
}

/** Runs in the page: counts the shapes that are drawn between two wipes of a canvas. */
function countPieces(): void {
  const drawing = CanvasRenderingContext2D.prototype
  const counting: Counting = { pieces: [] }
  let drawn = 0
  const before = (name: 'clearRect' | 'fill', act: () => void): void => {
    const original = Reflect.get(drawing, name) as (...args: unknown[]) => void
    Reflect.set(drawing, name, function (this: unknown, ...args: unknown[]) {
      act()
      Reflect.apply(original, this, args)
    })
  }
  before('fill', () => {
    drawn += 1
  })
  before('clearRect', () => {
    if (drawn > 0 && !counting.pieces.includes(drawn)) counting.pieces.push(drawn)
    drawn = 0
  })
  Object.assign(window, counting)
}

test('the hash security-api-keys scrolls to the keys after 100 ms (§2 Profile, §9)', async () => {
  const { page, close } = await openClocked('/profile')
  await page.getByRole('region', { name: 'Account Info' }).waitFor()
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    Element.prototype.scrollIntoView = function (options) {
      if (typeof options === 'object') seen.push(this.id)
    }
  })
  const scrolled = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  await stopClock(page)
  await page.evaluate(() => {
    location.hash = 'security-api-keys'
  })
  await page.getByRole('region', { name: 'API Keys' }).waitFor()
  await settle(page)
  await page.clock.runFor(99)
  assert.deepEqual(await scrolled(), [])
  await page.clock.runFor(1)
  assert.deepEqual(await scrolled(), ['security-api-keys'])
  await close()
})

/** A signed-in visit whose clock can be stopped. */
async function openClocked(path: string): Promise<Visit> {
  const user = await house.server.user()
  const opened = await house.open('/terms', user, { motion: true })
  await opened.page.clock.install()
  await opened.page.goto(`${house.server.url}${path}`)
  return opened
}
