/** Uploads that stop half-way, go on behind other screens, or are dropped onto a page. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { slow } from '../support/slow.ts'
import { choose, library, openUploadRoom, slowDown, waitForShare } from '../support/upload-room.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

describe('uploads that are interrupted, hidden or dropped', slow, () => {
  const room = use(openUploadRoom)

  test('of several files, those that did not arrive stay listed with the reason, to be sent again', async () => {
    const user = await room.server.user()
    const { page, close } = await room.openDashboard(user)
    const twice = await room.fileOf('known.txt', randomBytes(2000))
    const first = await choose(page, twice)
    await first.getByRole('button', { name: 'Upload', exact: true }).click()
    await first.waitFor({ state: 'hidden' })
    const unlucky = '**/v1/content/upload'
    let isHidden = Promise.resolve()
    await page.route(unlucky, async (route) => {
      if (!route.request().postDataBuffer()?.includes('broken.txt')) return route.continue()
      await isHidden
      return route.abort()
    })
    const broken = await room.fileOf('broken.txt', randomBytes(50))
    const dialog = await choose(page, [
      broken,
      await room.fileOf('whole.txt', randomBytes(60)),
      twice,
    ])
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    const rows = dialog.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')
    await rows.first().getByText('Network error.').waitFor()
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.split('\n').slice(0, 3).filter(Boolean)),
      [
        ['broken.txt', 'Network error. Please check your connection and try again.'],
        ['known.txt', 'This file already exists in your library'],
      ],
    )
    // One that is given up goes; the others keep their reasons.
    await dialog.getByRole('button', { name: 'Remove known.txt' }).click()
    assert.equal(await rows.count(), 1)
    await rows.first().getByText('Network error.').waitFor()
    // Elsewhere on the screens they stay too, until they are sent or dismissed.
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await rows.first().getByText('Network error.').waitFor()
    await page.keyboard.press('Escape')
    const hiding = Promise.withResolvers<void>()
    isHidden = hiding.promise
    await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['broken.txt, dropped'], 'dropped.txt', { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true, dataTransfer: files }
      document.body.dispatchEvent(new DragEvent('drop', options))
    })
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await dialog.waitFor({ state: 'detached' })
    hiding.resolve()
    const bar = page.getByRole('region', { name: 'Upload', exact: true })
    await bar.getByText('Not uploaded').waitFor()
    await page.unroute(unlucky)
    await bar.getByRole('button', { name: 'Try Again' }).click()
    await library(page).getByText('dropped.txt').waitFor()
    const { content } = await user.client.listContent({ query: {} })
    assert.deepEqual(content.map((item) => item.file_name).toSorted(), [
      'dropped.txt',
      'known.txt',
      'whole.txt',
    ])
    await close()
  })

  test('a hidden upload goes on from screen to screen, and closing the tab is asked about', async () => {
    const user = await room.server.user()
    const { page, close } = await room.openDashboard(user)
    const path = await room.fileOf('travels.bin', randomBytes(12 * 1024 ** 2))
    await slowDown(page, 1024 ** 2)
    const dialog = await choose(page, path)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await waitForShare(page, 5)
    const bar = page.getByRole('region', { name: 'Upload', exact: true })
    assert.equal(await bar.count(), 0)
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await dialog.waitFor({ state: 'detached' })
    await bar.getByText('travels.bin').waitFor()
    await page.getByRole('link', { name: 'Profile' }).first().click()
    await page.getByRole('region', { name: 'Account Info' }).waitFor()
    await bar.getByRole('progressbar', { name: 'Uploading travels.bin' }).waitFor()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    assert.equal((await asked).type(), 'beforeunload')
    await (await asked).dismiss()
    await slowDown(page, -1)
    await page.getByText('Your files are in your library').waitFor()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await library(page).getByText('travels.bin').waitFor()
    await close()
  })

  test('a hidden upload can be canceled, and a file dropped meanwhile goes beside it', async () => {
    const user = await room.server.user()
    const { page, close } = await room.openDashboard(user)
    await slowDown(page, 1024 ** 2)
    const dialog = await choose(page, await room.fileOf('first.bin', randomBytes(12 * 1024 ** 2)))
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await waitForShare(page, 5)
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['next'], 'next.txt', { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true, dataTransfer: files }
      document.body.dispatchEvent(new DragEvent('drop', options))
    })
    await dialog.getByText('1 of 2 done.').waitFor()
    await page.keyboard.press('Escape')
    const bar = page.getByRole('region', { name: 'Upload', exact: true })
    await bar.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Upload was cancelled').waitFor()
    await bar.waitFor({ state: 'detached' })
    const { content } = await user.client.listContent({ query: {} })
    assert.deepEqual(
      content.map((item) => item.file_name),
      ['next.txt'],
    )
    await close()
  })

  test('three files are sent at a time, and the bar is as full as their bytes', async () => {
    const { page, close } = await room.openDashboard(await room.server.user())
    const held: (() => void)[] = []
    await page.route('**/v1/content/upload', async (route) => {
      await new Promise<void>((resolve) => {
        held.push(resolve)
      })
      return route.continue()
    })
    const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt']
    const files = names.map((name, index) => room.fileOf(name, randomBytes(1000 + index)))
    const dialog = await choose(page, await Promise.all(files))
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await until(() => Promise.resolve(held.length), 3)
    await dialog.getByText('0 of 5 done. Uploading... 0 B of 4.9 KB').waitFor()
    held[0]?.()
    await dialog.getByText('1 of 5 done. Uploading... 1000 B of 4.9 KB').waitFor()
    const bar = dialog.getByRole('progressbar', { name: 'Uploading 5 files' })
    const full = await bar.evaluate((element) => (element as HTMLProgressElement).position)
    assert.ok(Math.abs(full - 1000 / 5010) < 1e-9, String(full))
    await dialog.getByText('19%').waitFor()
    await until(() => Promise.resolve(held.length), 4)
    // One word for all that are given up together.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Upload was cancelled').waitFor()
    await dialog.getByRole('button', { name: 'Upload', exact: true }).waitFor()
    assert.equal(await page.getByText('Upload was cancelled').count(), 1)
    await close()
  })

  test('the bar stays full while the service reads what has arrived', async () => {
    const { page, close } = await room.openDashboard(await room.server.user())
    const dialog = await choose(page, await room.fileOf('read.bin', randomBytes(3 * 1024 ** 2)))
    const seen = await page.evaluateHandle(() => {
      const positions: number[] = []
      const look = () => {
        const [shown, bar] = [document.querySelector('[role=dialog]'), 'progress']
        const element = shown?.querySelector<HTMLProgressElement>(bar)
        if (element && shown?.textContent.includes('Reading file')) positions.push(element.position)
      }
      const all = { subtree: true, childList: true, characterData: true, attributes: true }
      new MutationObserver(look).observe(document.body, all)
      return positions
    })
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await library(page).getByText('read.bin').waitFor()
    assert.deepEqual([...new Set(await seen.jsonValue())], [1])
    await close()
  })

  test('a large file goes on after a lost connection and after a closed tab', async () => {
    const user = await room.server.user()
    const bytes = randomBytes(72 * 1024 ** 2)
    const path = await room.fileOf('rushes.bin', bytes)
    const { page, context, close } = await room.openDashboard(user)
    await slowDown(page, 6 * 1024 ** 2)
    const first = await choose(page, path)
    await first.getByRole('button', { name: 'Upload', exact: true }).click()
    await waitForShare(page, 15)
    room.line.cut()
    await page.getByText('Connection lost').waitFor()
    room.line.restore()
    await waitForShare(page, 30)
    await page.close()
    const again = await context.newPage()
    await again.goto(`${room.server.url}/dashboard`)
    const dialog = await choose(again, path)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    await dialog.getByText('Upload complete').waitFor({ timeout: 60_000 })
    await library(again).getByText('rushes.bin').waitFor()
    const rows = await room.server.ctx.db
      .selectFrom('content_resumables')
      .select('id')
      .where('account_id', '=', user.accountId)
      .execute()
    assert.equal(rows.length, 1, 'one upload from the first byte to the last')
    const item = await room.server.ctx.db
      .selectFrom('content')
      .select('sha256')
      .where('account_id', '=', user.accountId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(item.sha256, createHash('sha256').update(bytes).digest())
    await close()
  })

  test('a file dropped anywhere is uploaded', async () => {
    const { page, close } = await room.openDashboard(await room.server.user())
    await library(page).getByText('No content yet').waitFor()
    await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true, dataTransfer: files }
      document.body.dispatchEvent(new DragEvent('dragenter', options))
    })
    await page.getByText('Drop to add to your library').waitFor()
    await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true, dataTransfer: files }
      document.body.dispatchEvent(new DragEvent('drop', options))
    })
    await library(page).getByText('dropped.txt').waitFor()
    await close()
  })
})
