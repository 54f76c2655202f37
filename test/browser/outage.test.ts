/** The service goes away while a screen is open: what it says, and how it comes back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { startTestServer } from '../server.ts'
import type { TestServer, TestUser } from '../server.ts'
import { launchBrowser, signedIn, visit } from './browser.ts'
import { idOf } from './stubs.ts'

let server: TestServer
let browser: Browser
let user: TestUser

before(async () => {
  server = await startTestServer()
  browser = await launchBrowser()
  user = await server.user()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

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
  ['/docs/api', 'version 0.1.0'],
]

for (const [path, shows] of screens) {
  test(`${path} says that the service does not answer, and comes back by a press`, async () => {
    const { page, context, close } = await visit(browser, `${server.url}/terms`, {
      storage: signedIn(user),
    })
    await cutLine(context)
    await page.goto(server.url + path)
    const again = page.getByRole('main').getByRole('button', { name: /^(Try again|Retry)$/ })
    await again.first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main [class*="skeleton"]'))
    await context.unrouteAll()
    while ((await again.count()) > 0) {
      await again.first().click()
      await page.waitForLoadState('domcontentloaded')
      await again
        .first()
        .waitFor({ state: 'detached', timeout: 3000 })
        .catch(() => undefined)
    }
    await page.getByText(shows, { exact: false }).first().waitFor()
    assert.equal(new URL(page.url()).pathname, path.split(/[?#]/)[0])
    await close()
  })
}

async function cutLine(context: BrowserContext): Promise<void> {
  await context.route('**/v1/**', (route) => route.abort())
  await context.route('**/openapi.yaml', (route) => route.abort())
}
