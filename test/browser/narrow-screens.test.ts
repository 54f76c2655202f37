/** From a phone to a small window: nothing hangs over the edge, and every dialog can be used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { useHouse } from '../support/browser-app.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { answer, cardOf, contentOf, idOf, jobOf, transactionOf } from '../support/stubs.ts'

const house = useHouse()

const longName = `${'A001_C003_long_camera_original_'.repeat(3)}.mov`.slice(-90)

for (const width of [320, 390, 768]) {
  test(
    `names of 90 characters fit into ${width} px on dashboard and profile`,
    slowUnless(width === 320),
    async () => {
      const page = await openWithLongNames(width)
      await page.goto(`${house.server.url}/dashboard`)
      await page.getByRole('region', { name: 'My Content' }).getByText(longName).waitFor()
      await page.getByRole('region', { name: 'Recent Jobs' }).getByText(longName).waitFor()
      await expectNoOverhang(page, width)
      for (const [action, title] of [
        ['Create Job', 'Create Job'],
        ['Add Content', 'Add Content'],
        ['API Keys', 'API Keys'],
        ['Pricing', 'Credit packages'],
      ] as const) {
        const actions = page.getByRole('region', { name: 'Quick actions' })
        await actions.getByRole('button', { name: action }).click()
        const dialog = page.getByRole('dialog', { name: title })
        const box = await dialog.boundingBox()
        assert.ok(
          box && box.x >= 0 && box.x + box.width <= width,
          `${title}: ${JSON.stringify(box)}`,
        )
        await dialog.getByRole('button', { name: 'Close' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      for (const section of ['usage', 'billing', 'paymentmethods', 'security']) {
        await page.goto(`${house.server.url}/profile#${section}`)
        await page.getByRole('region').first().waitFor()
        await page.locator('main li').last().waitFor()
        await expectNoOverhang(page, width)
      }
      await page.context().close()
    },
  )
}

test('the chosen section of the profile is in view in its menu', slow, async () => {
  const page = await openWithLongNames(390)
  await page.goto(`${house.server.url}/profile#paymentmethods`)
  const chosen = page.locator('nav[aria-label="Profile sections"] [aria-current=page]')
  await chosen.getByText('Payment Methods').waitFor()
  await page.waitForFunction(() => {
    const box = document.querySelector('[aria-label="Profile sections"] [aria-current=page]')
    return box !== null && box.getBoundingClientRect().right <= innerWidth
  })
  await page.context().close()
})

async function openWithLongNames(width: number): Promise<Page> {
  const { page, context } = await house.open('/terms', await house.server.user(), { width })
  const charge = { description: longName, amount_usd: -1, job_id: idOf(1) }
  await answer(context, 'GET /content', {
    json: { content: [{ ...contentOf(1, 'upload'), file_name: longName }], next_cursor: null },
  })
  await answer(context, 'GET /jobs', {
    json: { jobs: [{ ...jobOf(1, 'running'), content_name: longName }], next_cursor: null },
  })
  await answer(context, 'GET /user/billing-history', {
    json: { transactions: [transactionOf(1, charge)], next_cursor: null },
  })
  await answer(context, 'GET /user/payment-methods', {
    json: { paymentMethods: [cardOf(1, { is_default: true })] },
  })
  return page
}

async function expectNoOverhang(page: Page, width: number): Promise<void> {
  const [scroll, client] = await page.evaluate(() => {
    const root = document.documentElement
    return [root.scrollWidth, root.clientWidth] as const
  })
  assert.equal(scroll, client, `${new URL(page.url()).hash} at ${width} px`)
}
