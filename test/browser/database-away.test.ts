import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeBrowser, launchBrowser, signedIn, visit } from '../support/browser.ts'
import { startOnLine } from '../support/cut-database.ts'

test('a page says that the service does not answer, and goes on by itself', async (t) => {
  const { server, line, stop } = await startOnLine()
  const browser = await launchBrowser()
  t.after(async () => {
    await closeBrowser(browser)
    await stop()
  })
  const user = await server.user()
  const storage = signedIn(user)
  const { page, close } = await visit(browser, `${server.url}/terms`, { storage })
  line.cut()
  await page.goto(`${server.url}/dashboard`)
  const notice = page.getByText('Nothing is lost; this page goes on by itself')
  await notice.waitFor()
  line.restore()
  await notice.waitFor({ state: 'detached' })
  await page.getByText('No content yet').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await close()
})
