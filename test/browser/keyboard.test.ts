/** Whole journeys by the keyboard alone: no pointer is ever used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visit } from '../support/browser.ts'
import { goTo } from '../support/by-keyboard.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { answer, jobOf } from '../support/stubs.ts'

const house = useHouse({ sandbox: true })

test('by keyboard: sign in', slow, async () => {
  const { page, close } = await house.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await goTo(page, 'Login')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await goTo(page, 'Continue with GitHub')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${house.server.sandboxUrl}/**`)
  await goTo(page, /continue|mira|jonas|@/i)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${house.server.url}/dashboard`)
  await close()
})

test('by keyboard: buy credits', slow, async () => {
  const { page, close } = await open('/dashboard')
  await goTo(page, /\$50.*POWER/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Buy credits' }).waitFor()
  await goTo(page, 'Continue to checkout')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${house.server.sandboxUrl}/**`)
  await close()
})

test('by keyboard: create a job', async () => {
  const { page, context, close } = await open('/dashboard')
  let sent: unknown
  await answer(context, 'POST /jobs', { status: 201, json: { job: jobOf(1, 'queued') } })
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/jobs')) {
      sent = request.postDataJSON()
    }
  })
  await goTo(page, 'Create Job')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Job' })
  await dialog.waitFor()
  await goTo(page, 'Content URL')
  await page.keyboard.type('https://example.com/clip.mov')
  await goTo(page, 'Create Job')
  await page.keyboard.press('Enter')
  await dialog.getByText('Job created.').waitFor()
  assert.equal((sent as { content_url: string }).content_url, 'https://example.com/clip.mov')
  await close()
})

test('by keyboard: make and delete an API key', slow, async () => {
  const { page, close } = await open('/profile#security')
  await goTo(page, 'Create API key')
  await page.keyboard.press('Enter')
  await goTo(page, /^(Key )?name/i)
  await page.keyboard.type('panel')
  await page.keyboard.press('Enter')
  await page
    .getByText(/ci_live_/)
    .first()
    .waitFor()
  await goTo(page, /^Delete .*panel/)
  await page.keyboard.press('Enter')
  await page.getByText('Are you sure you want to delete this API key?').waitFor()
  await goTo(page, /^Delete$/)
  await page.keyboard.press('Enter')
  await page.getByText('panel', { exact: true }).first().waitFor({ state: 'detached' })
  await close()
})

test('by keyboard: add a card, and make another the default', slow, async () => {
  const { page, close } = await open('/profile#paymentmethods')
  for (const number of ['4242424242424242', '5555555555554444']) {
    await goTo(page, 'Add Payment Method')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add Payment Method' })
    const fields = page.frameLocator('iframe[title="Secure payment input frame"]')
    await fields.getByLabel('Card number').waitFor()
    await goTo(page, /^Card number/)
    await page.keyboard.type(number)
    await goTo(page, /^Expiration date/)
    await page.keyboard.type('1240')
    await goTo(page, /^Security code/)
    await page.keyboard.type('123')
    await goTo(page, /^Enable for Auto-Reload/)
    await page.keyboard.press(' ')
    await goTo(page, 'Add Payment Method')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: `ending in ${number.slice(-4)}` })
      .first()
      .waitFor()
  }
  await goTo(page, /^Make mastercard ending in 4444 the default/i)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'mastercard ending in 4444, default' }).waitFor()
  await goTo(page, /^Remove visa ending in 4242/i)
  await page.keyboard.press('Enter')
  await page.getByText('Remove this payment method?', { exact: true }).waitFor()
  await goTo(page, 'Remove')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: 'Remove visa ending in 4242' })
    .waitFor({ state: 'detached' })
  await close()
})

test('by keyboard: through the profile and out', slow, async () => {
  const { page, close } = await open('/profile')
  await goTo(page, 'Usage History')
  await page.keyboard.press('Enter')
  await page.getByText('No usage yet').waitFor()
  await goTo(page, 'User menu')
  await page.keyboard.press('Enter')
  // The menu takes the keyboard a moment after it is shown.
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('End')
  await page.locator('[role=menuitem]:focus', { hasText: 'Logout' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Logged out').waitFor()
  await close()
})

async function open(path: string): Promise<Visit> {
  const user = await house.server.user()
  const opened = await house.open(path, user)
  await opened.page.locator('h1').first().waitFor({ state: 'attached' })
  await opened.page.waitForFunction(() => !document.querySelector('[class*="skeleton"]'))
  return opened
}
