/** A rough cut from a search to its end: added, edited as text, played, saved, kept apart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { cutEvents } from '../../domain/cuts/cut-times.ts'
import { timecodeFormat, toTimecode } from '../../domain/time/timecode.ts'
import { parseCutEdl, parseCutFcpxml, parseCutOtio, parseCutXmeml } from '../export-parsers/cut.ts'
import { violationsInLooks } from '../support/axe.ts'
import { visit } from '../support/browser.ts'
import { pickFormat, textOf } from '../support/browser-job-app.ts'
import {
  chooseFirstPassage,
  boxOf,
  openCutRoom,
  passages,
  savedMark,
  selectWords,
} from '../support/cut-room.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const room = use(openCutRoom)

test('a phrase of five clips becomes a cut, edited as text', async () => {
  const { page, problems, close } = await room.open('/cuts')
  await page
    .getByRole('button', { name: /New cut/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'New cut' })
  await dialog.getByLabel('Name', { exact: true }).fill('Fog')
  await dialog.getByRole('button', { name: 'Create cut' }).click()
  await page.waitForURL(/\/cuts\/[\w-]+$/)
  const id = page.url().split('/').at(-1) ?? ''

  await page.getByText('Nothing in this cut yet').waitFor()
  await page.keyboard.press('f')
  await page.getByLabel('Search the project’s clips').fill('fog')
  await page.getByText('8 hits').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('a')
  await passages(page).first().waitFor()
  await page.getByText('in the cut').first().waitFor()
  await page.getByRole('button', { name: 'Unused only' }).click()
  await page.getByRole('button', { name: 'Add all 7' }).click()
  await until(() => passages(page).count(), 8)
  const first = await until(
    () => room.saved(id),
    (cut) => cut.ranges.length === 8,
  )
  assert.equal(new Set(first.ranges.map((item) => item.content_id)).size, 5)

  // A passage moves up by key, and words go by Backspace.
  await passages(page)
    .nth(2)
    .getByRole('button', { name: /^Move clip/ })
    .click()
  await page.keyboard.press('Alt+ArrowUp')
  const moved = await until(
    () => room.saved(id),
    (cut) => cut.ranges[1]?.id === first.ranges[2]?.id,
  )
  await page.getByText('um', { exact: false }).first().waitFor()
  await selectWords(page, 'um')
  await page.keyboard.press('Backspace')
  await page.locator('s', { hasText: 'um' }).waitFor()
  const struck = await until(
    () => room.saved(id),
    (cut) => cut.version > moved.version,
  )
  assert.equal(struck.ranges.flatMap((item) => item.removed).length, 1)
  await page.keyboard.press('r')
  await page.locator('s').waitFor({ state: 'detached' })
  await page.keyboard.press('r')
  await selectWords(page, 'um')
  await page.keyboard.press('Backspace')
  await page.locator('s').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.locator('s', { hasText: 'um' }).waitFor()
  const final = await until(
    () => room.saved(id),
    (cut) => cut.version > struck.version && cut.ranges.some((item) => item.removed.length > 0),
  )
  assert.equal(final.ranges.flatMap((item) => item.removed).length, 1)
  assert.deepEqual(problems, [])
  await close()
})

test(
  'a cut is played over its seams, shared, commented on and exported to the frame',
  slow,
  async () => {
    const struck = { ...room.range(2, 2, 48), removed: [{ in: 11, out: 20 }] }
    const id = await room.makeCut(
      [
        room.range(0, 2, 48),
        room.range(0, 52, 96),
        room.range(1, 2, 48),
        struck,
        room.range(4, 52, 96),
      ],
      'Fog',
    )
    const { page, problems, close } = await room.open(`/cuts/${id}`)
    const final = await room.saved(id)
    const { sources } = await room.user.client.getCut({ params: { id }, query: {} })
    const seams = cutEvents(final, sources).length - 1
    await page.keyboard.press('Home')
    await page.locator('[data-turn]').first().waitFor({ state: 'attached' })
    await page.keyboard.press('l')
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    const crossed = await page.evaluate(() => performance.getEntriesByName('seam').length)
    assert.ok(crossed >= seams - 1, `${crossed} of ${seams} seams`)

    // Shared, and commented on by somebody without an account.
    await page.getByRole('button', { name: 'Share' }).click()
    const sharing = page.getByRole('dialog', { name: 'Share “Fog”' })
    await sharing.getByRole('button', { name: 'Make a link' }).click()
    const link = await sharing.getByLabel('Link', { exact: true }).inputValue()
    await page.keyboard.press('Escape')
    const path = new URL(link).pathname
    const guest = await visit(room.studio.browser, `${room.studio.server.url}${path}`)
    await guest.page.getByText('Play, then type.').waitFor()
    for (let step = 0; step < 7; step += 1) await guest.page.keyboard.press('ArrowRight')
    await guest.page.keyboard.press('c')
    await guest.page.keyboard.type(script)
    await guest.page.getByLabel('Your name').fill('Ines Park')
    await guest.page.getByRole('button', { name: 'Comment', exact: true }).click()
    await guest.page.getByLabel('Comments', { exact: true }).last().getByText(script).waitFor()
    await guest.page.getByRole('button', { name: 'Change' }).waitFor()
    assert.equal(await guest.page.evaluate(() => 'pwned' in window), false)
    assert.deepEqual(await violationsInLooks(guest.page), [])
    assert.equal(await guest.page.getByRole('navigation').count(), 0)
    assert.deepEqual(guest.problems, [])

    // Every export holds the frames of the cut, and the comment as a marker.
    await page.reload()
    await page.getByRole('button', { name: /Comments 1/ }).click()
    await page.getByText(script).waitFor()
    const events = cutEvents(final, sources)
    const parsers = [
      ['FCPXML', parseCutFcpxml],
      ['XML', parseCutXmeml],
      ['OTIO', parseCutOtio],
      ['EDL', (text: string) => parseCutEdl(text, 25, reels)],
    ] as const
    for (const [format, parse] of parsers) {
      const parsed = parse(await exportCut(page, format))
      assert.deepEqual(
        parsed.edits.map((edit) => [edit.sourceIn, edit.recordIn, edit.recordOut]),
        events.map((event) => [event.in, event.recordIn, event.recordOut]),
        format,
      )
      assert.ok(
        parsed.markers.some((marker) => marker.at === 7 && marker.text.includes('pwned')),
        format,
      )
    }
    // Handles move the markers of a list as those of the timeline beside it.
    const handled = parseCutXmeml(await exportCut(page, 'XML', '10'))
    const at = handled.markers.find((marker) => marker.text.includes('pwned'))!.at
    const table = await exportCut(page, 'Marker table', '10')
    const row = table.split('\r\n').find((line) => line.includes('pwned'))!
    const format = timecodeFormat('25', false)
    assert.ok(row.includes(`\t${toTimecode(handled.recordStart + at, format)}\t`), row)
    await guest.page.reload()
    await guest.page.getByText(script).waitFor()
    await withdrawAll(final.id)
    await guest.page.reload()
    await guest.page.getByText('has revoked this link').waitFor()
    assert.equal(await guest.page.locator('video').count(), 0)
    await guest.close()
    assert.deepEqual(problems, [])
    await close()
  },
)

/** None of the clips has a timecode of its own. */
const reels = new Map(
  ['A001', 'A002', 'A003', 'B001', 'B002'].map((reel) => [reel, { start: '00:00:00:00', fps: 25 }]),
)
const script = '<img src=x onerror="window.pwned=1"> Hold the fog'

