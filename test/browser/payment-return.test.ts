import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAnalytics, signedIn, visit } from '../support/browser.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { answer, runUntilThere, stopClock } from '../support/stubs.ts'
import { until } from '../support/until.ts'

const house = useHouse()

const query = '?session_id=cs_test_1&package_type=pkg-power-50&amount=50'

test('the success page shows the session, what comes next, and confetti (§2 Payment success)', async () => {
  const user = await house.server.user()
  const { page, context, close } = await visit(house.browser, 'about:blank', {
    motion: true,
  })
  const events = await recordAnalytics(context)
  await context.addInitScript((storage) => {
    for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  }, signedIn(user))
  let status = 'pending'
  await context.route('**/v1/payment/session/cs_test_1', (route) =>
    route.fulfill({
      json: {
        session_id: 'cs_test_1',
        status,
        credit_package_id: 'pkg-power-50',
        price_usd: 50,
        credits_usd: 52.5,
      },
    }),
  )
  await page.goto(`${house.server.url}/payment/success${query}`)
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
  // The pointer holds the countdown, so that the page stays however slow the rest is.
  await page.getByTestId('countdown').hover()
  await page.locator('canvas[data-confetti="20"]').waitFor({ state: 'attached' })
  await page.getByText('cs_test_1').waitFor()
  for (const text of ['Credits are added', 'create jobs', 'billing history', 'no expiration']) {
    await page.getByText(text).first().waitFor()
  }
  await page.getByText('the credits follow in a moment').waitFor()
  status = 'credited'
  await page.getByText('$52.50 of credits have been added').waitFor()
  await page.locator('canvas[data-confetti]').waitFor({ state: 'detached' })
  // Loading the page again is not buying again.
  await page.reload()
  await page.getByText('$52.50 of credits have been added').waitFor()
  const purchases = events.filter((event) => event.name === 'purchase')
  assert.deepEqual(
    purchases.map((event) => event.details),
    [{ package_type: 'pkg-power-50', amount_usd: 50 }],
  )
  await page.getByRole('link', { name: 'Back to Home' }).waitFor()
  await close()
})

test('the success page does not wait for our added call, nor does its late answer change it (§2 Payment success)', async () => {
  const user = await house.server.user()
  const { page, context, close } = await visit(house.browser, 'about:blank', { motion: true })
  const events = await recordAnalytics(context)
  await context.addInitScript((storage) => {
    for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  }, signedIn(user))
  const answered = Promise.withResolvers<void>()
  await context.route('**/v1/payment/session/cs_test_1', async (route) => {
    await answered.promise
    const message = 'This was not found'
    await route.fulfill({ status: 404, json: { message, error: message, code: 'not_found' } })
  })
  await page.goto(`${house.server.url}/payment/success${query}`)
  await page.getByTestId('countdown').hover()
  await page.locator('canvas[data-confetti="20"]').waitFor({ state: 'attached' })
  await until(() => events.some((event) => event.name === 'purchase'))
  answered.resolve()
  await page.getByText('We can’t check this payment right now').waitFor()
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
  await page.mouse.move(0, 0)
  await page.waitForURL(`${house.server.url}/dashboard`)
  await close()
})

test('a checkout that was canceled stays on the success page and says so (§2 Payment success)', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user)
  await answer(context, 'GET /payment/session/cs_test_1', {
    json: { session_id: 'cs_test_1', status: 'canceled', credit_package_id: 'pkg-power-50' },
  })
  await page.goto(`${house.server.url}/payment/success${query}`)
  await page.getByText('This checkout was canceled. No charges were made.').waitFor()
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
  await close()
})

test('a checkout of somebody else is no payment of this account, and gets no confetti', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/payment/success?session_id=cs_unknown', user, {
    motion: true,
  })
  await page.getByRole('heading', { name: 'This payment is not in your account' }).waitFor()
  await page.getByText('cs_unknown').waitFor()
  assert.equal(await page.getByText('Payment Successful!').count(), 0)
  assert.equal(await page.locator('canvas[data-confetti]').count(), 0)
  await close()
})

test('the cancel page says once that nothing was charged, and leads on (§2 Payment cancel)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/payment/cancel', user)
  await page.getByRole('heading', { name: 'Payment Cancelled' }).waitFor()
  const toast = page.locator('[data-toast="info"]')
  assert.match(await toast.innerText(), /Payment cancelled\s+No charges were made/)
  const links = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  assert.equal(await toast.count(), 1)
  assert.deepEqual(links, ['mailto:support@cutindex.com', '/#pricing', '/#docs', '/dashboard', '/'])
  await close()
})

test(
  'a toast vanishes after 4 seconds, but waits under the pointer and the keyboard',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, close } = await house.open('/terms', user)
    await page.clock.install()
    await stopClock(page)
    await page.goto(`${house.server.url}/payment/cancel`)
    const toast = page.locator('[data-toast="info"]')
    await runUntilThere(page, toast)
    await toast.hover()
    await page.clock.runFor(10_000)
    assert.equal(await toast.count(), 1)
    await toast.getByRole('button', { name: 'Dismiss' }).focus()
    await page.mouse.move(0, 0)
    await page.clock.runFor(10_000)
    assert.equal(await toast.count(), 1)
    await page.getByRole('link', { name: 'Back to Home' }).focus()
    await page.clock.runFor(4000)
    await toast.waitFor({ state: 'detached' })
    await close()
  },
)
