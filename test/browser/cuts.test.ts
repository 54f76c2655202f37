/** A rough cut from a search to its end: added, edited as text, played, saved, kept apart. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { cutEvents } from '../../contract/cut-times.ts'
import { newRange } from '../../contract/cut-edit.ts'
import type { CutRange } from '../../contract/cuts.ts'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import type { VisitOptions } from '../support/browser.ts'
import { parseCutEdl, parseCutFcpxml, parseCutOtio, parseCutXmeml } from '../export-parsers/cut.ts'
import { openStudio, textOf } from '../support/browser-job-app.ts'
import type { Studio } from '../support/browser-job-app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { addSpokenClips } from '../support/spoken-clips.ts'
import { until } from '../support/until.ts'

let studio: Studio
let user: TestUser
let projectId: string
let clips: { contentId: string; jobId: string }[]

before(async () => {
  studio = await openStudio()
  user = await studio.server.user()
  projectId = (await user.client.createProject({ body: { name: 'River' } })).project.id
  clips = await addSpokenClips(studio, user, {
    projectId,
    clips: [
      {
        name: 'A001.mp4',
        speaker: 'Lena',
        sentences: ['We waited for the fog', 'The fog came late'],
        cutPoints: [10, 19, 48],
      },
      {
        name: 'A002.mp4',
        speaker: 'Tom',
        sentences: ['In fog you steer by bell', 'We sold the boat'],
      },
      {
        name: 'A003.mp4',
        speaker: 'Lena',
        sentences: ['Nobody likes fog here', 'So um fog it is'],
      },
      { name: 'B001.mp4', speaker: 'Tom', sentences: ['Rain is worse than fog', 'The river rose'] },
      {
        name: 'B002.mp4',
        speaker: 'Ruth',
        sentences: ['Fog has a sound', 'Thick fog hides boats'],
      },
    ],
  })
})
after(() => studio?.stop())

function open(path: string, options: VisitOptions = {}) {
  return visit(studio.browser, `${studio.server.url}${path}`, {
    storage: signedIn(user),
    ...options,
  })
}

async function makeCut(ranges: CutRange[], name = 'Opening'): Promise<string> {
  const body = { project_id: projectId, name, ranges }
  return (await user.client.createCut({ body })).cut.id
}

const range = (clip: number, from: number, to: number) =>
  newRange({ content_id: clips[clip]!.contentId, in: from, out: to })

const saved = async (id: string) => (await user.client.getCut({ params: { id }, query: {} })).cut

/** Waits until the page has nothing left to save. */
const savedMark = (page: Page, version: number) =>
  page.getByText(new RegExp(`Saved .* version ${version}`)).waitFor()

const passages = (page: Page) => page.locator('[data-passage]')

async function selectWords(page: Page, words: string): Promise<void> {
  await page.evaluate((wanted) => {
    for (const text of document.querySelectorAll('[data-words]')) {
      const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const at = (node.nodeValue ?? '').indexOf(wanted)
        if (at >= 0) getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length)
        if (at >= 0) return
      }
    }
    throw new Error(`“${wanted}” is not in the text`)
  }, words)
}

