/** The library: a card of clips, one confirmation, then renamed, moved and filtered. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { sql } from 'kysely'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import type { Studio } from '../support/browser-job-app.ts'
import type { TestUser } from '../support/app.ts'

let studio: Studio
let user: TestUser
const clipCount = 4

before(async () => {
  studio = await openStudio()
  user = await studio.server.user()
  for (let number = 1; number <= clipCount; number++) {
    const source = `-f lavfi -i testsrc2=size=64x36:rate=25:duration=${number}`
    const path = await makeClip(
      studio.folder,
      `${source} -c:v libx264 -preset ultrafast A00${number}.mp4`,
    )
    await studio.upload(user, path)
  }
})
after(() => studio?.stop())

async function openLibrary(path = '/library') {
  return visit(studio.browser, `${studio.server.url}${path}`, { storage: signedIn(user) })
}

const clip = (page: Page, name: string) =>
  page.getByRole('gridcell').filter({ has: page.getByText(name, { exact: true }) })

test('analyses everything with one confirmation, in at most four clicks', async () => {
  const { page, close } = await openLibrary()
  await clip(page, 'A001.mp4').waitFor()
  await page
    .getByRole('grid', { name: 'Clips' })
    .focus()
    .catch(() => undefined)
  await clip(page, 'A001.mp4').click()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected clips' })
  await bar.getByText(`${clipCount} selected`).waitFor()
  await bar.getByRole('button', { name: /Analyse/ }).click()
  const dialog = page.getByRole('dialog', { name: `Analyse ${clipCount} clips` })
  for (const name of ['Thumbnails', 'Transcription', 'People talking', 'Cut points']) {
    await dialog.getByRole('checkbox', { name: new RegExp(name) }).uncheck()
  }
  // 10 s of media: metadata and shots.
  await dialog.getByRole('button', { name: 'Analyse for $0.04' }).click()
  await page.getByText(`${clipCount} clips analysed, $0.04`).waitFor()
  const marks = await clip(page, 'A001.mp4')
    .getByRole('img', { name: /Shot/ })
    .getAttribute('aria-label')
  assert.match(marks ?? '', /Metadata: done/)
  assert.match(marks ?? '', /Transcription: not run/)
  await close()
})

test('renames, moves to a new project and filters', async () => {
  const { page, close } = await openLibrary()
  await clip(page, 'A002.mp4').click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'New name of A002.mp4' }).fill('Interview Anna.mp4')
  await page.keyboard.press('Enter')
  await clip(page, 'Interview Anna.mp4').waitFor()

  await page.getByRole('toolbar').getByRole('button', { name: /Move/ }).click()
  await page.getByRole('menuitem', { name: 'New project…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByLabel('Name', { exact: true }).fill('Harbour')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Moved 1 clip').waitFor()

  await page
    .getByRole('navigation', { name: 'Projects' })
    .getByRole('button', { name: 'Harbour 1' })
    .click()
  await page.getByText('1 clip', { exact: false }).first().waitFor()
  await clip(page, 'A001.mp4').waitFor({ state: 'detached' })
  await clip(page, 'Interview Anna.mp4').waitFor()

  await page.getByLabel('Search clips by name').fill('nothing like it')
  await page.getByText('No clip matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await clip(page, 'Interview Anna.mp4').waitFor()
  await close()
})

test('exports the selection as a zip', async () => {
  const { page, close } = await openLibrary()
  await clip(page, 'A001.mp4').click()
  await page.keyboard.press('e')
  const waiting = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const bytes = await buffer(await (await waiting).createReadStream())
  assert.equal(bytes.subarray(0, 2).toString(), 'PK')
  assert.ok(bytes.includes('A001.fcpxml'))
  await close()
})

test('keeps a few dozen cards of ten thousand in the page', async () => {
  const rich = await studio.server.user()
  await sql`
    insert into content (account_id, content_type, file_name, canonical_url, check_state,
      created_at, last_used_at)
    select ${rich.accountId}, 'url', 'Clip ' || n || '.mov', 'https://example.com/' || n, 'ready',
      now() - n * interval '1 second', now()
    from generate_series(1, 10000) n`.execute(studio.server.ctx.db)
  const { page, close } = await visit(studio.browser, `${studio.server.url}/library`, {
    storage: signedIn(rich),
  })
  await page.getByText('10,000 clips').waitFor()
  const scroller = page.locator('[data-scroller]')
  for (let step = 0; step < 12; step++) {
    await scroller.evaluate((element) => element.scrollBy(0, 4000))
    await page.waitForTimeout(20)
  }
  await page
    .getByText(/Clip (?:[3-9]\d\d|\d{4})\.mov/)
    .first()
    .waitFor()
  const cards = await page.locator('[data-clip]').count()
  assert.ok(cards > 0 && cards < 150, `${cards} cards`)
  await close()
})
