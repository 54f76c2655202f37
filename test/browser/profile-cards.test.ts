/** Cards and auto-reload of the profile against the specification. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import type { TestUser } from '../support/app.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { answer, cardOf, expectToast, idOf } from '../support/stubs.ts'

const house = useHouse({ sandbox: true })

test('/profile/payment-methods is replaced by the section of cards (§2 Routes)', async () => {
  const { page, close } = await house.open('/terms', await house.server.user())
  await page.evaluate(() => history.pushState(null, '', '/dashboard'))
  const before = await page.evaluate(() => history.length)
  await page.evaluate(() => location.assign('/profile/payment-methods'))
  await page.waitForURL(`${house.server.url}/profile#paymentmethods`)
  await page.getByRole('region', { name: 'Payment Methods' }).waitFor()
  assert.equal(await page.evaluate(() => history.length), before + 1)
  await close()
})

test('cards show brand, digits and expiry; Remove comes on hover; failures are shown (§2 Profile, §5, §7, §8)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await answer(context, 'GET /user/payment-methods', {
    json: { paymentMethods: [cardOf(1, { is_default: true }), cardOf(2, { card_brand: 'amex' })] },
  })
  await page.goto(`${house.server.url}/profile#paymentmethods`)
  const rows = page.getByRole('region', { name: 'Payment Methods' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  assert.match(await rows.first().innerText(), /visa •••• 4241\s+Expires 07\/2031\s+Default/i)
  const remove = rows.nth(1).getByRole('button', { name: 'Remove American Express ending in 4242' })
  const opacity = () => remove.evaluate((button) => getComputedStyle(button).opacity)
  assert.equal(await opacity(), '0')
  await rows.nth(1).hover()
  assert.equal(await opacity(), '1')
  await answer(context, `DELETE /user/payment-methods/${idOf(2)}`, { status: 500, body: '' })
  await remove.click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Remove this payment method?', { exact: true }).waitFor()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, { type: 'error', message: 'Failed to remove payment method' })
  await answer(context, `PUT /user/payment-methods/${idOf(2)}/default`, { status: 500, body: '' })
  const asked = page.waitForRequest((request) => request.method() === 'PUT')
  await page
    .getByRole('button', { name: 'Make American Express ending in 4242 the default' })
    .click()
  await expectToast(page, { type: 'error', message: 'Failed to set default payment method' })
  assert.equal((await asked).postData(), null)
  await close()
})

test('the card dialog: its words, and everything that can go wrong before a card is typed (§2 Profile, §5, §8)', async () => {
  const { page, context, close } = await house.open(
    '/profile#paymentmethods',
    await house.server.user(),
  )
  const add = page.getByRole('button', { name: 'Add Payment Method' }).first()
  const dialog = page.getByRole('dialog', { name: 'Add Payment Method' })
  await answer(context, 'POST /payment/setup-intent', { status: 500, body: '' })
  await add.click()
  await expectToast(page, { type: 'error', message: 'Failed to initialize payment form' })
  await dialog.waitFor({ state: 'detached' })
  await answer(context, 'POST /payment/setup-intent', {
    status: 422,
    json: { message: 'No cards now' },
  })
  await add.click()
  await expectToast(page, { type: 'error', message: 'No cards now' })
  await dialog.waitFor({ state: 'detached' })
  await context.unrouteAll()
  await context.route(`${house.server.sandboxUrl}/stripe.js`, (route) => route.abort())
  await add.click()
  await dialog.getByText('Failed to Load Payment Form').waitFor()
  await page.keyboard.press('Escape')
  await context.unrouteAll()
  // The provider's fields are held back: the form stands, but is not ready.
  await context.route(
    (url) => url.origin === house.server.sandboxUrl && url.pathname !== '/stripe.js',
    () => undefined,
  )
  await add.click()
  const box = dialog.getByRole('checkbox', { name: 'Enable for Auto-Reload' })
  await box.waitFor()
  assert.equal(await box.isChecked(), true)
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  await dialog.getByRole('button', { name: 'Add Payment Method' }).click()
  const toast = page.locator('[data-toast=error]').last()
  await toast.getByText(/card provider has not loaded yet/).waitFor()
  assert.match(await toast.innerText(), /^Payment Method Error/)
  await close()
})

test('saving a card says Saving..., sends the setup id alone, and a refusal is shown (§2 Profile, §7, §8)', async () => {
  const { page, context, close } = await house.open(
    '/profile#paymentmethods',
    await house.server.user(),
  )
  await page.getByRole('button', { name: 'Add Payment Method' }).first().click()
  const fields = page.frameLocator('iframe[title="Secure payment input frame"]')
  await fields.getByLabel('Card number').pressSequentially('4242424242424242')
  await fields.getByLabel('Expiration date').pressSequentially('1240')
  await fields.getByLabel('Security code').fill('123')
  const gate = Promise.withResolvers<void>()
  let sent: unknown
  await context.route('**/v1/payment/confirm-setup-intent', async (route) => {
    sent = route.request().postDataJSON()
    await gate.promise
    await route.fulfill({ status: 500, body: '' })
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Payment Method' }).click()
  await dialog.getByRole('button', { name: 'Saving...' }).waitFor()
  gate.resolve()
  await expectToast(page, { type: 'error', message: 'Failed to save payment method' })
  assert.deepEqual(Object.keys(sent as object), ['setup_intent_id'])
  await context.unrouteAll()
  const again = page.waitForRequest('**/v1/payment/confirm-setup-intent')
  await dialog.getByRole('button', { name: 'Add Payment Method' }).click()
  assert.deepEqual((await again).postDataJSON(), sent)
  await expectToast(page, { type: 'success', message: 'Payment method added successfully' })
  await close()
})

