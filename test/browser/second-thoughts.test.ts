/** Ways back: from a stopped checkout, a page that moved on, and refusals of the browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useHouse } from '../support/browser-app.ts'
import { answer, cardOf, expectToast } from '../support/stubs.ts'
import { until } from '../support/until.ts'
import { slow } from '../support/slow.ts'

const house = useHouse()

test('a checkout that was stopped can be closed', async () => {
  const { page, context, close } = await house.open('/dashboard', await house.server.user())
  const url = 'https://checkout.example.com/pay'
  // The page stays where the answer has no content, as it does after Stop.
  await context.route(url, (route) => route.fulfill({ status: 204 }))
  await answer(context, 'POST /payment/checkout', { json: { checkout_url: url } })
  await page.getByRole('button', { name: /POWER/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Buy credits' })
  const stopped = page.waitForResponse(url)
  await dialog.getByRole('button', { name: 'Continue to checkout' }).click()
  await stopped
  assert.equal(await dialog.getByRole('button', { name: 'Processing...' }).isDisabled(), true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await close()
})

test(
  'a key that cannot be copied is said to be so; Enter creates a job; a card names its expiry',
  slow,
  async () => {
    const { page, context, close } = await house.open('/terms', await house.server.user())
    await answer(context, 'GET /user/payment-methods', {
      json: { paymentMethods: [cardOf(1, { is_default: true }), cardOf(2)] },
    })
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
      document.execCommand = () => false
    })
    await page.goto(`${house.server.url}/docs/developer`)
    await page.getByRole('button', { name: /^Copy/ }).first().click()
    await expectToast(page, {
      type: 'error',
      title: 'Not copied',
      message: 'The browser refused. Select the text and copy it yourself.',
    })

    await page.goto(`${house.server.url}/profile#paymentmethods`)
    await page
      .getByRole('button', { name: 'Visa ending in 4241, default, expires 07/2031' })
      .waitFor()

    await page.goto(`${house.server.url}/dashboard`)
    await page.getByRole('button', { name: 'Create Job' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Job' })
    let sent = 0
    await context.route('**/v1/jobs', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      sent += 1
      return route.fulfill({ status: 422, json: { message: 'Not today' } })
    })
    await dialog.getByLabel('Content URL').fill('https://example.com/a.mov')
    await page.keyboard.press('Enter')
    await until(() => Promise.resolve(sent), 1)
    await close()
  },
)
