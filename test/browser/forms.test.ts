/** Forms with something missing: a toast, a mark at the field, and neither longer than true. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Visit } from '../support/browser.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { answer, cardOf, contentOf, expectToast, idOf, jobOf } from '../support/stubs.ts'

const house = useHouse()

test(
  'a missing key name is marked, takes the keyboard, and is no longer said once the key exists',
  slow,
  async () => {
    const { page, close } = await open('/dashboard')
    await quickAction(page, 'API Keys')
    const dialog = page.getByRole('dialog', { name: 'API Keys' })
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    const submit = dialog.getByRole('button', { name: 'Create', exact: true })
    const name = dialog.getByLabel('Key name')
    await submit.click()
    await expectToast(page, { type: 'error', message: 'Please enter a key name' })
    await expectMarked(name, 'Every key needs a name.')
    await name.fill('Ingest')
    await expectUnmarked(name)
    await submit.click()
    await dialog.getByText(/^ci_live_\w{36}$/).waitFor()
    await page.locator('[data-toast=error]').waitFor({ state: 'detached' })
    await close()
  },
)

test(
  'a missing address is marked, and closing the dialog takes the complaint back',
  slow,
  async () => {
    const { page, close } = await open('/dashboard')
    await quickAction(page, 'Add Content')
    const dialog = page.getByRole('dialog', { name: 'Add Content' })
    await dialog.getByRole('tab', { name: 'Add URL Reference' }).click()
    await dialog.getByRole('button', { name: 'Add URL', exact: true }).click()
    await expectToast(page, { type: 'error', message: 'Please enter a URL' })
    await expectMarked(dialog.getByLabel('URL', { exact: true }), 'Enter a URL.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.locator('[data-toast=error]').waitFor({ state: 'detached' })
    await close()
  },
)

test('a job without address or extractor is marked where it lacks', slow, async () => {
  const { page, close } = await open('/dashboard')
  await quickAction(page, 'Create Job')
  const dialog = page.getByRole('dialog', { name: 'Create Job' })
  const create = dialog.getByRole('button', { name: 'Create Job' })
  await create.click()
  const field = dialog.getByLabel('Content URL')
  await expectMarked(field, 'Enter the URL of the footage.')
  await field.fill('https://example.com/clip.mov')
  const boxes = await dialog.getByRole('checkbox').all()
  for (const box of boxes) await box.uncheck()
  await create.click()
  await expectToast(page, { type: 'error', message: 'Please select at least one extractor' })
  assert.equal(await page.locator('[data-toast=error]').count(), 1, 'the first is mended')
  const [first] = boxes
  assert.ok(first)
  await expectMarked(first, 'Choose at least one.')
  await dialog.getByRole('button', { name: /^Transcript/ }).click()
  assert.deepEqual(await Promise.all(boxes.map((box) => box.isChecked())), [
    true,
    false,
    true,
    false,
    false,
    false,
    false,
  ])
  await expectUnmarked(first)
  await close()
})

test('a price is shown for the footage it belongs to, and too little credit leads to packages', async () => {
  const { page, context, close } = await open('/dashboard')
  const quote = {
    seconds: 240,
    media_seconds: 240,
    lines: [],
    total_usd: 6,
    available_usd: 4.425,
    sufficient: false,
    price_version: '2025-10-22',
  }
  await answer(context, 'POST /jobs/quote', { json: { quote } })
  await quickAction(page, 'Create Job')
  const dialog = page.getByRole('dialog', { name: 'Create Job' })
  const field = dialog.getByLabel('Content URL')
  await field.fill('https://example.com/clip.mov')
  await dialog.getByText('$6.00').waitFor()
  await dialog.getByText('Not enough credit: you have $4.42.').waitFor()
  const create = dialog.getByRole('button', { name: 'Create Job' })
  assert.ok(await create.isDisabled(), 'a job that cannot be paid is not offered')
  await dialog.getByRole('button', { name: 'Buy credits' }).click()
  const packages = page.getByRole('dialog', { name: 'Credit packages' })
  await packages.getByRole('button', { name: /^Buy Now: STARTER/ }).click()
  const confirm = page.getByRole('dialog', { name: 'Buy credits' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await confirm.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'https://example.com/clip.mov', 'the job is kept')
  await field.fill('nonsense')
  await dialog.getByText('Enter a full URL that begins with http:// or https://').waitFor()
  await dialog.getByText('$6.00').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create Job', disabled: false }).waitFor()
  await close()
})

test(
  'a job of a library item hides the address, and the job opens once it is made',
  slow,
  async () => {
    const { page, context, close } = await open('/terms')
    const check = { state: 'not_media' as const, message: null }
    await answer(context, 'GET /content', {
      json: { content: [contentOf(1, 'upload'), { ...contentOf(2, 'upload'), check }] },
    })
    await answer(context, 'POST /jobs', { status: 201, json: { job: jobOf(3, 'queued') } })
    await page.goto(`${house.server.url}/dashboard`)
    await page.getByRole('button', { name: 'Analyse upload 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Job' })
    assert.equal(await dialog.getByLabel('Content URL').count(), 0)
    const choice = dialog.getByLabel('From your library')
    assert.deepEqual(await choice.locator('option').allInnerTexts(), ['From a URL', 'upload 1'])
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await page.waitForURL(`${house.server.url}/jobs/${idOf(3)}`)
    await close()
  },
)

test(
  'auto-reload marks the agreement, then the package, and names no sum that nobody chose',
  slow,
  async () => {
    const { page, context, close } = await open('/terms')
    await answer(context, 'GET /user/payment-methods', {
      json: { paymentMethods: [cardOf(1, { is_default: true })] },
    })
    await page.goto(`${house.server.url}/profile#autoreload`)
    await page.getByRole('switch', { name: 'Enable auto-reload' }).click()
    const consent = page.getByRole('checkbox', { name: /I authorize/ })
    const sums = async () => (await consent.locator('..').innerText()).match(/\$\d+/g)
    assert.deepEqual(await sums(), ['$5'], 'the threshold alone')
    const save = page.getByRole('button', { name: 'Save Settings' })
    await save.click()
    await expectMarked(consent, 'Without this no card is charged.')
    await consent.check()
    await save.click()
    await expectMarked(page.getByLabel('Reload with'), 'Choose what the card is charged for.')
    assert.equal(await page.locator('[data-toast=error]').count(), 1)
    await page.getByLabel('Reload with').selectOption('pkg-power-50')
    assert.deepEqual(await sums(), ['$50', '$5'])
    await close()
  },
)

test(
  'what is filled in for auto-reload is still there when one comes back to the tab',
  slow,
  async () => {
    const { page, context, close } = await open('/terms')
    await answer(context, 'GET /user/payment-methods', {
      json: { paymentMethods: [cardOf(1, { is_default: true })] },
    })
    await page.clock.install()
    await page.goto(`${house.server.url}/profile#autoreload`)
    await page.getByRole('switch', { name: 'Enable auto-reload' }).click()
    await page.getByLabel('Reload with').selectOption('pkg-power-50')
    await page.getByText('Not saved yet').waitFor()
    await page.clock.fastForward(60_000)
    const asked = page.waitForResponse(/\/v1\/user\/me$/)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await asked
    await page.clock.runFor(1000)
    assert.equal(await page.getByLabel('Reload with').inputValue(), 'pkg-power-50')
    await page.getByText('Not saved yet').waitFor()
    await close()
  },
)

test('a file that cannot be analysed is not offered for it, and says why', slow, async () => {
  const { page, context, close } = await open('/terms')
  const check = { state: 'refused' as const, message: 'YouTube links can be kept here.' }
  await answer(context, 'GET /content', {
    json: { content: [contentOf(1, 'upload'), { ...contentOf(2, 'youtube'), check }] },
  })
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByRole('button', { name: 'Analyse upload 1' }).click()
  await page.getByRole('dialog', { name: 'Create Job' }).waitFor()
  await page.keyboard.press('Escape')
  const refused = page.getByRole('button', { name: 'Analyse youtube 2' })
  assert.equal(await refused.isDisabled(), true)
  assert.equal(await refused.getAttribute('title'), check.message)
  await close()
})

test('balances are rounded down: what is shown can be spent', slow, async () => {
  const user = await house.server.user()
  const { page, context, close } = await open('/terms', user)
  const me = await user.client.getMe()
  const balance = { ...me.balance, available_usd: 4.425, free_usd: 4.425, held_usd: 0.575 }
  await answer(context, 'GET /user/me', { json: { ...me, account_balance_usd: 4.425, balance } })
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByRole('region', { name: 'Account' }).getByText('$4.42').waitFor()
  const tile = page.locator('main dl').first().locator('div').first()
  assert.match(await tile.innerText(), /Available Credits\s+\$4\.42\s+\$0\.58 more held/)
  await page.goto(`${house.server.url}/profile#billing`)
  const billing = page.getByRole('region', { name: 'Current Balance' })
  await billing.getByText('Free this month').waitFor()
  assert.match(await billing.innerText(), /\$4\.42[\s\S]*Free this month\s+\$4\.42/)
  await close()
})

/** The field says that it is wrong, why, and has the keyboard. */
async function expectMarked(field: Locator, message: string): Promise<void> {
  const marked = field.and(field.page().locator('[aria-invalid=true]:focus'))
  await marked.waitFor({ state: 'attached' })
  const note = (await field.getAttribute('aria-describedby')) ?? ''
  assert.equal(await field.page().locator(`[id="${note}"]`).innerText(), message)
}

async function expectUnmarked(field: Locator): Promise<void> {
  await field.and(field.page().locator(':not([aria-invalid])')).waitFor({ state: 'attached' })
}

async function quickAction(page: Page, name: string): Promise<void> {
  const actions = page.getByRole('region', { name: 'Quick actions' })
  await actions.getByRole('button', { name }).click()
}

async function open(path: string, user?: { token: string; email: string }): Promise<Visit> {
  return house.open(path, user ?? (await house.server.user()))
}