test('a phrase of five clips becomes a cut, edited as text', async () => {
  const { page, problems, close } = await open('/cuts')
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
  await until(
    () => passages(page).count(),
    (count) => count === 8,
  )
  const first = await until(
    () => saved(id),
    (cut) => cut.ranges.length === 8,
  )
  assert.equal(new Set(first.ranges.map((item) => item.content_id)).size, 5)

  // A passage moves up by key, and words go by Backspace.
  await passages(page)
    .nth(2)
    .getByRole('button', { name: /^Move passage/ })
    .click()
  await page.keyboard.press('Alt+ArrowUp')
  const moved = await until(
    () => saved(id),
    (cut) => cut.ranges[1]?.id === first.ranges[2]?.id,
  )
  await page.getByText('um', { exact: false }).first().waitFor()
  await selectWords(page, 'um')
  await page.keyboard.press('Backspace')
  await page.locator('s', { hasText: 'um' }).waitFor()
  const struck = await until(
    () => saved(id),
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
    () => saved(id),
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
    const struck = { ...range(2, 2, 48), removed: [{ in: 11, out: 20 }] }
    const id = await makeCut(
      [range(0, 2, 48), range(0, 52, 96), range(1, 2, 48), struck, range(4, 52, 96)],
      'Fog',
    )
    const { page, problems, close } = await open(`/cuts/${id}`)
    const final = await saved(id)
    const { sources } = await user.client.getCut({ params: { id }, query: {} })
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
    const guest = await visit(studio.browser, `${studio.server.url}${path}`)
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
    await guest.page.reload()
    await guest.page.getByText(script).waitFor()
    await withdrawAll(final.id)
    await guest.page.reload()
    await guest.page.getByText('has withdrawn this link').waitFor()
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

async function exportCut(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  await dialog.getByRole('radio', { name: new RegExp(`^${format}:`) }).check()
  const waiting = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const exported = await textOf(await waiting)
  await dialog.waitFor({ state: 'detached' })
  return exported
}

async function withdrawAll(cutId: string): Promise<void> {
  const { shares } = await user.client.listShares({ query: { cut_id: cutId } })
  for (const { id } of shares) await user.client.revokeShare({ params: { id } })
}

test('a search keeps to one project, and says where the sentence of a hit begins', async () => {
  const { project } = await user.client.createProject({ body: { name: 'Empty' } })
  const search = async (id: string) =>
    (await user.client.search({ query: { q: 'late', limit: 20, project_id: id } })).hits
  const [hit] = await search(projectId)
  assert.equal(hit?.content_id, clips[0]!.contentId)
  // “late” is the last word of the second sentence, which is said from the third second on.
  assert.ok(hit.passage_start_frame === 52 && hit.start_frame > 52, String(hit.start_frame))
  assert.deepEqual(await search(project.id), [])
})

test('splits, trims, switches off, duplicates and removes', slow, async () => {
  const id = await makeCut([range(0, 0, 50), range(1, 0, 50)])
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  await passages(page)
    .first()
    .getByRole('button', { name: /^Move passage/ })
    .click()
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('s')
  const split = await until(
    () => saved(id),
    (cut) => cut.ranges.length === 3,
  )
  assert.deepEqual(
    split.ranges.map((item) => [item.in, item.out]),
    [
      [0, 5],
      [5, 50],
      [0, 50],
    ],
  )
  await page.getByLabel('Out of the range, in the clip’s timecode').fill('00:00:00:04')
  await page.keyboard.press('Enter')
  await until(
    () => saved(id),
    (cut) => cut.ranges[0]?.out === 4,
  )
  await page.keyboard.press('Escape')
  await page.getByLabel('Name of the range').fill('Cold open')
  await page.getByLabel('Note of the range').fill('Ask Lena')
  await page.keyboard.press('Enter')
  await until(
    () => saved(id),
    (cut) => cut.ranges[0]?.name === 'Cold open' && cut.ranges[0].note === 'Ask Lena',
  )
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await until(
    () => saved(id),
    (cut) => cut.ranges.length === 4,
  )
  await page.getByRole('button', { name: 'Switch off' }).click()
  await until(
    () => saved(id),
    (cut) => cut.ranges[0]?.disabled === true,
  )
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const rest = await until(
    () => saved(id),
    (cut) => cut.ranges.length === 3,
  )
  assert.deepEqual([rest.ranges[0]?.in, rest.ranges[0]?.out], [0, 4])
  await close()
})

test('a version that somebody else saved is shown, and nothing is lost', slow, async () => {
  const id = await makeCut([range(0, 0, 50), range(1, 0, 50)])
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  const { id: _, project_id: __, created_at: ___, updated_at: ____, ...body } = await saved(id)
  const elsewhere = [...body.ranges, range(2, 0, 50)]
  await user.client.saveCut({ params: { id }, body: { ...body, ranges: elsewhere } })
  await passages(page)
    .nth(1)
    .getByRole('button', { name: /^Move passage/ })
    .click()
  await page.keyboard.press('d')
  const alert = page.getByRole('alert').filter({ hasText: 'Somebody saved version 2' })
  await alert.getByText('3 passages').waitFor()
  await alert.getByRole('button', { name: 'Keep mine' }).click()
  await savedMark(page, 3)
  assert.equal((await saved(id)).ranges.length, 3)
  const older = await user.client.getCut({ params: { id }, query: { version: 2 } })
  assert.equal(older.cut.ranges[2]?.content_id, clips[2]!.contentId)
  await close()
})

test('a deleted clip stays as missing, and plays its time', slow, async () => {
  const id = await makeCut([range(3, 0, 50), range(0, 0, 25)], 'Missing')
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('Rain is worse', { exact: false }).waitFor()
  await user.client.deleteContent({ params: { id: clips[3]!.contentId } })
  await page.reload()
  await page.getByText('source missing').first().waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Export “Missing”' })
  await dialog.getByText('B001.mp4 is missing: its ranges are exported as offline.').waitFor()
  await dialog.getByRole('radio', { name: /^EDL:/ }).check()
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
  'hits, batches of hits, marked words, selects and shots are added from elsewhere',
  slow,
  async () => {
    const id = await makeCut([range(0, 0, 50)], 'Collected')
    const { page, close } = await open('/search?q=fog')
    const dialog = page.getByRole('dialog', { name: 'Add to cut' })
    const grows = async (to: number): Promise<CutRange[]> => {
      await dialog.getByRole('button', { name: /Collected/ }).click()
      await dialog.waitFor({ state: 'detached' })
      const { ranges } = await until(
        () => saved(id),
        (cut) => cut.ranges.length === to,
      )
      return ranges
    }
    await page
      .getByRole('button', { name: /to a cut \(A\)/ })
      .first()
      .click()
    const [, hit] = await grows(2)
    assert.ok(hit?.in === 2 || hit?.in === 52, 'the whole sentence')
    // A on a hit that has the focus, then all hits at once.
    await page.getByRole('listitem').getByRole('link').nth(1).focus()
    await page.keyboard.press('a')
    await grows(3)
    const batch = page.getByRole('button', { name: /^Add all \d+ to a cut$/ })
    const count = Number(/\d+/.exec((await batch.textContent()) ?? '')?.[0])
    assert.ok(count >= 7, `${count} hits`)
    await batch.click()
    assert.equal(new Set((await grows(3 + count)).map((item) => item.content_id)).size, 4)

    await page.goto(`${studio.server.url}/jobs/${clips[0]!.jobId}`)
    await page.getByRole('button', { name: 'Mark in (I)' }).waitFor()
    await page.getByText('waited', { exact: false }).first().waitFor()
    await selectInTranscript(page, 'waited for')
    await page.keyboard.press('a')
    await dialog.getByText('last used').waitFor()
    const said = (await grows(4 + count)).at(-1)
    assert.deepEqual([said?.in, said?.out], [11, 27], 'from the first selected word to the last')

    await page.keyboard.press('h')
    await page.getByRole('tab', { name: /^Selects/ }).click()
    await page.getByLabel('Name of the select').fill('Waiting')
    await page.getByRole('button', { name: 'Add Waiting to a cut (A)' }).click()
    const chosen = (await grows(5 + count)).at(-1)
    assert.deepEqual([chosen?.name, chosen?.in, chosen?.out], ['Waiting', 11, 27])
    await page.getByRole('button', { name: 'Add all to cut' }).click()
    await grows(6 + count)
    await close()
  },
)

test('a shot is added from its card, by its button and by A', slow, async () => {
  const { jobId, contentId } = clips[2]!
  const job = await studio.finish(user, contentId, 'shots')
  assert.notEqual(job.id, jobId)
  const id = await makeCut([], 'Shots')
  const { page, close } = await open(`/jobs/${job.id}`)
  const dialog = page.getByRole('dialog', { name: 'Add to cut' })
  const card = page.getByRole('listitem').filter({ hasText: '01' }).first()
  await card.hover()
  await card.getByRole('button', { name: 'Add shot 01 to a cut (A)' }).click()
  await dialog.getByRole('button', { name: /Shots/ }).click()
  const first = await until(
    () => saved(id),
    (cut) => cut.ranges.length === 1,
  )
  assert.equal(first.ranges[0]?.content_id, contentId)
  await card.getByRole('button').first().focus()
  await page.keyboard.press('a')
  await dialog.getByText('last used').waitFor()
  // The cut that was used last has the focus.
  await page.keyboard.press('Enter')
  await until(
    () => saved(id),
    (cut) => cut.ranges.length === 2,
  )
  await close()
})

async function selectInTranscript(page: Page, words: string): Promise<void> {
  const text = page.getByText(words, { exact: false }).first()
  const box = await text.evaluate((element, wanted) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const spot = document.createRange()
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const at = (node.nodeValue ?? '').indexOf(wanted)
      if (at < 0) continue
      spot.setStart(node, at)
      spot.setEnd(node, at + wanted.length)
      const { left, right, top, height } = spot.getBoundingClientRect()
      return { left: left + 2, right: right - 2, middle: top + height / 2 }
    }
    throw new Error(`“${wanted}” is not in the transcript`)
  }, words)
  await page.mouse.move(box.left, box.middle)
  await page.mouse.down()
  await page.mouse.move(box.right, box.middle, { steps: 5 })
  await page.mouse.up()
}

test(
  'an empty cut starts from the selects of its project, clip by clip and in their order',
  slow,
  async () => {
    const select = (name: string, from: number, to: number) => ({
      id: randomUUID(),
      name,
      start_frame: from,
      end_frame: to,
    })
    const review = { accepted_cut_frames: [], rejected_cut_frames: [], shot_threshold: null }
    const save = (clip: number, selects: ReturnType<typeof select>[]) =>
      user.client.saveReview({
        params: { id: clips[clip]!.jobId },
        body: { ...review, selects },
      })
    await save(4, [select('Last', 5, 20)])
    await save(0, [select('Late', 40, 50), select('Early', 10, 30)])
    const id = await makeCut([], 'Selects')
    const { page, close } = await open(`/cuts/${id}`)
    await page.getByRole('button', { name: 'Start from the selects (3)' }).click()
    await savedMark(page, 2)
    const { ranges } = await saved(id)
    assert.deepEqual(
      ranges.map((item) => [item.content_id, item.in, item.out, item.name]),
      [
        [clips[0]!.contentId, 10, 30, 'Early'],
        [clips[0]!.contentId, 40, 50, 'Late'],
        [clips[4]!.contentId, 5, 20, 'Last'],
      ],
    )
    for (const clip of [0, 4]) await save(clip, [])
    await close()
  },
)

test(
  '2,000 ranges open, scroll, play, are edited at their end and stay in few rows',
  slow,
  async () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      range(index % 5 === 3 ? 0 : index % 5, (index % 2) * 50, (index % 2) * 50 + 50),
    )
    const id = await makeCut(many, 'Long')
    const { page, problems, close } = await open(`/cuts/${id}`)
    await page.getByText('waited', { exact: false }).first().waitFor()
    const rows = await passages(page).count()
    assert.ok(rows > 3 && rows < 60, `${rows} rows in the page`)
    await page.getByText('2,000 passages', { exact: false }).first().waitFor()
    await page.getByLabel('Text of the cut').hover()
    await page.locator('[data-passages]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    const last = page.getByRole('article', { name: /^Passage 2000,/ })
    await last.getByRole('button', { name: /^Move passage/ }).click()
    await page.keyboard.press('d')
    await page.getByText('This cut is full').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    const moved = await until(
      () => saved(id),
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
      (text) => text !== '00:00:00:00',
    )
    await page.keyboard.press('k')
    const strip = await boxOf(page.getByRole('slider', { name: 'Position in the cut' }))
    await page.mouse.click(strip.x + strip.width / 2, strip.y + 10)
    await until(
      () => position.textContent(),
      (text) => /^00:3[23]:/.test(text ?? ''),
    )
    assert.deepEqual(problems, [])
    await close()
  },
)

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return box
}