async function exportCut(page: Page, format: string, handles = '0'): Promise<string> {
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = await pickFormat(page, new RegExp(`^${format}:`))
  await dialog.getByLabel(/^Handles/).fill(handles)
  const waiting = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const exported = await textOf(await waiting)
  await dialog.waitFor({ state: 'detached' })
  return exported
}

async function withdrawAll(cutId: string): Promise<void> {
  const { shares } = await room.user.client.listShares({ query: { cut_id: cutId } })
  for (const { id } of shares) await room.user.client.revokeShare({ params: { id } })
}

test('an edit is kept until it is saved, and a toast undoes only what it names', slow, async () => {
  const ranges = [room.range(0, 0, 50), room.range(1, 0, 50), room.range(2, 0, 50)]
  const id = await room.makeCut(ranges, 'Kept')
  const { page, context, close } = await room.open(`/cuts/${id}`)
  await chooseFirstPassage(page)
  let answer = (): void => undefined
  await context.route(`**/v1/cuts/${id}`, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return route.continue()
  })
  const kept = () => page.evaluate((key) => localStorage.getItem(key), `unsent-cut:${id}`)
  // From here on by the keyboard.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  assert.match((await kept()) ?? '', /"ranges"/)
  await page.getByText('Clip removed').waitFor()
  await until(
    () => page.evaluate(() => document.activeElement?.querySelector('[data-passage]') !== null),
    (isOnPassage) => isOnPassage,
  )
  assert.notEqual(await page.evaluate(() => document.activeElement?.localName), 'body')
  await passages(page)
    .first()
    .getByRole('button', { name: /^Move clip/ })
    .click()
  await page.keyboard.press('x')
  await page.getByText('Clip removed').waitFor({ state: 'detached' })
  await until(
    async () => {
      answer()
      return kept()
    },
    (text) => text === null,
  )
  const { ranges: left } = await room.saved(id)
  assert.deepEqual(
    left.map((range) => range.disabled),
    [true, false],
  )
  const slider = page.getByRole('slider', { name: 'Position in the cut' })
  await page.keyboard.press('ArrowRight')
  await until(() => slider.getAttribute('aria-valuenow'), '1')
  const zoomOut = page.getByRole('button', { name: 'Zoom out (-)' })
  assert.equal(await zoomOut.isDisabled(), true)
  await page.keyboard.press('+')
  await until(
    () => zoomOut.isDisabled(),
    (isOff) => !isOff,
  )
  await page.keyboard.press('-')
  await close()
})

