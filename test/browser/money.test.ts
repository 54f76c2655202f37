/** Buying, saved cards and auto-reload with a real server, worker, sandbox and Chromium. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  availableUsd,
  confirmInBrowser,
  control,
  leaveWithUsd,
  tellOfCheckout,
} from '../support/payments.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'

const house = useHouse({ sandbox: true, worker: true })

test('buys a package; the success page tells the truth until the credit has come (§2 Routes, §4)', async () => {
  const user = await house.server.user()
  const { page, problems, close } = await house.open('/profile#billing', user)
  await page.getByText('No purchases yet').waitFor()
  await page.getByRole('button', { name: /\$50 .*POWER/ }).click()
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await control(house.server, 'webhooks', { drop: true })
  await payOnPage(page, '4242424242424242')
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
  // The pointer holds the countdown, so that the page is still there when the credit comes.
  await page.getByTestId('countdown').hover()
  await control(house.server, 'webhooks', { drop: false })
  await page.getByText('the credits follow in a moment').waitFor()
  assert.equal(await availableUsd(user), 5)
  await tellOfCheckout(house.server)
  await page.getByText('$52.50 of credits have been added').waitFor()
  await page.goto(`${house.server.url}/profile#billing`)
  const row = page.getByRole('listitem').filter({ hasText: 'POWER credit package' })
  await row.getByText('Manual').waitFor()
  await row.getByText('+5% bonus').waitFor()
  await row.getByText('+$52.50').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('at the end of the month free credit lapses and the next one is granted', slow, async () => {
  const { clock } = house.server
  const today = new Date()
  const year = today.getUTCFullYear()
  const month = today.getUTCMonth() + 1
  // From the 20th on, so that no session ends on the way.
  clock.offsetMs = Date.UTC(year, month, 20) - today.getTime()
  const user = await house.server.user()
  await leaveWithUsd(house.server, user, '3')
  const { page, close } = await house.open('/dashboard', user)
  const account = page.getByRole('region', { name: 'Account' })
  try {
    await account.getByText('$3.00').waitFor()
    clock.offsetMs = Date.UTC(year, month + 1, 1, 0, 0, 1) - today.getTime()
    await page.reload()
    await account.getByText('$5.00').waitFor()
    const grants = page.getByRole('region', { name: 'Recent Transactions' })
    await grants.getByText('Free monthly credit').nth(1).waitFor()
    assert.equal(await availableUsd(user), 5)
  } finally {
    clock.offsetMs = 0
  }
  await close()
})

test('a declined card is shown on the page, and going back charges nothing (§2 Routes, §4)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/profile#billing', user)
  await page.getByRole('button', { name: /\$100 .*PRO/ }).click()
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await payOnPage(page, '4000000000000002')
  await page.getByText('Your card was declined.').waitFor()
  await page.getByRole('link', { name: 'Cancel and go back' }).click()
  await page.getByText('No charges were made').first().waitFor()
  assert.equal(await availableUsd(user), 5)
  await close()
})

test('cards are added in the provider’s own form, made default and removed (§2 Profile, §4, §5, §8)', async () => {
  const user = await house.server.user()
  const { page, problems, close } = await house.open('/profile#paymentmethods', user)
  await addCard(page, '4242424242424242')
  await page.getByRole('button', { name: 'visa ending in 4242, default' }).waitFor()
  await addCard(page, '5555555555554444')
  await page.getByRole('button', { name: 'Make mastercard ending in 4444 the default' }).click()
  await page.getByText('Default payment method updated').waitFor()
  await page.getByRole('button', { name: 'mastercard ending in 4444, default' }).waitFor()
  await page.getByRole('button', { name: 'Remove mastercard ending in 4444' }).click()
  await page
    .getByText('Remove this default payment method? The next card will be set as default.')
    .waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Payment method removed').waitFor()
  await page.getByRole('button', { name: 'visa ending in 4242, default' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test(
  'a declined and an unfinished card are shown; a bank that asks is answered (§8)',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, close } = await house.open('/profile#paymentmethods', user)
    await openCardDialog(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Method' }).click()
    await page.getByText('Your card number is incomplete.').first().waitFor()
    await typeCard(page, '4000000000000002')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Method' }).click()
    const refused = page
      .locator('[data-toast=error]')
      .filter({ hasText: 'Your card was declined.' })
    await refused.waitFor()
    assert.match(await refused.innerText(), /^Payment Method Error/)
    await typeCard(page, '4000002500003155')
    await page.getByRole('checkbox', { name: 'Enable for Auto-Reload' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Method' }).click()
    const bank = page.frameLocator('iframe[title="Card authentication"]')
    await bank.getByRole('button', { name: 'Complete authentication' }).click()
    await page.getByText('Payment method added successfully').waitFor()
    await page.getByRole('button', { name: 'visa ending in 3155, default' }).waitFor()
    await close()
  },
)

test(
  'a bank that leads back by address: the card is confirmed with the server, or its refusal shown (§2 Routes)',
  slow,
  async () => {
    const user = await house.server.user()
    const { client_secret: secret } = await user.client.createSetupIntent()
    const id = await confirmInBrowser(house.server, secret, '4242424242424242')
    const back = (status: string) =>
      `/profile/payment-methods?setup_intent=${id}&setup_intent_client_secret=${secret}&redirect_status=${status}`
    const { page, problems, close } = await house.open(back('failed'), user)
    await page.waitForURL(`${house.server.url}/profile#paymentmethods`)
    await page.getByText('Failed to add payment method').waitFor()
    await page.getByText('No payment methods').waitFor()
    const asked = page.waitForRequest('**/v1/payment/confirm-setup-intent')
    await page.goto(house.server.url + back('succeeded'))
    assert.deepEqual((await asked).postDataJSON(), { setup_intent_id: id })
    await page.waitForURL(`${house.server.url}/profile#paymentmethods`)
    await page.getByText('Payment method added successfully').waitFor()
    await page.getByRole('button', { name: 'visa ending in 4242, default' }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  },
)

