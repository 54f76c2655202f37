/** Scrollbars that take room, as on Windows and on a Mac with a mouse. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { barsInRows } from '../support/axe.ts'
import { useHouse } from '../support/browser-app.ts'

const house = useHouse()
const widths = [1280, 1366, 1440, 1600, 1920]

test('scrollbars that take room stand in no row of tabs, and hide no lane of a review', async () => {
  const user = await house.server.user()
  // It has every kind of finding, and so every tab and every lane.
  const { content } = await user.client.addSample()
  const workflow = extractorIds.join(',')
  const { job } = await user.client.createJob({ body: { content_id: content.id, workflow } })
  const { page, close } = await house.open(`/jobs/${job.id}`, user, {
    height: 900,
    scrollbars: 'classic',
  })
  await page.locator('[data-lane="selects"]').waitFor()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await barsInRows(page), [], `${width} wide`)
    const hidden = await page.evaluate(() =>
      [...document.querySelectorAll('[data-lane]')]
        .filter((lane) => lane.getBoundingClientRect().bottom > innerHeight)
        .map((lane) => lane.textContent),
    )
    assert.deepEqual(hidden, [], `lanes at ${width} × 900`)
  }
  await close()
})

test('nor in a row of the dashboard, Add Content, the library and the landing page', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/dashboard', user, { scrollbars: 'classic' })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    assert.deepEqual(await barsInRows(page), [], `dashboard, ${width} wide`)
  }
  await page.getByRole('button', { name: 'Add Content' }).first().click()
  await page.getByRole('dialog', { name: 'Add Content' }).waitFor()
  assert.deepEqual(await barsInRows(page), [], 'Add Content')
  for (const path of ['/library', '/profile', '/search?q=cut', '/docs']) {
    await page.goto(`${house.server.url}${path}`)
    await page.locator('h1').first().waitFor()
    assert.deepEqual(await barsInRows(page), [], path)
  }
  await close()
  const guest = await house.open('/', undefined, { scrollbars: 'classic' })
  const file = guest.page.getByRole('region', { name: 'Exported file' })
  for (const width of widths) {
    await guest.page.setViewportSize({ width, height: 800 })
    assert.deepEqual(await barsInRows(guest.page), [], `landing, ${width} wide`)
    const bars = await file.evaluate((box: HTMLElement) => [
      box.offsetWidth - box.clientWidth,
      box.offsetHeight - box.clientHeight,
    ])
    assert.deepEqual(bars, [0, 0], `bars of the exported file, ${width} wide`)
  }
  await guest.close()
})