test('screen, client page and exports count from one start; rate and size are asked for', async () => {
  const { page, problems, close } = await room.open('/cuts')
  await page
    .getByRole('button', { name: /New cut/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'New cut' })
  await dialog.getByLabel('Name', { exact: true }).fill('Clock')
  await dialog.getByLabel('Frame rate').selectOption({ label: '29.97 DF' })
  await dialog.getByLabel('Size').selectOption('1280 × 720')
  await dialog.getByRole('button', { name: 'Create cut' }).click()
  await page.waitForURL(/\/cuts\/[\w-]+$/)
  const id = page.url().split('/').at(-1) ?? ''
  await page.getByRole('button', { name: '29.97 DF · 1280 × 720 · 01:00:00;00' }).waitFor()
  const { cut: fresh } = await room.user.client.getCut({ params: { id }, query: {} })
  const { frame_size: size, ...saved } = fresh
  assert.deepEqual(size, { width: 1280, height: 720 })
  const ranges = [room.range(0, 0, 50)]
  const { id: _, project_id: __, created_at: ___, updated_at: ____, ...body } = saved
  await room.user.client.saveCut({ params: { id }, body: { ...body, ranges } })

  // A clip of another rate has come in: the screen asks until somebody has decided.
  await page.reload()
  const asked = page.getByText(
    'A001.mp4 runs at 25 fps, 160 × 90. This cut runs at 29.97 DF, 1280 × 720.',
  )
  await asked.waitFor()
  await page.keyboard.press('Home')
  assert.equal(await page.locator('[data-position]').textContent(), '01:00:00;00')
  await page.getByRole('button', { name: 'Change the cut…' }).click()
  const settings = page.getByRole('dialog', { name: 'Name, target, rate and size' })
  await settings.getByLabel('Frame rate').selectOption('50')
  await settings.getByLabel('Size').selectOption('Same as the first clip')
  await settings.getByLabel('Start timecode').fill('10:00:00:00')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: '50 fps · 160 × 90 · 10:00:00:00' }).waitFor()
  await page.getByRole('button', { name: 'Keep 50 fps' }).click()
  await page.getByText('A001.mp4 runs at').waitFor({ state: 'detached' })
  await page.getByText(/Saved .* version/).waitFor()
  await page.reload()
  await page.getByText('10:00:00:00').first().waitFor()
  assert.equal(await page.getByText('A001.mp4 runs at').count(), 0)
  assert.equal(await page.locator('[data-position]').textContent(), '10:00:00:00')

  const { url } = await room.user.client.createShare({ body: { cut_id: id } })
  const guest = await visit(
    room.studio.browser,
    `${room.studio.server.url}${new URL(url).pathname}`,
  )
  await guest.page.getByText('10:00:00:00').first().waitFor()
  const position = guest.page.getByRole('slider', { name: 'Position', exact: true })
  assert.equal(await position.getAttribute('aria-valuetext'), '10:00:00:00')
  await guest.close()
  assert.match(await exportCut(page, 'EDL'), / 10:00:00:00 10:00:02:00\s/)
  assert.deepEqual(problems, [])
  await close()
})