test('auto-reload wants consent and a package, then reloads once and shows it (§4, §8)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/profile#autoreload', user)
  await page.getByText('Needs a saved payment method.').waitFor()
  assert.equal(await page.getByRole('switch', { name: 'Enable auto-reload' }).isDisabled(), true)
  await page.goto(`${house.server.url}/profile#paymentmethods`)
  await addCard(page, '4242424242424242')
  await page.goto(`${house.server.url}/profile#autoreload`)
  await page.getByRole('switch', { name: 'Enable auto-reload' }).click()
  const save = page.getByRole('button', { name: 'Save Settings' })
  await save.click()
  await page.getByText('Please accept the authorization agreement').waitFor()
  await page.getByRole('checkbox', { name: /I authorize/ }).click()
  await save.click()
  await page.getByText('Please select a reload package').waitFor()
  await page.getByRole('combobox', { name: 'Reload with' }).selectOption('pkg-power-50')
  await page.getByRole('combobox', { name: 'When the balance falls below' }).selectOption('10')
  await save.click()
  await page.getByText('Auto-reload settings saved successfully').waitFor()
  await page.getByText(/Authorized on/).waitFor()
  // $5 of free credit is below $10, so saving reloads by itself.
  await until(async () => (await availableUsd(user)) === 57.5)
  await page.goto(`${house.server.url}/profile#billing`)
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'POWER credit package' })
  await row.getByText('Auto-reload').waitFor()
  assert.equal(await row.count(), 1)
  await close()
})

async function payOnPage(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiration date').pressSequentially('1240')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Edda Lind')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

async function openCardDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Payment Method' }).click()
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]')
  await frame.getByLabel('Card number').waitFor()
}

async function typeCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]')
  await frame.getByLabel('Card number').fill('')
  await frame.getByLabel('Card number').pressSequentially(number)
  await frame.getByLabel('Expiration date').fill('')
  await frame.getByLabel('Expiration date').pressSequentially('1240')
  await frame.getByLabel('Security code').fill('123')
}

/** Leaves the box unticked, so that the list of cards stays in view. */
async function addCard(page: Page, number: string): Promise<void> {
  await openCardDialog(page)
  await typeCard(page, number)
  await page.getByRole('checkbox', { name: 'Enable for Auto-Reload' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Method' }).click()
  await page.getByText('Payment method added successfully').waitFor()
  await page.getByText('Payment method added successfully').waitFor({ state: 'detached' })
}
