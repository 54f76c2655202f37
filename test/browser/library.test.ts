/** The library: a dropped card, one confirmation, then renamed, moved, filtered and corrected. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { sql } from 'kysely'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import { countClicks, exportBy, openStudio } from '../support/browser-job-app.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { setTranscript } from '../support/transcript.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const studio = use(openStudio)
const user = use(() => studio.server.user())
let card: string
const clipCount = isWholeRun ? 20 : 5
/** 2 s of each clip, metadata and shots, and the words of the one clip with sound. */
const cardPrice = isWholeRun ? '$0.18' : '$0.06'
/** For a machine that does much else: twenty files are probed, and twenty processes started. */
const wholeCardMs = 300_000

before(async () => {
  card = await makeCard()
})

/** A folder as a camera leaves it: clips in folders inside, and what computers add. */
async function makeCard(): Promise<string> {
  const picture = `-f lavfi -i color=0x808080:size=64x36:rate=25:duration=1
    -f lavfi -i testsrc2=size=64x36:rate=25:duration=1`
  const joined = '[0][1]concat=n=2:v=1,format=yuv420p[v] -map [v]'
  const codec = '-c:v libx264 -preset ultrafast'
  const spoken = await makeClip(
    studio.folder,
    `${picture} -f lavfi -i sine=frequency=1000:duration=2 -filter_complex ${joined} -map 2:a ${codec} spoken.mp4`,
  )
  const silent = await makeClip(
    studio.folder,
    `${picture} -filter_complex ${joined} ${codec} silent.mp4`,
  )
  const folder = join(studio.folder, 'CARD')
  await mkdir(join(folder, 'CLIPS', 'DAY 2'), { recursive: true })
  const bytes = await readFile(silent)
  await writeFile(join(folder, 'CLIPS', nameOf(1)), await readFile(spoken))
  for (let number = 2; number <= clipCount; number++) {
    const inside = number > clipCount / 2 ? join('CLIPS', 'DAY 2') : 'CLIPS'
    // Bytes behind the last box of an MP4 are not read, and make it another file.
    const other = Buffer.concat([bytes, Buffer.from([number])])
    await writeFile(join(folder, inside, nameOf(number)), other)
  }
  await writeFile(join(folder, '.DS_Store'), 'litter')
  return folder
}

function nameOf(number: number): string {
  return `A${String(number).padStart(3, '0')}.mp4`
}

async function openLibrary(path = '/library', storage: Record<string, string> = {}, size = {}) {
  return visit(studio.browser, `${studio.server.url}${path}`, {
    storage: { ...signedIn(user), ...storage },
    width: 1440,
    height: 900,
    ...size,
  })
}

const clip = (page: Page, name: string) =>
  page.getByRole('gridcell').filter({ has: page.getByText(name, { exact: true }) })

/** Files or folders of this machine dragged onto the page, as the browser itself reports them. */
async function drop(page: Page, files: string[], onto = { x: 800, y: 500 }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...onto, data })
  }
  await session.detach()
}

test('a dropped card of clips is analysed with one confirmation, in at most four clicks', async () => {
  const { page, problems, close } = await openLibrary('/library', {
    // The last choice is remembered; all six would take this machine minutes.
    'extractors-none': 'ffprobe,shots,transcription',
  })
  await page.getByText('Drop files, or paste a link').waitFor()
  const clicks = await countClicks(page)
  await drop(page, [card])
  await page.getByText(`${clipCount} clips added`).waitFor({ timeout: wholeCardMs })
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected clips' })
  await bar.getByText(`${clipCount} selected`).waitFor()
  await bar.getByRole('button', { name: /Analyse/ }).click()
  const dialog = page.getByRole('dialog', { name: `Analyse ${clipCount} clips` })
  await dialog.getByRole('button', { name: `Analyse for ${cardPrice}` }).click()
  await page.getByRole('region', { name: 'Batch progress' }).waitFor()
  assert.ok((await clicks()) <= 4, `${await clicks()} clicks`)
  await page
    .getByText(`${clipCount} clips analysed, ${cardPrice}`)
    .waitFor({ timeout: wholeCardMs })
  await clip(page, nameOf(2)).getByText('No speech · 2 shots').waitFor()
  await clip(page, nameOf(2)).getByText('25 fps', { exact: true }).waitFor()
  const marks = await clip(page, nameOf(2))
    .getByRole('img', { name: /Shot/ })
    .getAttribute('aria-label')
  assert.match(marks ?? '', /Metadata: done/)
  assert.match(marks ?? '', /Transcription: does not apply/)
  assert.match(marks ?? '', /Cut points: not run/)
  assert.deepEqual(problems, [])
  await close()
})