test(
  'cards that could not be loaded are not taken for cards that are not there',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, context, close } = await house.open('/terms', user)
    await answerMe(context, user, { auto_reload_enabled: true, auto_reload_threshold_usd: 5 })
    await answer(context, 'GET /user/payment-methods', { status: 422, json: { message: 'no' } })
    await page.goto(`${house.server.url}/profile#autoreload`)
    await page.getByText('Your saved cards could not be loaded.').waitFor()
    assert.equal(await page.getByText('Needs a saved payment method.').count(), 0)
    assert.equal(await page.locator('[data-toast]').count(), 0)
    const toggle = page.getByRole('switch', { name: 'Enable auto-reload' })
    await toggle.click()
    assert.equal(await toggle.isChecked(), false)
    await answer(context, 'GET /user/payment-methods', {
      json: { paymentMethods: [cardOf(1, { is_default: true })] },
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Charges your card when the balance falls below').waitFor()
    await close()
  },
)

test('a setup that the provider has not finished is shown (§8)', async () => {
  const { page, context, close } = await house.open(
    '/profile#paymentmethods',
    await house.server.user(),
  )
  await context.route(`${house.server.sandboxUrl}/stripe.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${undecidedProvider.toString()})()` }),
  )
  await page.getByRole('button', { name: 'Add Payment Method' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Payment Method' }).click()
  await expectToast(page, { type: 'error', message: 'Failed to add payment method' })
  await close()
})

