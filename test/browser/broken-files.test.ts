/** Files that arrive and cannot be read, and what cameras write beside their clips. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { useHouse } from '../support/browser-app.ts'
import type { TestUser } from '../support/app.ts'
import { until } from '../support/until.ts'

const house = useHouse()
const damaged = 'This file is damaged or incomplete. Copy it from the card again, then retry.'
const sidecarNames = ['C0001M01.XML', 'GX010001.THM', 'GL010001.LRV', 'C0001.BIM', 'C0001.SMI']

const files = () => [
  { name: 'A001.mp4', mimeType: 'video/mp4', buffer: randomBytes(5000) },
  { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Scene 1, take 3.') },
  ...sidecarNames.map((name) => ({
    name,
    mimeType: 'application/xml',
    buffer: Buffer.from(`<?xml version="1.0"?><Clip name="${name}"/>`),
  })),
]

async function names(user: TestUser, query: { analysed?: 'failed' } = {}): Promise<string[]> {
  const { content } = await user.client.listContent({ query })
  return content.map((item) => item.file_name).toSorted()
}

test('a file that cannot be read is named with its cause, sent again or removed, and not green', async () => {
  const user = await house.server.user()
  const { page, problems, close } = await house.open('/dashboard', user)
  await page.getByRole('button', { name: 'Add Content' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  await dialog.locator('input[type=file]').setInputFiles(files())
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const rows = dialog.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')
  await page.getByText('5 camera files left out').waitFor()
  await rows.getByText(damaged).waitFor()
  assert.equal(await rows.count(), 1)
  assert.equal(await page.getByText('Upload complete').count(), 0)
  assert.deepEqual(await names(user), ['A001.mp4', 'note.txt'])
  assert.deepEqual(await names(user, { analysed: 'failed' }), ['A001.mp4'])

  // Sent again it takes the place of what could not be read.
  const [before] = (await user.client.listContent({ query: { q: 'A001' } })).content
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await until(
    async () => (await user.client.listContent({ query: { q: 'A001' } })).content[0]?.id,
    (id) => id !== undefined && id !== before?.id,
  )
  await rows.getByText(damaged).waitFor()
  assert.deepEqual(await names(user), ['A001.mp4', 'note.txt'])
  await dialog.getByRole('button', { name: 'Remove A001.mp4' }).click()
  await until(
    () => names(user),
    (left) => left.length === 1,
  )
  assert.deepEqual(await names(user), ['note.txt'])
  assert.deepEqual(problems, [])
  await close()
})

test('the library counts it as failed, on its card and in its filter', async () => {
  const user = await house.server.user()
  const { page, problems, close } = await house.open('/library', user, { width: 1440, height: 900 })
  await page.getByText('Drop files, or paste a link').waitFor()
  await dropOn(page, ['B001.mov', 'C0001M01.XML'])
  const card = page.getByRole('listitem', { name: 'B001.mov' })
  await card.getByText('Can’t be read').waitFor()
  await card.getByText(damaged).waitFor()
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText('1 failed', { exact: true })
    .waitFor()
  await page.getByText('1 file failed: see the cards.').waitFor()
  await page.getByRole('navigation', { name: 'Projects' }).getByText('Failed').click()
  await page.waitForURL(/analysed=failed/)
  await page.getByRole('gridcell').filter({ hasText: 'B001.mov' }).waitFor()
  await card.getByRole('button', { name: 'Remove B001.mov' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('gridcell').filter({ hasText: 'B001.mov' }).waitFor({ state: 'detached' })
  assert.deepEqual(await names(user), [])
  assert.deepEqual(problems, [])
  await close()
})

async function dropOn(page: Page, paths: readonly string[]): Promise<void> {
  await page.evaluate((list) => {
    const data = new DataTransfer()
    for (const name of list) data.items.add(new File([`${name}: no picture`], name))
    const options = { bubbles: true, cancelable: true, dataTransfer: data }
    document.body.dispatchEvent(new DragEvent('drop', options))
  }, paths)
}
