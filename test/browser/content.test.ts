/** Files and addresses come into the library from the dashboard. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Download } from 'playwright-core'
import {
  choose,
  library,
  openUpload,
  openUploadRoom,
  slowDown,
  waitForShare,
} from '../support/upload-room.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const room = use(openUploadRoom)

test('a file is uploaded with its progress, and the dialog closes by itself (§2 Dashboard, §7)', async () => {
  const user = await room.server.user()
  const { page, problems, close } = await room.openDashboard(user)
  await library(page).getByText('No content yet').waitFor()
  const dialog = await choose(page, await room.fileOf('notes.txt', Buffer.from('Scene 1, take 2')))
  await dialog.getByText('15 B').waitFor()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Upload complete').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await library(page).getByText('notes.txt').waitFor()
  assert.match(await library(page).getByRole('listitem').innerText(), /1 page · 15 B/)
  assert.deepEqual(problems, [])
  await close()
})

test('an upload without a file is refused with the words of the specification (§5)', async () => {
  const { page, close } = await room.openDashboard(await room.server.user())
  const dialog = await openUpload(page)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const toast = page.locator('[data-toast=error]')
  assert.match(await toast.innerText(), /No File Selected\s+Please select a file first/)
  await close()
})

test('a duplicate is shown as a warning (§2 Global, §8)', slow, async () => {
  const user = await room.server.user()
  const { page, close } = await room.openDashboard(user)
  const path = await room.fileOf('twice.txt', randomBytes(2000))
  for (let time = 0; time < 2; time += 1) {
    const dialog = await choose(page, path)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    if (time === 0) await dialog.waitFor({ state: 'hidden' })
  }
  const toast = page.locator('[data-toast=warning]')
  assert.match(await toast.innerText(), /Duplicate File\s+This file already exists in your library/)
  await close()
})

test('a running upload shows its percent and can be canceled (§4, §8)', async () => {
  const user = await room.server.user()
  const { page, close } = await room.openDashboard(user)
  const path = await room.fileOf('large.bin', randomBytes(4 * 1024 ** 2))
  await slowDown(page, 256 * 1024)
  const dialog = await choose(page, path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForShare(page, 5)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const toast = page.locator('[data-toast=info]')
  assert.match(await toast.innerText(), /Upload was cancelled/)
  assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
  await close()
})

test('a lost connection is shown with the words of the specification (§8)', async () => {
  const { page, close } = await room.openDashboard(await room.server.user())
  const path = await room.fileOf('lost.bin', randomBytes(4 * 1024 ** 2))
  await slowDown(page, 256 * 1024)
  const dialog = await choose(page, path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForShare(page, 5)
  room.line.cut()
  const toast = page.locator('[data-toast=error]')
  assert.match(
    await toast.innerText(),
    /Upload Failed\s+Network error. Please check your connection and try again./,
  )
  room.line.restore()
  await close()
})

test('an address is added, and a second time it is a duplicate (§2 Dashboard, §5, §8)', async (t) => {
  const media = await startHttp((_request, response) => response.end('a transcript'))
  t.after(() => media.stop())
  const url = `${media.url}/transcript.txt`
  const { page, close } = await room.openDashboard(await room.server.user())
  const add = async (address: string, name: string): Promise<void> => {
    const dialog = await openUpload(page)
    await dialog.getByRole('tab', { name: 'Add URL Reference' }).click()
    await dialog.getByLabel('URL', { exact: true }).fill(address)
    await dialog.getByLabel('Name (optional)').fill(name)
    await dialog.getByRole('button', { name: 'Add URL' }).click()
  }
  await add(url, '  Interview  ')
  await library(page).getByText('Interview').waitFor()
  assert.equal(
    await library(page)
      .getByRole('button', { name: /Download/ })
      .count(),
    0,
  )
  await add(url, '')
  const warning = page.locator('[data-toast=warning]')
  assert.match(await warning.innerText(), /Duplicate URL\s+This URL already exists in your library/)
  await page.keyboard.press('Escape')
  await add('   ', '')
  const error = page.locator('[data-toast=error]')
  assert.match(await error.innerText(), /Please enter a URL/)
  // A refusal is marked where it can be corrected.
  const field = page.getByRole('dialog').getByLabel('URL', { exact: true })
  await field.fill('interview.mov')
  await field.press('Enter')
  await page.getByText('Please enter a full URL that begins with http:// or https://.').waitFor()
  await page.getByText('Check the URL.').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await close()
})

test('an upload is downloaded in a new tab and deleted after a question (§2 Dashboard, §5, §7)', async () => {
  const user = await room.server.user()
  const { page, context, close } = await room.openDashboard(user)
  const bytes = randomBytes(3000)
  const dialog = await choose(page, await room.fileOf('Übersicht.bin', bytes))
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const row = library(page).getByRole('listitem')
  // The tab is there for the download alone, which can begin at once.
  const downloading = new Promise<Download>((resolve) => {
    context.once('page', (tab) => tab.once('download', resolve))
  })
  await row.getByRole('button', { name: /^Download/ }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'Übersicht.bin')
  assert.deepEqual(await buffer(await download.createReadStream()), bytes)
  await row.getByRole('button', { name: /^Delete/ }).click()
  const question = page.getByRole('alertdialog')
  await question
    .getByText('Are you sure you want to delete this content? This action cannot be undone.')
    .waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await library(page).getByText('No content yet').waitFor()
  await close()
})

test('no script of an uploaded file or of its name ever runs', async () => {
  const user = await room.server.user()
  const script = 'document.title = "owned"; alert("owned")'
  const files: [string, string][] = [
    ['page.html', `<!doctype html><script>${script}</script>`],
    ['picture.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'></svg>`],
    ['form.pdf', '%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'],
    ['page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`],
    ['<img src=x onerror="alert(1)">.txt', 'a'],
    ['"><script>alert(1)<\u2215script>.txt', 'b'],
    ["'-alert(1)-'.txt", 'c'],
    ['{{constructor.constructor("alert(1)")()}}.txt', 'd'],
  ]
  const ids: string[] = []
  for (const [name, text] of files) {
    const form = new FormData()
    form.set('file', new Blob([text], { type: 'text/html' }), name)
    const response = await room.server.fetch('/v1/content/upload', {
      method: 'POST',
      token: user.token,
      body: form,
    })
    ids.push(((await response.json()) as { content: { id: string } }).content.id)
  }
  const { page, context, close } = await room.openDashboard(user)
  let ran = 0
  context.on('dialog', (dialog) => {
    ran += 1
    void dialog.dismiss()
  })
  for (const [name] of files) await library(page).getByText(name, { exact: true }).waitFor()
  for (const id of ids) {
    const { url } = await user.client.createDownloadTicket({ params: { id } })
    const tab = await context.newPage()
    const download = tab.waitForEvent('download')
    await tab.goto(url).catch(() => undefined)
    await download
    assert.notEqual(await tab.title(), 'owned')
    // Embedded where attachments do not help, the sandbox and the missing frame rights do.
    await page.evaluate((address) => {
      for (const tag of ['iframe', 'img', 'object', 'embed'] as const) {
        const element = document.createElement(tag)
        element.setAttribute(tag === 'object' ? 'data' : 'src', address)
        document.body.append(element)
      }
    }, url)
    await tab.close()
  }
  await page.waitForTimeout(500)
  assert.equal(ran, 0)
  await close()
})