test('passages and hits are dragged to their place by mouse', slow, async () => {
  const [a, b, c] = [range(0, 0, 50), range(1, 0, 50), range(2, 0, 50)]
  const id = await makeCut([a, b, c], 'Dragged')
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  const handle = (at: number) =>
    boxOf(
      passages(page)
        .nth(at)
        .getByRole('button', { name: /^Move passage/ }),
    )
  const from = await handle(0)
  const to = await boxOf(passages(page).nth(2))
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 100, to.y + to.height - 6, { steps: 8 })
  await page.locator('[data-insertion]').waitFor()
  await page.mouse.up()
  await orderOf(id, [b.id, c.id, a.id])
  await page.keyboard.press('Control+z')
  await orderOf(id, [a.id, b.id, c.id])
  await page.keyboard.press('Control+Shift+z')
  await orderOf(id, [b.id, c.id, a.id])

  await page.getByLabel('Search the project’s clips').fill('sound')
  const hit = await boxOf(page.getByRole('list', { name: 'Hits' }).getByRole('listitem').first())
  const first = await boxOf(passages(page).first())
  await page.mouse.move(hit.x + 120, hit.y + 10)
  await page.mouse.down()
  await page.mouse.move(first.x + 100, first.y + 4, { steps: 8 })
  await page.mouse.up()
  const added = await until(
    () => saved(id),
    (cut) => cut.ranges.length === 4,
  )
  assert.equal(added.ranges[0]?.content_id, clips[4]!.contentId)
  await close()
})

