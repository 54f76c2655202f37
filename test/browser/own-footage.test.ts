/** An editor's own footage in Chromium: what it costs, that it is charged once, how it fails. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { makeClip, makeSlateClip } from '../../engine/clips.testing.ts'
import type { TestUser } from '../support/app.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import type { Studio } from '../support/browser-job-app.ts'
import { frameOf } from '../support/review-page.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const clipSeconds = 10
const freeMicros = 5_000_000

describe('own footage', { timeout: 240_000 }, () => {
  const studio = use(openStudio)
  let clip: string
  let bytes: Buffer
  const shelf = use(() => startShelf(() => bytes))

  before(async () => {
    clip = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=160x90:rate=25:duration=${clipSeconds / 2}
        -f lavfi -i color=red:size=160x90:rate=25:duration=${clipSeconds / 2}
        -filter_complex [0][1]concat=n=2:v=1[v] -map [v]
        -c:v libx264 -preset ultrafast -movflags +faststart own.mp4`,
    )
    bytes = await readFile(clip)
  })

  async function openDashboard(user: TestUser): Promise<Page> {
    const storage = signedIn(user)
    return (await visit(studio.browser, `${studio.server.url}/dashboard`, { storage })).page
  }

  it(
    'a slate is read, charged, found by search, boxed in the picture and used as clip name',
    slow,
    async () => {
      const user = await studio.server.user()
      const content = await studio.upload(user, await makeSlateClip(studio.folder))
      const job = await studio.finish(user, content.id, 'thumbnail,text')
      assert.equal(job.cost_usd, 2 * (0.005 + 0.003))
      const { hits } = await user.client.search({ query: { q: '12A-3-B' } })
      assert.deepEqual(
        hits.map(({ kind, start_frame: frame }) => [kind, frame]),
        [['screen', 0]],
      )
      const address = `${studio.server.url}/jobs/${job.id}`
      const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
      const boxes = page.locator('[data-text-box]')
      // The first tab is shown, and with it the boxes.
      await boxes.nth(9).waitFor()
      await page.getByRole('tab', { name: 'Metadata' }).click()
      await boxes.first().waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'On-screen text 10' }).click()
      await boxes.nth(9).waitFor()
      const slate = page.getByRole('region', { name: 'Slate 12A-3-B' })
      await slate.getByText('A004', { exact: true }).waitFor()
      await slate.getByRole('button', { name: '00:00:01:05' }).click()
      assert.equal(await frameOf(page), 30)
      await slate.getByRole('button', { name: 'Use as clip name' }).click()
      await page.getByText('The clip is now called 12A-3-B.mov.').waitFor()
      const { content: renamed } = await user.client.getContent({ params: { id: content.id } })
      assert.equal(renamed.file_name, '12A-3-B.mov')
      await slate.getByRole('button', { name: 'Undo rename' }).click()
      await page.getByText('The clip is now called slate.mov.').waitFor()
      await close()
    },
  )

  it('an upload becomes a job for exactly the price that was shown, and again for nothing', async () => {
    const user = await studio.server.user()
    const page = await openDashboard(user)
    await balanceShown(page, '$5.00')
    await addFile(page, clip)

    const dialog = await openCreateJob(page)
    await dialog.getByLabel('From your library').selectOption({ label: 'own.mp4' })
    await dialog.getByText(`At most, for ${clipSeconds} s of media`).waitFor()
    // Everything but speech: the clip is silent.
    await dialog.getByText('$0.15', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: /^Shots/ }).click()
    await dialog.getByText('$0.09', { exact: true }).waitFor()
    await dialog.getByText('Your balance: $5.00').waitFor()
    await dialog.getByRole('checkbox', { name: /^Transcription/ }).check()
    // There is nothing to hear in it, and the price says so.
    await dialog.getByText('Transcription will be skipped (no audio). Not charged.').waitFor()
    await dialog.getByText('$0.09', { exact: true }).waitFor()
    await dialog.getByRole('checkbox', { name: /^Transcription/ }).uncheck()
    await dialog.getByRole('checkbox', { name: /^Thumbnails/ }).uncheck()
    await dialog.getByText('$0.04', { exact: true }).waitFor()
    await dialog.getByRole('checkbox', { name: /^Thumbnails/ }).check()
    await dialog.getByText('$0.09', { exact: true }).waitFor()

    const hold = studio.holdAt('analysis-over')
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await dialog.getByText('Job created').waitFor()
    // Who closes the dialog early stays here; else the job opens.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('region', { name: 'Recent Jobs' }).getByRole('listitem')
    await row.getByRole('progressbar', { name: 'Progress of own.mp4' }).waitFor()
    await hold.reached
    await barAbove(page, 'Progress of own.mp4', 0.5)
    // The maximum price of a running job is set aside.
    assert.deepEqual(await studio.balanceOf(user), { available: 4_910_000, held: 90_000 })
    await balanceShown(page, '$4.91')
    await row.getByRole('link').click()
    await page.getByRole('region', { name: 'Progress' }).getByText('at most $0.09').waitFor()
    hold.release()
    await page.getByText('completed', { exact: true }).waitFor()
    await page.getByText('Cost $0.09').waitFor()
    assert.deepEqual(await studio.balanceOf(user), { available: 4_910_000, held: 0 })
    assert.deepEqual(await captures(studio, user), [-90_000])
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await balanceShown(page, '$4.91')

    const again = await openCreateJob(page)
    await again.getByLabel('From your library').selectOption({ label: 'own.mp4' })
    await again.getByRole('button', { name: /^Shots/ }).click()
    await again.getByText('(results you already have are free)').waitFor()
    await again.getByText('$0.00', { exact: true }).waitFor()
    await again.getByRole('button', { name: 'Create Job' }).click()
    await page.waitForURL(/\/library\/[0-9a-f-]{36}\?job=[0-9a-f-]{36}$/)
    const { jobs: listed } = await user.client.listJobs({ query: { limit: 5 } })
    const jobs = await Promise.all(listed.map(({ id }) => studio.untilEnded(user, id)))
    assert.deepEqual(
      jobs.map((job) => [job.status, job.cost_usd]),
      [
        ['completed', 0],
        ['completed', 0.09],
      ],
    )
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await balanceShown(page, '$4.91')
    assert.deepEqual(await studio.balanceOf(user), { available: 4_910_000, held: 0 })
    assert.deepEqual(
      (await captures(studio, user)).filter((micros) => micros !== 0),
      [-90_000],
    )
    await page.context().close()
  })

  it(
    'with an empty library the job dialog takes the file itself, and then opens the job',
    slow,
    async () => {
      const user = await studio.server.user()
      const page = await openDashboard(user)
      const dialog = await openCreateJob(page)
      await dialog.getByText('Drop files here or browse').waitFor()
      await dialog.getByLabel('Content URL').waitFor()
      await dialog.locator('input[type=file]').setInputFiles(clip)
      const choice = dialog.getByLabel('From your library')
      await choice.waitFor()
      assert.equal(await choice.locator('option:checked').innerText(), 'own.mp4')
      await dialog.getByRole('button', { name: /^Shots/ }).click()
      await dialog.getByText('$0.09', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Create Job' }).click()
      await page.waitForURL(/\/library\/[0-9a-f-]{36}\?job=[0-9a-f-]{36}$/)
      await page.getByRole('tab', { name: /^Shots 2/ }).waitFor()
      await page.context().close()
    },
  )

  it('an address that stops answering fails for nothing, and a retry works', slow, async () => {
    const user = await studio.server.user()
    const page = await openDashboard(user)
    const dialog = await openCreateJob(page)
    await dialog.getByLabel('Content URL').fill(shelf.url)
    await dialog.getByRole('button', { name: /^Shots/ }).click()
    await dialog.getByText('$0.09', { exact: true }).waitFor()
    shelf.isBroken = true
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/)
    const ending = page.getByRole('region', { name: 'How it ended' })
    await ending.getByText('We could not fetch this address').waitFor()
    await ending.getByText('Nothing was charged.').waitFor()
    await page.waitForFunction(() => document.title.startsWith('✕'))
    assert.deepEqual(await studio.balanceOf(user), { available: freeMicros, held: 0 })

    shelf.isBroken = false
    const failed = page.url()
    await ending.getByRole('button', { name: 'Retry' }).click()
    await page.waitForURL((url) => url.href !== failed && url.pathname.startsWith('/jobs/'))
    await page.getByText('completed', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^Shots 2/ }).waitFor()
    assert.deepEqual(await studio.balanceOf(user), { available: 4_910_000, held: 0 })
    await page.context().close()
  })

  it('a part of a recording is analysed, for the price of that part', slow, async () => {
    const user = await studio.server.user()
    const content = await studio.upload(user, clip)
    const page = await openDashboard(user)
    const dialog = await openCreateJob(page)
    await dialog.getByLabel('From your library').selectOption({ label: 'own.mp4' })
    await dialog.getByRole('button', { name: /^Shots/ }).click()
    await dialog.getByText('Analyse a range').click()
    await dialog.getByLabel('To', { exact: true }).fill('soon')
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await dialog.getByText('Write 90, 1:30 or 1:02:03.').waitFor()
    await dialog.getByLabel('From', { exact: true }).fill('0:02')
    await dialog.getByLabel('To', { exact: true }).fill('5.5')
    const price = dialog.getByText('At most, for 4 s of media')
    await price.waitFor()
    // However low the window is, the price stands beside the button that spends it.
    await page.setViewportSize({ width: 1280, height: 520 })
    assert.ok(
      await price.evaluate((line) => {
        const { left, top, height } = line.getBoundingClientRect()
        return line.contains(document.elementFromPoint(left + 4, top + height / 2))
      }),
    )
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { jobs } = await user.client.listJobs({ query: { content_id: content.id } })
    const job = await studio.untilEnded(user, jobs[0]?.id ?? '')
    assert.deepEqual([job.status, job.in, job.out, job.cost_usd], ['completed', 2, 5.5, 0.036])
    await page.context().close()
  })

  it('a still is shown with what is known of it, without a player', slow, async () => {
    const user = await studio.server.user()
    const path = await makeClip(
      studio.folder,
      '-f lavfi -i testsrc2=size=160x90:duration=1 -frames:v 1 still.png',
    )
    const content = await studio.upload(user, path)
    const job = await studio.finish(user, content.id, 'ffprobe,thumbnail,shots,talking')
    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await page.getByRole('img', { name: 'A still of the footage' }).waitFor()
    assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Metadata', 'JSON'])
    assert.equal(await page.getByRole('button', { name: /Play|Select|EDL|Snap/ }).count(), 0)
    assert.equal(await page.getByRole('slider', { name: 'Playhead' }).count(), 0)
    const rail = page.getByRole('region', { name: 'What to find' })
    for (const name of ['Shot changes', 'People talking']) {
      const row = rail.getByRole('listitem').filter({ hasText: name })
      assert.match(await row.innerText(), /skipped[^]*No video. Not charged.[^]*\$0\.00/)
    }
    await close()
  })

  it('damaged media fails with its cause and the money back', slow, async () => {
    const user = await studio.server.user()
    const torn = join(studio.folder, 'torn.mp4')
    // The index is whole; every picture that it points to is gone.
    await writeFile(torn, Buffer.from(bytes).fill(0, bytes.indexOf('mdat') + 4))
    const content = await studio.upload(user, torn)
    const workflow = 'thumbnail,shots'
    const { job } = await user.client.createJob({ body: { content_id: content.id, workflow } })
    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    const ending = page.getByRole('region', { name: 'How it ended' })
    await ending.getByText('No picture of this media can be decoded.').waitFor()
    await ending.getByText('Nothing was charged.').waitFor()
    await ending.getByText(`name job ${job.id.slice(0, 8)}`).waitFor()
    // One way on, and nothing to press that does nothing.
    assert.equal(await page.getByRole('button', { name: /^(Retry|Re-run|Export)/ }).count(), 1)
    assert.deepEqual(await studio.balanceOf(user), { available: freeMicros, held: 0 })
    await close()
  })

  it('a running job is canceled, and only what had finished is paid', slow, async () => {
    const user = await studio.server.user()
    const content = await studio.upload(user, clip)
    // The first result is the metadata's; the worker stands still after it.
    const hold = studio.holdAt('result-kept')
    const { job } = await user.client.createJob({
      body: { content_id: content.id, workflow: 'ffprobe,thumbnail,shots' },
    })
    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await hold.reached
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('$0.01 so far').waitFor()
    const cancel = progress.getByRole('button', { name: 'Cancel' })
    const question = page.getByRole('alertdialog', { name: 'Cancel this job?' })
    await cancel.click()
    await question.getByRole('button', { name: 'Keep Running' }).click()
    await question.waitFor({ state: 'detached' })
    await cancel.click()
    await question.getByText('The rest of the $0.09 hold is returned.').waitFor()
    await question.getByRole('button', { name: 'Cancel Job' }).click()
    await page.getByText('cancelled', { exact: true }).waitFor()
    await page.getByText('Only finished extractors were charged.').waitFor()
    assert.deepEqual(await studio.balanceOf(user), { available: 4_990_000, held: 0 })
    hold.release()
    // The worker is free for the next one.
    const next = await studio.finish(user, content.id, 'shots')
    assert.equal(next.status, 'completed')
    await close()
  })
})

async function balanceShown(page: Page, figure: string): Promise<void> {
  await page.getByLabel('Account').getByText(figure, { exact: true }).waitFor()
}

async function addFile(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Content' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  await dialog.locator('input[type=file]').setInputFiles(path)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Upload complete').waitFor()
  await dialog.waitFor({ state: 'detached' })
}

async function openCreateJob(page: Page) {
  await page.getByRole('button', { name: 'Create Job' }).first().click()
  return page.getByRole('dialog', { name: 'Create Job' })
}

async function barAbove(page: Page, label: string, minPercent: number): Promise<void> {
  await page.waitForFunction(
    ({ label, minPercent }) => {
      const bar = document.querySelector<HTMLProgressElement>(`progress[aria-label="${label}"]`)
      return bar !== null && bar.value > minPercent
    },
    { label, minPercent },
  )
}

/** Amounts that the ledger took from the account, oldest first. */
async function captures(studio: Studio, user: TestUser): Promise<number[]> {
  const { rows } = await sql<{ amount_micros: string }>`
    select amount_micros from ledger_transactions
    where account_id = ${user.accountId} and kind = 'capture' order by seq`.execute(
    studio.server.ctx.db,
  )
  return rows.map((row) => Number(row.amount_micros))
}

/** Somebody else's server, which can fail. */
async function startShelf(file: () => Buffer) {
  const { url, stop } = await startHttp((_request, response) => {
    if (shelf.isBroken) response.writeHead(503).end()
    else response.writeHead(200, { 'content-type': 'video/mp4' }).end(file())
  })
  const shelf = { url: `${url}/own.mp4`, isBroken: false, stop }
  return shelf
}
