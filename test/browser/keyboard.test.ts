/** Whole journeys by the keyboard alone: no pointer is ever used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Visit } from './browser.ts'
import { useHouse } from './house.ts'
import { answer, jobOf } from './stubs.ts'

const house = useHouse({ sandbox: true })

const stopsAtMost = 120

test('by keyboard: sign in', async () => {
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

test('by keyboard: buy credits', async () => {
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

test('by keyboard: make and delete an API key', async () => {
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

test('by keyboard: through the profile and out', async () => {
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

/** Presses Tab until the focus stands on what is named so. */
async function goTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < stopsAtMost; stop += 1) {
    const focused = await page.evaluate(nameOfFocused)
    const isThere = typeof name === 'string' ? focused === name : name.test(focused)
    if (isThere) return
    passed.push(focused)
    await page.keyboard.press('Tab')
  }
  assert.fail(`${String(name)} is not on the way: ${passed.join(' | ')}`)
}

/** Runs in the page: what a listener would be told, near enough for buttons, links and fields. */
function nameOfFocused(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return ''
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null
  const name = focused.getAttribute('aria-label') ?? label ?? focused.textContent ?? ''
  return name.trim()
}