async function orderOf(id: string, ids: string[]): Promise<void> {
  await until(
    () => saved(id),
    (cut) => cut.ranges.map((item) => item.id).join() === ids.join(),
  )
}

test('a finger moves a passage by its handle, and by a rest on its still', slow, async () => {
  const [a, b] = [range(0, 0, 50), range(1, 0, 50)]
  const id = await makeCut([a, b], 'Touched')
  const { page, context, close } = await open(`/cuts/${id}`, {
    touch: true,
    width: 390,
    height: 844,
  })
  await page.getByText('waited', { exact: false }).waitFor()
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: Math.round(x), y: Math.round(y) }],
    })
  const isDragging = (wanted: boolean) =>
    page.waitForFunction(
      (on) => document.documentElement.classList.contains('dragging') === on,
      wanted,
    )
  const dragTo = async (at: { x: number; y: number }, y: number): Promise<void> => {
    for (let step = 1; step <= 6; step += 1) {
      await touch('touchMove', at.x, at.y + ((y - at.y) * step) / 6)
    }
    await page.locator('[data-insertion]').waitFor()
    await touch('touchEnd')
    await isDragging(false)
  }
  const handle = await boxOf(
    passages(page)
      .first()
      .getByRole('button', { name: /^Move passage/ }),
  )
  const second = await boxOf(passages(page).nth(1))
  const grip = { x: handle.x + 6, y: handle.y + 8 }
  await touch('touchStart', grip.x, grip.y)
  await dragTo(grip, second.y + second.height - 6)
  await orderOf(id, [b.id, a.id])

  await page.locator('[data-passages]').evaluate((list) => list.scrollTo(0, 0))
  const still = await boxOf(
    passages(page).nth(1).getByRole('button', { name: 'Go to the start of the passage' }),
  )
  const first = await boxOf(passages(page).first())
  const rest = { x: still.x + 20, y: still.y + 20 }
  await touch('touchStart', rest.x, rest.y)
  await isDragging(true)
  await dragTo(rest, first.y + 6)
  await orderOf(id, [a.id, b.id])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(wide <= 0, `${wide} pixels too wide`)
  await close()
})

