import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsInLooks } from '../support/axe.ts'
import { useHouse } from '../support/browser-app.ts'
import { isWholeRun, slow, slowUnless } from '../support/slow.ts'
import { until } from '../support/until.ts'

const publicRoutes = [
  '/',
  '/terms',
  '/privacy',
  '/docs/developer',
  '/docs/api',
  '/docs/editors',
  '/no-such-page',
]
const guardedRoutes = [
  '/dashboard',
  '/profile',
  '/jobs',
  '/library',
  '/search?q=river',
  '/payment/success',
  '/payment/cancel',
]

const house = useHouse()

/** One of each layout; the other screens are alike. */
const shortRoutes = ['/', '/terms', '/docs/api', '/dashboard', '/profile', '/library']

const widths = isWholeRun ? [320, 390, 768, 1440, 2560, 3840] : [320, 1440]

for (const path of [...publicRoutes, ...guardedRoutes]) {
  test(
    `${path} has no WCAG 2.2 A or AA violation, whatever the theme and preset, and fits any width`,
    slowUnless(shortRoutes.includes(path)),
    async () => {
      const visitor = guardedRoutes.includes(path) ? await house.server.user() : undefined
      const { page, close } = await house.open(path, visitor)
      await untilLoaded(page)
      await assertFits(page)
      if (path === '/docs/api') await page.getByLabel('Find a call').fill('jobs export')
      const violations = await violationsInLooks(page)
      assert.deepEqual(violations, [])
      await close()
    },
  )
}

test('every section of the profile fits any width', slow, async () => {
  const { page, close } = await house.open('/profile', await house.server.user())
  const menu = page.getByRole('navigation', { name: 'Profile sections' })
  for (const [link, panel] of [
    ['Billing & Credits', 'Recent Credit Purchases'],
    ['Auto-Reload', 'Auto-Reload'],
    ['Usage History', 'Usage History'],
    ['Security', 'Danger Zone'],
    ['Payment Methods', 'Payment Methods'],
    ['Webhooks', 'Webhooks'],
  ] as const) {
    await menu.getByRole('link', { name: link }).click()
    await page.getByRole('region', { name: panel }).first().waitFor()
    await untilLoaded(page)
    await assertFits(page)
  }
  await close()
})

async function untilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // Live events keep the network busy forever; what has loaded has no skeleton left.
  await page.waitForFunction(() => !document.querySelector('[class*="skeleton"]'))
}

/** From 320 pixels to 4K nothing scrolls sideways. */
async function assertFits(page: Page): Promise<void> {
  const { width: before = 0, height = 0 } = page.viewportSize() ?? {}
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    assert.equal(overflow, 0, `${page.url()} at ${width}`)
  }
  await page.setViewportSize({ width: before, height })
}

test('the sign-in modals have no violation, whatever the theme and preset', async () => {
  const { page, close } = await house.open('/')
  for (const [button, dialog] of [
    ['Login', 'Log in'],
    ['Sign Up', 'Sign up'],
  ] as const) {
    await page.getByRole('banner').getByRole('button', { name: button }).click()
    await page.getByRole('dialog', { name: dialog }).waitFor()
    assert.deepEqual(await violationsInLooks(page, '[role=dialog]'), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' })
  }
  await close()
})

test('the keyboard alone reaches the modal, stays in it, and comes back', async () => {
  const { page, close } = await house.open('/')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Tab')
  await until(async () => (await focusedName(page)) === 'Skip to content')
  const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
  await login.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('GitHub'))
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    // The modal's guards pass the focus on a moment after they have got it.
    await until(async () => {
      const isInside = await page.evaluate(
        () => document.activeElement?.closest('[role=dialog]') !== null,
      )
      return isInside || (await focusedName(page)) === ''
    })
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(async () => (await focusedName(page)) === 'Login')
  await close()
})

test('every control that has the focus shows it', async () => {
  const { page, close } = await house.open('/')
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return 'page'
      const style = getComputedStyle(focused)
      return style.outlineStyle === 'none' ? `none on ${focused.outerHTML.slice(0, 120)}` : 'shown'
    })
    assert.ok(['shown', 'page'].includes(outline), outline)
  }
  await close()
})

async function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
}