test('the folders of the card are bins; clips are rated by key, and bins renamed and moved', async () => {
  const { page, problems, close } = await openLibrary('/library?sort=name&order=asc')
  const places = page.getByRole('navigation', { name: 'Projects' })
  const place = (name: string) => places.getByRole('button', { name, exact: true })
  await place(`CARD ${clipCount}`).click()
  await place(`CLIPS ${clipCount}`).click()
  const inner = Math.ceil(clipCount / 2)
  await place(`DAY 2 ${inner}`).click()
  await clip(page, nameOf(1)).waitFor({ state: 'detached' })
  await page.getByText(`${inner} clips`).waitFor()

  await clip(page, nameOf(clipCount)).click()
  await page.keyboard.press('4')
  await clip(page, nameOf(clipCount)).getByText('★★★★').waitFor()
  await clip(page, nameOf(clipCount - 1)).click()
  await page.keyboard.press('x')
  await clip(page, nameOf(clipCount - 1))
    .getByText('Rejected')
    .waitFor()
  await page.getByLabel('Rating', { exact: true }).selectOption('4')
  await clip(page, nameOf(clipCount - 1)).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await clip(page, nameOf(clipCount - 1)).waitFor()
  await page.keyboard.press('0')

  await places.getByRole('button', { name: /^DAY 2 / }).focus()
  await page.keyboard.press('F2')
  const naming = page.getByRole('dialog', { name: 'Rename bin' })
  await naming.getByLabel('Name').fill('Day two')
  await naming.getByRole('button', { name: 'Save' }).click()
  await places.getByRole('button', { name: /^Day two / }).press('m')
  const moving = page.getByRole('dialog', { name: 'Move “Day two”' })
  await moving.getByRole('button', { name: 'CARD' }).click()
  await place(`CLIPS ${clipCount - inner}`).waitFor()
  await clip(page, nameOf(clipCount)).dragTo(places.getByRole('button', { name: /^CLIPS / }))
  await place(`CLIPS ${clipCount - inner + 1}`).waitFor()
  await page.locator('[data-toast]', { hasText: 'Moved' }).getByText('Undo').click()
  await place(`CLIPS ${clipCount - inner}`).waitFor()
  const { bins } = await user.client.listBins({ query: {} })
  assert.deepEqual(
    bins.map(({ name, parent_id }) => [name, parent_id]),
    [
      ['CLIPS', null],
      ['Day two', null],
    ],
  )
  assert.deepEqual(await violationsInLooks(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('the number of speakers of a batch goes into its quote and its order', slow, async () => {
  const { page, context, close } = await openLibrary('/library', {
    'extractors-none': 'ffprobe,transcription',
  })
  await clip(page, nameOf(1)).getByText(nameOf(1), { exact: true }).click()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected clips' })
  await bar.getByRole('button', { name: /Analyse/ }).click()
  const dialog = page.getByRole('dialog', { name: `Analyse ${clipCount} clips` })
  const speakers = dialog.getByLabel('Speakers in each clip')
  assert.equal(await speakers.inputValue(), '', 'they are heard unless a number is set')
  const transcription = dialog.getByRole('checkbox', { name: 'Transcription' })
  await transcription.click()
  await speakers.waitFor({ state: 'detached' })
  await transcription.click()
  await dialog.getByRole('button', { name: 'Analyse for $0.00' }).waitFor()
  const asked = page.waitForRequest('**/v1/jobs/batch/quote')
  await speakers.selectOption('2')
  const { speakers: quoted } = (await asked).postDataJSON() as { speakers?: number }
  assert.equal(quoted, 2)
  let sent: unknown
  await context.route('**/v1/jobs/batch', async (route) => {
    sent = route.request().postDataJSON()
    await route.fulfill({ status: 422, json: { message: 'Not today' } })
  })
  // The words of the one clip with sound are new: nobody has asked for two speakers before.
  await dialog.getByRole('button', { name: 'Analyse for $0.02' }).click()
  await page.getByText('Not today').first().waitFor()
  assert.equal((sent as { speakers?: number }).speakers, 2)
  await close()
})

test(
  'what is here already and what cannot be sent each has a card that says so',
  slow,
  async () => {
    const { page, context, close } = await openLibrary()
    await clip(page, nameOf(1)).waitFor()
    const extra = join(studio.folder, 'B001.mp4')
    await writeFile(
      extra,
      Buffer.concat([await readFile(join(card, 'CLIPS', nameOf(2))), Buffer.from(extra)]),
    )
    await context.route('**/content/upload*', (route) =>
      route.request().postDataBuffer()?.includes('B001.mp4') ? route.abort() : route.continue(),
    )
    await drop(page, [join(card, 'CLIPS', nameOf(1)), extra])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    const known = uploads.getByRole('listitem', { name: nameOf(1) })
    await known.getByText('This file already exists in your library').waitFor()
    assert.equal(await known.getByRole('button', { name: /^Retry/ }).count(), 0)
    const failed = uploads.getByRole('listitem', { name: 'B001.mp4' })
    await failed.getByText('Network error. Please check your connection').waitFor()
    assert.deepEqual(await violationsInLooks(page), [])
    await context.unroute('**/content/upload*')
    await failed.getByRole('button', { name: 'Retry B001.mp4' }).click()
    await clip(page, 'B001.mp4').waitFor()
    await known.getByRole('button', { name: `Remove ${nameOf(1)}` }).click()
    await uploads.waitFor({ state: 'detached' })
    await close()
  },
)

test('renames, moves to a new project and filters; a move is undone', slow, async () => {
  const { page, close } = await openLibrary()
  await clip(page, nameOf(2)).click()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: `New name of ${nameOf(2)}` }).fill('Interview Anna.mp4')
  await page.keyboard.press('Enter')
  await clip(page, 'Interview Anna.mp4').waitFor()

  await clip(page, nameOf(3)).click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('m')
  await page.getByRole('button', { name: 'New project…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByLabel('Name', { exact: true }).fill('Harbour')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Moved 2 clips').waitFor()
  const places = page.getByRole('navigation', { name: 'Projects' })
  await places.getByRole('button', { name: 'Harbour 2' }).waitFor()
  await page.locator('[data-toast]', { hasText: 'Moved' }).getByText('Undo').click()
  await places.getByRole('button', { name: 'Harbour 0' }).waitFor()

  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('button', { name: 'Harbour' }).click()
  await places.getByRole('button', { name: 'Harbour 2' }).click()
  await clip(page, nameOf(1)).waitFor({ state: 'detached' })
  await clip(page, 'Interview Anna.mp4').waitFor()

  const extra = join(studio.folder, 'C001.mp4')
  await writeFile(
    extra,
    Buffer.concat([await readFile(join(card, 'CLIPS', nameOf(2))), Buffer.from(extra)]),
  )
  await drop(page, [extra])
  await clip(page, 'C001.mp4').waitFor()
  await places.getByRole('button', { name: 'Harbour 3' }).waitFor()

  await page.getByLabel('Analysis', { exact: true }).selectOption('yes')
  await clip(page, 'C001.mp4').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save filter' }).click()
  const saving = page.getByRole('dialog', { name: 'Save filter' })
  await saving.getByLabel('Name').fill('Done in Harbour')
  await saving.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Search clips by name').fill('nothing like it')
  await page.getByText('No clip matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await clip(page, 'C001.mp4').waitFor()
  await places.getByRole('button', { name: 'Done in Harbour', exact: true }).click()
  await clip(page, 'C001.mp4').waitFor({ state: 'detached' })
  await clip(page, 'Interview Anna.mp4').waitFor()
  await close()
})

test(
  'a word, a speaker and a shot are corrected, and stay so in search, files and a second run',
  slow,
  async () => {
    const { page, close } = await openLibrary('/library', {
      'extractors-none': 'ffprobe,shots,transcription',
    })
    const { content } = await user.client.listContent({ query: { q: nameOf(1) } })
    const jobId = content[0]?.analysis.find((state) => state.extractor === 'transcription')?.job_id
    await setTranscript(studio.server, { jobId: jobId ?? '', accountId: user.accountId }, [
      { text: 'Towards', frame: 5, speaker: 'face-1' },
      { text: 'Hamburg', frame: 16, speaker: 'face-1' },
    ])
    await clip(page, nameOf(1)).dblclick()
    await page.getByRole('button', { name: 'Correct the words at 00:00:00:05' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Words of this paragraph' }).fill('Towards Homburg')
    await page.keyboard.press('Enter')
    await page.locator('.corrected', { hasText: 'Homburg' }).waitFor()
    await page.getByRole('button', { name: /^Person 1 at/ }).click()
    const naming = page.getByRole('dialog', { name: 'Who speaks' })
    await naming.getByLabel('Name').fill('Anna')
    await naming.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('tab', { name: 'Shots 2' }).click()
    for (let frame = 0; frame < 10; frame++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('b')
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await page
      .getByRole('region', { name: 'Corrections' })
      .getByText('Saved', { exact: true })
      .waitFor()
    assert.match(await exportBy(page, /^SRT/), /Towards Homburg/)
    assert.match(await exportBy(page, /^WebVTT/), /<v Anna>/)
    assert.match(await exportBy(page, /^EDL/), /00:00:00:00 00:00:00:10/)

    await page.goto(`${studio.server.url}/search?q=Homburg`)
    await page.getByText(nameOf(1)).first().waitFor()
    // A letter is forgiven, but the word that was corrected is no longer there.
    const { hits } = await user.client.search({ query: { q: 'Hamburg' } })
    assert.deepEqual(
      hits.map((hit) => hit.text),
      ['Towards Homburg'],
    )

    await page.goto(`${studio.server.url}/library`)
    await clip(page, nameOf(1)).click()
    await page.keyboard.press('w')
    const dialog = page.getByRole('dialog', { name: 'Analyse 1 clip' })
    await dialog.getByText('all known').waitFor()
    await dialog.getByRole('button', { name: 'Analyse for $0.00' }).click()
    await page.getByText('1 clip analysed, $0.00').waitFor()
    const { jobs } = await user.client.listJobs({ query: { content_id: content[0]?.id ?? '' } })
    assert.equal(jobs.length, 2)
    await page.goto(`${studio.server.url}/jobs/${jobs[0]?.id}`)
    await page.locator('.corrected', { hasText: 'Homburg' }).waitFor()
    await page
      .getByRole('button', { name: /^Anna at/ })
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    assert.match(await exportBy(page, /^EDL/), /00:00:00:00 00:00:00:10/)
    await close()
  },
)

test('a project shows the rate of its timelines, however the API spelled it', slow, async () => {
  const body = { name: 'Rates', frame_rate: '25' }
  const { project } = await user.client.createProject({ body })
  const { page, close } = await openLibrary(`/library?project_id=${project.id}`)
  await page.getByRole('button', { name: 'Project settings' }).click()
  const rate = page.getByRole('dialog').getByLabel('Timeline frame rate')
  assert.equal(await rate.locator('option:checked').textContent(), '25 fps')
  await close()
  await user.client.deleteProject({ params: { id: project.id } })
})

test('the keyboard, a lasso and a phone select, move about and open', slow, async () => {
  const { page, close } = await openLibrary('/library?sort=name&order=asc')
  const bar = page.getByRole('toolbar', { name: 'Selected clips' })
  const isSelected = (name: string) => clip(page, name).getAttribute('aria-selected')
  await clip(page, nameOf(1)).click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await bar.getByText('4 selected').waitFor()
  await page.keyboard.press('Space')
  await bar.getByText('3 selected').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await bar.getByText(/^2\d selected/).waitFor()
  await page.keyboard.press('Escape')
  const first = (await clip(page, nameOf(1)).boundingBox())!
  const second = (await clip(page, nameOf(3)).boundingBox())!
  await page.mouse.move(first.x - 8, first.y + 20)
  await page.mouse.down()
  await page.mouse.move(second.x + 30, second.y + 60, { steps: 4 })
  await page.mouse.up()
  await bar.getByText('2 selected').waitFor()
  assert.deepEqual([await isSelected(nameOf(1)), await isSelected(nameOf(3))], ['true', 'true'])
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByText('these 2 clips').waitFor()
  await page.keyboard.press('Escape')
  await close()

  const phone = await openLibrary('/library', {}, { width: 390, height: 844 })
  await phone.page.getByRole('button', { name: 'Projects', exact: true }).click()
  const drawer = phone.page.getByRole('dialog', { name: 'Projects' })
  await drawer.getByRole('button', { name: 'Harbour 3' }).click()
  await drawer.waitFor({ state: 'detached' })
  await clip(phone.page, 'C001.mp4').getByRole('checkbox').click()
  const sheet = phone.page.getByRole('toolbar', { name: 'Selected clips' })
  const analyse = sheet.getByRole('button', { name: 'Analyse…' })
  assert.ok(((await analyse.boundingBox())?.height ?? 0) >= 52)
  assert.deepEqual(await violationsInLooks(phone.page), [])
  await analyse.click()
  const dialog = phone.page.getByRole('dialog', { name: 'Analyse 1 clip' })
  await dialog.getByRole('button', { name: 'By clip' }).click()
  assert.deepEqual(await violationsInLooks(phone.page), [])
  await phone.close()
})

test('exports the selection as a zip', slow, async () => {
  const { page, close } = await openLibrary()
  await clip(page, nameOf(1)).click()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Export 1 clip' })
  await dialog.getByRole('radio', { name: /^Final Cut Pro/ }).check()
  const waiting = page.waitForEvent('download')
  await page.keyboard.press('Control+Enter')
  const bytes = await buffer(await (await waiting).createReadStream())
  assert.equal(bytes.subarray(0, 2).toString(), 'PK')
  assert.ok(bytes.includes('A001.fcpxml'))
  await close()
})

test('keeps a few dozen cards of ten thousand in the page', slow, async () => {
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
  await until(
    async () => {
      await scroller.evaluate((element) => element.scrollBy(0, 4000))
      return page.getByText(/Clip (?:[3-9]\d\d|\d{4})\.mov/).count()
    },
    (count) => count > 0,
  )
  const cards = await page.locator('[data-clip]').count()
  assert.ok(cards > 0 && cards < 150, `${cards} cards`)
  await close()
})

test('where the projects are not told, no number of clips is made up', async () => {
  const { page, context, close } = await visit(studio.browser, `${studio.server.url}/privacy`, {
    storage: signedIn(await studio.server.user()),
  })
  await context.route('**/v1/projects', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`${studio.server.url}/library`)
  const places = page.getByRole('navigation', { name: 'Projects' })
  await places.getByRole('button', { name: 'New project' }).nth(1).waitFor()
  assert.equal(await places.getByRole('button', { name: 'All clips' }).innerText(), 'All clips')
  await close()
})
