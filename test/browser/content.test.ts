import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Browser, Download, Page } from 'playwright-core'
import { startLine } from '../support/throttled-socket.ts'
import type { Line } from '../support/throttled-socket.ts'
import { freePort, startTestServer } from '../support/app.ts'
import type { TestServer, TestUser } from '../support/app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from '../support/browser.ts'
import type { Visit } from '../support/browser.ts'
import { slow } from '../support/slow.ts'

let server: TestServer
let browser: Browser
let folder: string
/** What the browser and the service talk over. */
let line: Line

before(async () => {
  const port = await freePort()
  line = await startLine(port)
  server = await startTestServer({
    port,
    environment: { PUBLIC_URL: `http://localhost:${line.port}` },
  })
  browser = await launchBrowser()
  folder = await mkdtemp(join(tmpdir(), 'cutindex-browser-'))
})
after(async () => {
  await closeBrowser(browser)
  await line?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function openDashboard(user: TestUser): Promise<Visit> {
  return visit(browser, `${server.url}/dashboard`, { storage: signedIn(user) })
}

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

function library(page: Page) {
  return page.getByRole('region', { name: 'My Content' })
}

async function openUpload(page: Page) {
  await library(page).getByRole('button', { name: 'Add Content' }).click()
  return page.getByRole('dialog', { name: 'Add Content' })
}

async function choose(page: Page, path: string | string[]) {
  const dialog = await openUpload(page)
  await dialog.locator('input[type=file]').setInputFiles(path)
  return dialog
}

/** Slows the line down, so that an upload can be watched and broken. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

async function waitForShare(page: Page, percent: number): Promise<void> {
  await page.waitForFunction((least) => {
    const shown = /(\d+)%/.exec(document.querySelector('[role=dialog]')?.textContent ?? '')?.[1]
    return Number(shown ?? 0) >= least
  }, percent)
}

test('a file is uploaded with its progress, and the dialog closes by itself (§2 Dashboard, §7)', async () => {
  const user = await server.user()
  const { page, problems, close } = await openDashboard(user)
  await library(page).getByText('No content yet').waitFor()
  const dialog = await choose(page, await fileOf('notes.txt', Buffer.from('Scene 1, take 2')))
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
  const { page, close } = await openDashboard(await server.user())
  const dialog = await openUpload(page)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const toast = page.locator('[data-toast=error]')
  assert.match(await toast.innerText(), /No File Selected\s+Please select a file first/)
  await close()
})

test('a duplicate is shown as a warning (§2 Global, §8)', async () => {
  const user = await server.user()
  const { page, close } = await openDashboard(user)
  const path = await fileOf('twice.txt', randomBytes(2000))
  for (let time = 0; time < 2; time += 1) {
    const dialog = await choose(page, path)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    if (time === 0) await dialog.waitFor({ state: 'hidden' })
  }
  const toast = page.locator('[data-toast=warning]')
  assert.match(await toast.innerText(), /Duplicate File\s+This file already exists in your library/)
  await close()
})

test(
  'of several files, those that did not arrive stay listed with the reason, to be sent again',
  slow,
  async () => {
    const user = await server.user()
    const { page, close } = await openDashboard(user)
    const twice = await fileOf('known.txt', randomBytes(2000))
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
    const broken = await fileOf('broken.txt', randomBytes(50))
    const dialog = await choose(page, [broken, await fileOf('whole.txt', randomBytes(60)), twice])
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
  },
)

test('a running upload shows its percent and can be canceled (§4, §8)', async () => {
  const user = await server.user()
  const { page, close } = await openDashboard(user)
  const path = await fileOf('large.bin', randomBytes(20 * 1024 ** 2))
  await slowDown(page, 1024 ** 2)
  const dialog = await choose(page, path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForShare(page, 5)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const toast = page.locator('[data-toast=info]')
  assert.match(await toast.innerText(), /Upload was cancelled/)
  assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
  await close()
})

test(
  'a hidden upload goes on from screen to screen, and closing the tab is asked about',
  slow,
  async () => {
    const user = await server.user()
    const { page, close } = await openDashboard(user)
    const path = await fileOf('travels.bin', randomBytes(12 * 1024 ** 2))
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
  },
)

test(
  'a hidden upload can be canceled, and files dropped meanwhile come after it',
  slow,
  async () => {
    const user = await server.user()
    const { page, close } = await openDashboard(user)
    await slowDown(page, 1024 ** 2)
    const dialog = await choose(page, await fileOf('first.bin', randomBytes(12 * 1024 ** 2)))
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
    await dialog.getByText('File 1 of 2.').waitFor()
    await page.keyboard.press('Escape')
    const bar = page.getByRole('region', { name: 'Upload', exact: true })
    await bar.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Upload was cancelled').waitFor()
    await bar.waitFor({ state: 'detached' })
    assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
    await close()
  },
)

test('a lost line is shown with the words of the specification (§8)', async () => {
  const { page, close } = await openDashboard(await server.user())
  const path = await fileOf('lost.bin', randomBytes(20 * 1024 ** 2))
  await slowDown(page, 1024 ** 2)
  const dialog = await choose(page, path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForShare(page, 5)
  line.cut()
  const toast = page.locator('[data-toast=error]')
  assert.match(
    await toast.innerText(),
    /Upload Failed\s+Network error. Please check your connection and try again./,
  )
  line.mend()
  await close()
})

test('a large file goes on after a lost line and after a closed tab', slow, async () => {
  const user = await server.user()
  const bytes = randomBytes(72 * 1024 ** 2)
  const path = await fileOf('rushes.bin', bytes)
  const { page, context, close } = await openDashboard(user)
  await slowDown(page, 6 * 1024 ** 2)
  const first = await choose(page, path)
  await first.getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForShare(page, 15)
  line.cut()
  await page.getByText('Connection lost').waitFor()
  line.mend()
  await waitForShare(page, 30)
  await page.close()
  const again = await context.newPage()
  await again.goto(`${server.url}/dashboard`)
  const dialog = await choose(again, path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Upload complete').waitFor({ timeout: 60_000 })
  await library(again).getByText('rushes.bin').waitFor()
  const rows = await server.ctx.db
    .selectFrom('content_resumables')
    .select('id')
    .where('account_id', '=', user.accountId)
    .execute()
  assert.equal(rows.length, 1, 'one upload from the first byte to the last')
  const item = await server.ctx.db
    .selectFrom('content')
    .select('sha256')
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(item.sha256, createHash('sha256').update(bytes).digest())
  await close()
})

test('a file dropped anywhere is uploaded', slow, async () => {
  const { page, close } = await openDashboard(await server.user())
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

test('an address is added, and a second time it is a duplicate (§2 Dashboard, §5, §8)', async (t) => {
  const media = createServer((_request, response) => response.end('a transcript'))
  await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve))
  t.after(() => media.close())
  const url = `http://127.0.0.1:${(media.address() as AddressInfo).port}/transcript.txt`
  const { page, close } = await openDashboard(await server.user())
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
  // What the service refuses is marked where it can be mended.
  const field = page.getByRole('dialog').getByLabel('URL', { exact: true })
  await field.fill('interview.mov')
  await field.press('Enter')
  await page.getByText('Please enter a full URL that begins with http:// or https://.').waitFor()
  await page.getByText('Check the URL.').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await close()
})

test('an upload is downloaded in a new tab and deleted after a question (§2 Dashboard, §5, §7)', async () => {
  const user = await server.user()
  const { page, context, close } = await openDashboard(user)
  const bytes = randomBytes(3000)
  const dialog = await choose(page, await fileOf('Übersicht.bin', bytes))
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
  const user = await server.user()
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
    const response = await server.fetch('/v1/content/upload', {
      method: 'POST',
      token: user.token,
      body: form,
    })
    ids.push(((await response.json()) as { content: { id: string } }).content.id)
  }
  const { page, context, close } = await openDashboard(user)
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
