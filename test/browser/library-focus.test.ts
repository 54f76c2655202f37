/** Where the keyboard is in the library: it never falls out of the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import type { TestUser } from '../support/app.ts'
import { useHouse } from '../support/browser-app.ts'
import { until } from '../support/until.ts'
import { slow } from '../support/slow.ts'

const house = useHouse()

async function owner(count: number): Promise<TestUser> {
  const user = await house.server.user()
  await sql`
    insert into content (account_id, content_type, file_name, canonical_url, check_state,
      created_at, last_used_at)
    select ${user.accountId}, 'url', 'Clip ' || to_char(n, 'FM000') || '.mov',
      'https://example.com/' || n, 'ready', now() - n * interval '1 second', now()
    from generate_series(1, ${count}::int) n`.execute(house.server.ctx.db)
  return user
}

const clip = (page: Page, number: number) =>
  page
    .locator('[data-clip]')
    .filter({ has: page.getByTitle(`Clip ${String(number).padStart(3, '0')}.mov`) })

/** The focused element: the name of a clip, else its tag. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document
    const name = activeElement?.matches('[data-clip]')
      ? activeElement.querySelector('[title^="Clip"]')?.getAttribute('title')
      : null
    return name ?? activeElement?.localName ?? ''
  })
}

test('a clip keeps the focus through End, the wheel, a rename and a filter', async () => {
  const { page, problems, close } = await house.open(
    '/library?sort=name&order=asc',
    await owner(45),
  )
  await clip(page, 1).click()
  await page.keyboard.press('End')
  await until(() => focused(page), 'Clip 045.mov')
  await page.keyboard.press('Home')
  await until(() => focused(page), 'Clip 001.mov')
  await page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo(0, 3000))
  await clip(page, 44).waitFor()
  assert.equal(await focused(page), 'Clip 001.mov')
  assert.equal(await page.locator('[data-clip][tabindex="0"]').count(), 1)
  await page.keyboard.press('End')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: /^New name/ }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await focused(page), 'Clip 045.mov')
  await page.keyboard.press('Escape')
  await page.getByLabel('Search clips by name').fill('Clip 00')
  await clip(page, 10).waitFor({ state: 'detached' })
  assert.equal(await page.locator('[data-clip][tabindex="0"]').count(), 1)
  await page.goto(`${house.server.url}/library?view=list&sort=name&order=asc`)
  await page.setViewportSize({ width: 1024, height: 700 })
  const row = clip(page, 1)
  assert.equal(await row.getAttribute('aria-rowindex'), '1')
  const name = await row.getByTitle('Clip 001.mov').boundingBox()
  assert.ok((name?.width ?? 0) > 100, `the name is ${name?.width} px wide`)
  assert.deepEqual(problems, [])
  await close()
})

test(
  'no key acts behind a question that is being answered, and the next clip has the focus',
  slow,
  async () => {
    const { page, context, close } = await house.open(
      '/library?sort=name&order=asc',
      await owner(4),
    )
    let answer = (): void => undefined
    await context.route('**/v1/content/delete', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    })
    await clip(page, 2).click()
    await page.keyboard.press('Delete')
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete' }).focus()
    const asked = page.waitForRequest('**/v1/content/delete')
    await page.keyboard.press('Enter')
    await asked
    await question.locator('[aria-busy=true]').waitFor()
    assert.equal(await focused(page), 'button')
    await page.keyboard.press('Enter')
    for (const key of ['u', 'x', '?']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    answer()
    await clip(page, 2).waitFor({ state: 'detached' })
    await question.waitFor({ state: 'detached' })
    await until(() => focused(page), 'Clip 003.mov')
    await close()
  },
)