test('trims and struck words land on a cut point nearby, and exactly with Alt', slow, async () => {
  const id = await makeCut([range(0, 0, 46), range(1, 0, 50)], 'Snapped')
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  await passages(page)
    .first()
    .getByRole('button', { name: /^Move passage/ })
    .click()
  const grip = page.getByRole('slider', { name: 'Out of passage 1' })
  const strip = await boxOf(page.getByRole('slider', { name: 'Position in the cut' }))
  const frame = (strip.width - 16) / 96
  const drag = async (frames: number): Promise<void> => {
    const box = await boxOf(grip)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + frames * frame, y, { steps: 4 })
  }
  const outIs = async (out: number): Promise<void> => {
    await until(
      () => saved(id),
      (cut) => cut.ranges[0]?.out === out,
    )
    await until(
      () => grip.getAttribute('aria-valuenow'),
      (value) => value === String(out),
    )
  }
  await drag(1)
  await page.getByText('+2 f snapped').waitFor()
  await page.mouse.up()
  await outIs(48)
  await page.keyboard.down('Alt')
  await drag(-1)
  await page.getByText('−1 f').waitFor()
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await outIs(47)
  await drag(3)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await grip.focus()
  await page.keyboard.press('ArrowLeft')
  await outIs(46)

  const removed = async (count: number) => {
    const { ranges } = await until(
      () => saved(id),
      (cut) => cut.ranges[0]?.removed.length === count,
    )
    return ranges[0]?.removed
  }
  await selectWords(page, 'waited')
  await page.keyboard.press('Backspace')
  assert.deepEqual(await removed(1), [{ in: 10, out: 19 }])
  await selectWords(page, 'waited')
  await page.keyboard.press('Backspace')
  assert.deepEqual(await removed(0), [], 'and with the word its pauses come back')
  await selectWords(page, 'waited')
  await page.keyboard.press('Alt+Backspace')
  assert.deepEqual(await removed(1), [{ in: 11, out: 18 }])
  await close()
})

test('the cut screen and the list have no violation, and fit a narrow window', slow, async () => {
  const id = await makeCut([range(0, 0, 50), range(1, 0, 50)], 'Looks')
  const { page, close } = await open(`/cuts/${id}`)
  await page.getByText('waited', { exact: false }).waitFor()
  await passages(page)
    .first()
    .getByRole('button', { name: /^Move passage/ })
    .click()
  assert.deepEqual(await violationsInLooks(page), [])
  assert.equal(await passages(page).and(page.locator('[data-playing]')).count(), 1)
  const place = page.getByRole('link', { name: 'River', exact: true })
  assert.equal(await place.getAttribute('href'), `/library?project_id=${projectId}`)
  await page.goto(`${studio.server.url}/cuts`)
  await page.getByText('Looks').waitFor()
  assert.deepEqual(await violationsInLooks(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${studio.server.url}/cuts/${id}`)
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