test('while its parts are on their way, a cut says nothing that is false', async () => {
  const id = await room.makeCut([room.range(0, 2, 48)], 'On its way')
  const { page, context, problems, close } = await room.open('/privacy')
  const held = Promise.withResolvers<void>()
  await context.route(/projects$|\/transcript|proxy\.mp4/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${room.studio.server.url}/cuts/${id}`)
  await passages(page).getByText('Loading…').waitFor()
  assert.doesNotMatch(await page.locator('main').innerText(), /no preview yet|No project|\b0 words/)
  const other = await context.newPage()
  await other.goto(`${room.studio.server.url}/library?project_id=${room.projectId}`)
  await other.getByText('5 clips', { exact: true }).waitFor()
  assert.equal(await other.getByRole('heading', { level: 2, name: 'All clips' }).count(), 0)
  held.resolve()
  await other.getByRole('heading', { level: 2, name: 'River' }).waitFor()
  await page.getByRole('link', { name: 'River' }).waitFor()
  await page.getByText('5 words kept, 0 removed').waitFor()
  await page.locator('[data-turn][aria-hidden=false]').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('a search keeps to one project, and says where the sentence of a hit begins', async () => {
  const { project } = await room.user.client.createProject({ body: { name: 'Empty' } })
  const search = async (id: string) =>
    (await room.user.client.search({ query: { q: 'late', limit: 20, project_id: id } })).hits
  const [hit] = await search(room.projectId)
  assert.equal(hit?.content_id, room.clips[0]!.contentId)
  // “late” is the last word of the second sentence, which is said from the third second on.
  assert.ok(hit.passage_start_frame === 52 && hit.start_frame > 52, String(hit.start_frame))
  assert.deepEqual(await search(project.id), [])
})

test('a version that somebody else saved is shown, and nothing is lost', slow, async () => {
  const id = await room.makeCut([room.range(0, 0, 50), room.range(1, 0, 50)])
  const { page, close } = await room.open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  const { id: _, project_id: __, created_at: ___, updated_at: ____, ...body } = await room.saved(id)
  const elsewhere = [...body.ranges, room.range(2, 0, 50)]
  await room.user.client.saveCut({ params: { id }, body: { ...body, ranges: elsewhere } })
  await passages(page)
    .nth(1)
    .getByRole('button', { name: /^Move clip/ })
    .click()
  await page.keyboard.press('d')
  const alert = page.getByRole('alert').filter({ hasText: 'Somebody saved version 2' })
  await alert.getByText('3 clips').waitFor()
  await alert.getByRole('button', { name: 'Keep mine' }).click()
  await savedMark(page, 3)
  assert.equal((await room.saved(id)).ranges.length, 3)
  const older = await room.user.client.getCut({ params: { id }, query: { version: 2 } })
  assert.equal(older.cut.ranges[2]?.content_id, room.clips[2]!.contentId)
  await close()
})

test('a cut that cannot be saved is not exported, and is there again', slow, async () => {
  const id = await room.makeCut([room.range(0, 0, 50), room.range(1, 0, 50)], 'Away')
  const { page, close } = await room.open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  const away = { isAway: true }
  await page.route(`**/cuts/${id}`, async (route) => {
    if (away.isAway && route.request().method() === 'PUT') await route.abort()
    else await route.continue()
  })
  await chooseFirstPassage(page)
  await page.keyboard.press('d')
  await page.getByText('Not saved. Changes are kept here.').waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Export “Away”' })
  await dialog.getByRole('button', { name: 'Download' }).click()
  await page.getByText('Not exported').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Cuts' }).first().click()
  await page.getByRole('heading', { name: 'Cuts' }).waitFor()
  away.isAway = false
  await page.goBack()
  await savedMark(page, 2)
  assert.equal((await room.saved(id)).ranges.length, 3)
  assert.equal(await passages(page).count(), 3)
  await close()
})

test('a deleted clip stays as missing, and plays its time', slow, async () => {
  const id = await room.makeCut([room.range(3, 0, 50), room.range(0, 0, 25)], 'Missing')
  const { page, close } = await room.open(`/cuts/${id}`)
  await page.getByText('Rain is worse', { exact: false }).waitFor()
  await room.user.client.deleteContent({ params: { id: room.clips[3]!.contentId } })
  await page.reload()
  await page.getByText('source missing').first().waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Export “Missing”' })
  await dialog.getByText('B001.mp4 is missing: its clips are exported as offline.').waitFor()
  await pickFormat(page, /^EDL:/)
  const waiting = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  assert.match(await textOf(await waiting), /B001\.mp4: offline, it was deleted/i)
  const notes = page.getByRole('list', { name: 'Notes of the export' })
  await notes.getByText('B001.mp4: offline, it was deleted from the library.').waitFor()
  assert.deepEqual(await violationsInLooks(page), [])
  await page.getByRole('button', { name: 'Done' }).click()
  await notes.waitFor({ state: 'detached' })
  await close()
})

test(
  '2,000 ranges open, scroll, play, are edited at their end and stay in few rows',
  slow,
  async () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      room.range(index % 5 === 3 ? 0 : index % 5, (index % 2) * 50, (index % 2) * 50 + 50),
    )
    const id = await room.makeCut(many, 'Long')
    const { page, problems, close } = await room.open(`/cuts/${id}`)
    await page.getByText('waited', { exact: false }).first().waitFor()
    const rows = await passages(page).count()
    assert.ok(rows > 3 && rows < 60, `${rows} rows in the page`)
    await page.getByText('2,000 clips', { exact: false }).first().waitFor()
    await page.getByLabel('Text of the cut').hover()
    await page.locator('[data-passages]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    const last = page.getByRole('article', { name: /^Clip 2000,/ })
    await last.getByRole('button', { name: /^Move clip/ }).click()
    await page.keyboard.press('d')
    await page.getByText('This cut is full').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    const moved = await until(
      () => room.saved(id),
      (cut) => cut.ranges[1998]?.id === many[1999]!.id,
    )
    assert.equal(moved.ranges.length, 2000)
    await selectWords(page, 'hides')
    await page.keyboard.press('Backspace')
    await page.locator('s', { hasText: 'hides' }).first().waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await page.locator('s').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    const position = page.locator('[data-position]')
    await until(
      () => position.textContent(),
      (text) => text !== '01:00:00:00',
    )
    await page.keyboard.press('k')
    const strip = await boxOf(page.getByRole('slider', { name: 'Position in the cut' }))
    await page.mouse.click(strip.x + strip.width / 2, strip.y + 10)
    await until(
      () => position.textContent(),
      (text) => /^01:3[23]:/.test(text ?? ''),
    )
    assert.deepEqual(problems, [])
    await close()
  },
)

test('the cut screen and the list have no violation, and fit a narrow window', slow, async () => {
  const id = await room.makeCut([room.range(0, 0, 50), room.range(1, 0, 50)], 'Looks')
  const { page, close } = await room.open(`/cuts/${id}`)
  await chooseFirstPassage(page)
  assert.deepEqual(await violationsInLooks(page), [])
  assert.equal(await passages(page).and(page.locator('[data-playing]')).count(), 1)
  const place = page.getByRole('link', { name: 'River', exact: true })
  assert.equal(await place.getAttribute('href'), `/library?project_id=${room.projectId}`)
  await page.goto(`${room.studio.server.url}/cuts`)
  await page.getByText('Looks').waitFor()
  assert.deepEqual(await violationsInLooks(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${room.studio.server.url}/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(wide <= 0, `${wide} pixels too wide`)
  await page.getByText(/^Length/).waitFor()
  const strip = await boxOf(page.getByRole('region', { name: 'Strip' }))
  assert.ok(strip.y + strip.height <= 844, `the strip ends at ${strip.y + strip.height}`)
  await page.getByRole('button', { name: 'Sources' }).click()
  await page.getByLabel('Search the project’s clips').waitFor()
  await close()
})
