/** The service goes away while a screen is open: what it says, and how it comes back. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentLimits } from '../../domain/money/catalogue.ts'
import type { BrowserContext, Route } from 'playwright-core'
import { useHouse } from '../support/browser-app.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { expectToast, idOf, recordCalls } from '../support/stubs.ts'

const house = useHouse()

/** Each screen, and what it shows once the service is there again. */
const screens: readonly [path: string, shows: string][] = [
  ['/dashboard', 'No content yet'],
  ['/profile#account', 'Lifetime Spend'],
  ['/profile#billing', 'No purchases yet'],
  ['/profile#autoreload', 'Needs a saved payment method.'],
  ['/profile#usage', 'No usage yet'],
  ['/profile#security', 'Current session'],
  ['/profile#paymentmethods', 'No payment methods'],
  ['/jobs', 'No jobs yet'],
  [`/jobs/${idOf(1)}`, 'not found'],
  ['/search?q=river', 'river'],
  [`/receipts/${idOf(1)}`, 'This receipt was not found'],
  ['/docs/api', 'version 1.0.0'],
]

for (const [path, shows] of screens) {
  test(
    `${path} says that the service does not answer, and comes back by a press`,
    slowUnless(path === '/dashboard'),
    async () => {
      const { page, context, close } = await house.open('/terms', await house.server.user())
      await cutLine(context)
      await page.goto(house.server.url + path)
      const again = page.getByRole('main').getByRole('button', { name: /^(Try again|Retry)$/ })
      await again.first().waitFor()
      await page.waitForFunction(() => !document.querySelector('main [class*="skeleton"]'))
      await context.unrouteAll()
      while ((await again.count()) > 0) {
        // One press may bring several back, so that the next is gone before it is pressed.
        await again
          .first()
          .click({ timeout: 3000 })
          .catch(() => undefined)
        await page.waitForLoadState('domcontentloaded')
        await again
          .first()
          .waitFor({ state: 'detached', timeout: 3000 })
          .catch(() => undefined)
      }
      await page.getByText(shows, { exact: false }).first().waitFor()
      assert.equal(new URL(page.url()).pathname, path.split(/[?#]/)[0])
      await close()
    },
  )
}

test('live events on a line that has gone silent are asked for again', slow, async () => {
  const { page, close } = await house.open('/terms', await house.server.user())
  await page.clock.install()
  const { calls } = recordCalls(page)
  const asked = () => calls.filter((call) => call === 'GET /events').length
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByText('No jobs yet').waitFor()
  while (asked() === 0) await page.waitForEvent('request')
  const again = page.waitForRequest(/\/v1\/events$/)
  // The service sends a sign of life every 15 seconds of its own time, which goes on as ever.
  const run = async (): Promise<void> => {
    for (let step = 0; step < 60; step += 1) await page.clock.runFor(1000)
  }
  await Promise.all([again, run()])
  assert.ok(asked() >= 2)
  await close()
})

const losses: Record<string, (route: Route) => unknown> = {
  'is gone': (route) => route.abort(),
  'takes no more bytes': () => undefined,
}

for (const [loss, lose] of Object.entries(losses)) {
  test(
    `a large upload whose connection ${loss} for good says so, and can be tried again`,
    slow,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cutindex-large-'))
      const file = join(folder, 'large.mov')
      await writeFile(file, '')
      await truncate(file, contentLimits.resumableFromBytes + 1)
      const { page, context, close } = await house.open('/terms', await house.server.user())
      await page.clock.install()
      await page.goto(`${house.server.url}/dashboard`)
      const content = page.getByRole('region', { name: 'My Content' })
      await content.getByRole('button', { name: 'Add Content' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add Content' })
      await dialog.locator('input[type=file]').setInputFiles(file)
      await context.route('**/v1/content/resumable**', lose)
      const asked = page.waitForRequest('**/v1/content/resumable**')
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
      await asked
      const message = 'Network error. Please check your connection and try again.'
      const toast = page.locator('[data-toast=error]').getByText(message)
      for (let second = 0; second < 90 && (await toast.count()) === 0; second += 1) {
        await page.clock.runFor(1000)
      }
      await expectToast(page, { type: 'error', message, title: 'Upload Failed' })
      await dialog.getByText(message).waitFor()
      await dialog.getByRole('button', { name: 'Upload', exact: true }).waitFor()
      await close()
      await rm(folder, { recursive: true })
    },
  )
}

async function cutLine(context: BrowserContext): Promise<void> {
  await context.route('**/v1/**', (route) => route.abort())
  await context.route('**/openapi.yaml', (route) => route.abort())
}