test('auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card (§3, §4, §5, §7, §8)', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user)
  await answer(context, 'GET /user/payment-methods', {
    json: { paymentMethods: [cardOf(1), cardOf(2, { is_default: true })] },
  })
  await page.goto(`${house.server.url}/profile#autoreload`)
  const save = page.getByRole('button', { name: 'Save Settings' })
  const switchedOff = page.waitForRequest((request) => request.method() === 'PUT')
  await save.click()
  assert.equal(((await switchedOff).postDataJSON() as { amount_usd: number }).amount_usd, 20)
  await expectToast(page, { type: 'success', message: 'Auto-reload settings saved successfully' })
  await page.getByRole('switch', { name: 'Enable auto-reload' }).click()
  const threshold = page.getByLabel('When the balance falls below', { exact: true })
  assert.equal(await threshold.inputValue(), '5')
  assert.deepEqual(await threshold.locator('option').allInnerTexts(), ['$5', '$10', '$20', '$50'])
  assert.equal(await page.getByLabel('Charged to').inputValue(), idOf(2))
  const consent = page.getByRole('checkbox', { name: /I authorize/ })
  await page
    .getByText('charge my default card the price of the package chosen above whenever')
    .waitFor()
  await save.click()
  await expectToast(page, {
    type: 'error',
    message: 'Please accept the authorization agreement',
    title: 'Consent Required',
  })
  await consent.check()
  await save.click()
  await expectToast(page, {
    type: 'error',
    message: 'Please select a reload package',
    title: 'Package Required',
  })
  await page.getByLabel('Reload with').selectOption('pkg-pro-100')
  await page.getByText('charge my default card $100 for the PRO package whenever').waitFor()
  const gate = Promise.withResolvers<void>()
  let sent: unknown
  await context.route('**/v1/user/auto-reload', async (route) => {
    sent = route.request().postDataJSON()
    await gate.promise
    await route.fulfill({ status: 500, body: '' })
  })
  await save.click()
  const saving = page.getByRole('button', { name: 'Saving...' })
  await saving.waitFor()
  assert.equal(await saving.isDisabled(), true)
  gate.resolve()
  await expectToast(page, { type: 'error', message: 'Failed to save settings' })
  assert.deepEqual(sent, {
    enabled: true,
    threshold_usd: 5,
    amount_usd: 100,
    package_id: 'pkg-pro-100',
  })
  await close()
})

test(
  'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved (§4, §5, §8)',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, context, close } = await house.open('/terms', user)
    await answerMe(context, user, {
      auto_reload_enabled: true,
      auto_reload_threshold_usd: 20,
      auto_reload_package_id: 'pkg-power-50',
      auto_reload_consent_accepted_at: '2026-01-01T00:00:00.000Z',
    })
    await answer(context, 'GET /user/payment-methods', {
      json: { paymentMethods: [cardOf(3), cardOf(4)] },
    })
    await answer(context, 'PUT /user/auto-reload', {
      status: 422,
      json: { message: 'Not like this' },
    })
    await page.goto(`${house.server.url}/profile#autoreload`)
    await page.getByText(/^Authorized on/).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: /I authorize/ }).count(), 0)
    assert.equal(
      await page.getByLabel('When the balance falls below', { exact: true }).inputValue(),
      '20',
    )
    assert.equal(
      await page.getByLabel('Charged to').inputValue(),
      idOf(3),
      'the first without a default',
    )
    await answer(context, `PUT /user/payment-methods/${idOf(3)}/default`, { json: { ok: true } })
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await expectToast(page, { type: 'error', message: 'Not like this' })
    await answer(context, 'GET /user/payment-methods', { json: { paymentMethods: [] } })
    await page.reload()
    const toggle = page.getByRole('switch', { name: 'Enable auto-reload' })
    await toggle.waitFor()
    assert.equal(await toggle.isDisabled(), true)
    assert.equal(await page.getByRole('button', { name: 'Save Settings' }).isDisabled(), true)
    await page.locator('main form').evaluate((form: HTMLFormElement) => form.requestSubmit())
    await expectToast(page, {
      type: 'error',
      message: 'Please add a payment method first',
      title: 'Payment Method Required',
    })
    await close()
  },
)

/** Runs in the page: a provider whose form is ready at once and whose setups stay undecided. */
function undecidedProvider(): void {
  const nothing = (): void => undefined
  const element = {
    mount: nothing,
    destroy: nothing,
    update: nothing,
    off: () => element,
    on: (name: string, heard: () => void) => {
      if (name === 'ready') queueMicrotask(heard)
      return element
    },
  }
  const elements = {
    create: () => element,
    getElement: () => element,
    submit: () => Promise.resolve({}),
    update: nothing,
    on: nothing,
  }
  const setupIntent = { id: 'seti_undecided', status: 'processing' }
  Object.assign(window, {
    Stripe: () => ({
      elements: () => elements,
      createToken: nothing,
      createPaymentMethod: nothing,
      confirmCardPayment: nothing,
      confirmSetup: () => Promise.resolve({ setupIntent }),
    }),
  })
}

/** The account as it is, with some fields of a longer life. */
async function answerMe(context: BrowserContext, user: TestUser, change: object): Promise<void> {
  await answer(context, 'GET /user/me', { json: { ...(await user.client.getMe()), ...change } })
}
