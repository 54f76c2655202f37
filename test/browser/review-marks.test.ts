/** Marks, playing between them, and the ways to a select, by finger as well as by key. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { signedIn, visit } from '../support/browser.ts'
import { countClicks, exportBy, textOf } from '../support/browser-job-app.ts'
import { frameOf, frames, openCuttingRoom } from '../support/review-page.ts'
import type { CuttingRoom } from '../support/review-page.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('marks and selects', { ...slow, timeout: 240_000 }, () => {
  const room = use(openCuttingRoom)

  it('buttons mark in and out, and what lies between is played and looped', async () => {
    const { page, close } = await room.openReview()
    const button = (name: string) => page.getByRole('button', { name })
    await page.keyboard.press('Shift+ArrowRight')
    await button('Mark in (I)').click()
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
    await button('Mark out (O)').click()
    await page.locator('[data-marked-range]').waitFor()
    await page.keyboard.press('Home')
    assert.equal(await frameOf(page), 0)
    await button('Play in to out (P)').click()
    await button('Play (Space)').waitFor()
    await page.waitForFunction(() => document.querySelector('[role=slider]')?.ariaValueNow === '29')
    // Looping, it comes by its first frame again and again until it is stopped.
    await button('Loop (R)').click()
    assert.equal(await button('Loop (R)').getAttribute('aria-pressed'), 'true')
    const seen = await turnsOf(page)
    await page.keyboard.press('p')
    await page.waitForFunction(() => (window as unknown as Turns).turns >= 2)
    assert.deepEqual(await seen(), [])
    await page.keyboard.press('k')
    await button('Clear in and out (X)').click()
    await page.locator('[data-marked-range]').waitFor({ state: 'detached' })
    await close()
  })

  it('nothing is said of selects that are on their way', async () => {
    const { page, context, close } = await room.openReview()
    const held = Promise.withResolvers<void>()
    await context.route(/\/jobs\/[\w-]+\/review$/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('tab', { name: /^Selects/ }).click()
    const panel = page.getByRole('tabpanel', { name: /^Selects/ })
    await panel.getByText(/Loading…|No selects yet/).waitFor()
    assert.equal(await panel.innerText(), 'Loading…')
    held.resolve()
    await panel.getByText('Loading…').waitFor({ state: 'detached' })
    await close()
  })

  it('H and then A put the same frames into a cut, and the dialogs name them', async () => {
    const { page, close } = await room.openReview()
    const cutsOf = async () => (await room.user.client.listCuts({ query: {} })).cuts
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('i')
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('o')
    await page.keyboard.press('h')
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: 'Add to cut' })
    const named = 'Select 1 · 00:00:01:00 – 00:00:01:10 · 00:00:00:10'
    await dialog.getByText(named).waitFor()
    await dialog.getByRole('button', { name: 'New cut…' }).click()
    const fresh = page.getByRole('dialog', { name: 'New cut' })
    await fresh.getByText(named).waitFor()
    await fresh.getByLabel('Name', { exact: true }).fill('After H')
    await fresh.getByRole('button', { name: 'Create cut' }).click()
    await page.getByText('Added 1 clip').waitFor()
    const [cut] = await cutsOf()
    const saved = await room.user.client.getCut({ params: { id: cut!.id }, query: {} })
    const range = saved.cut.ranges.map((item) => [item.name, item.in, item.out])
    assert.deepEqual(range, [['Select 1', 25, 35]])
    // Elsewhere, A adds what is there: the shot at the playhead.
    await page.keyboard.press('End')
    await page.keyboard.press('a')
    await dialog.getByText('00:00:08:00 – 00:00:10:00 · 00:00:02:00').waitFor()
    await page.keyboard.press('Escape')
    await close()
  })

  it('one key goes to the next shot, another to the next cut point; Home and End to the edges', async () => {
    const { page, jobId, close } = await room.openReview()
    const { results } = await room.user.client.getJobResults({ params: { id: jobId }, query: {} })
    const points = (results.cutpoints?.points ?? []).map(({ frame }) => frame)
    const [first = 0] = points.filter((frame) => frame > 0).toSorted((a, b) => a - b)
    assert.ok(first > 0, 'there is a cut point to go to')
    await page.keyboard.press('Shift+ArrowDown')
    assert.equal(await frameOf(page), first)
    await page.keyboard.press('End')
    assert.equal(await frameOf(page), frames - 1)
    await page.keyboard.press('Home')
    for (const shot of [50, 100, 200]) {
      await page.keyboard.press('ArrowDown')
      assert.equal(await frameOf(page), shot)
    }
    await close()
  })

  it('the timeline fits again after zooming, and the picture fills the screen', async () => {
    const { page, close } = await room.openReview()
    const field = page.getByRole('slider', { name: 'Playhead' })
    const width = async () => (await field.boundingBox())?.width ?? 0
    const whole = await width()
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('+')
    assert.ok((await width()) > whole * 3)
    await page.keyboard.press('\\')
    assert.equal(await width(), whole)
    await page.getByRole('button', { name: 'Full screen (F)' }).click()
    await page.waitForFunction(() => Boolean(document.fullscreenElement?.querySelector('video')))
    await page.keyboard.press('f')
    await page.waitForFunction(() => document.fullscreenElement === null)
    await close()
  })

  it('a shot card becomes a select, and the quick button exports what the dialog exports', async () => {
    const { page, close } = await room.openReview()
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    await page.getByRole('button', { name: 'Add shot 02 to the selects' }).click()
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'EDL', exact: true }).click()
    const quick = await textOf(await waiting)
    assert.equal(await exportBy(page, /^EDL/), quick)
    await close()
  })

  it('from the library to an FCPXML of four selects takes at most 14 clicks', async (t) => {
    const { page, close } = await room.openReview()
    await page.goto(new URL('/library', page.url()).href)
    const clicks = await countClicks(page)
    await page.getByText('soft.mp4', { exact: true }).first().click()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    for (const shot of ['01', '02', '03', '04']) {
      await page.getByRole('button', { name: `Add shot ${shot} to the selects` }).click()
    }
    await page.getByRole('tab', { name: 'Selects 4' }).waitFor()
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('radio', { name: /^Final Cut Pro/ }).check()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download for Final Cut Pro' }).click()
    const { video } = parseFcpxml(await textOf(await waiting))
    assert.equal(video.length, 4)
    const count = await clicks()
    t.diagnostic(`analysed clip to FCPXML of four selects: ${count} clicks, at most 14`)
    assert.ok(count <= 14, `${count} clicks`)
    await close()
  })

  it('every lane stands above the lower edge of a window 900 high, and none is empty', async () => {
    const { page, close } = await room.openReview({ width: 1440, height: 900 })
    const names = page.getByRole('region', { name: 'Timeline' }).locator('[data-lane]')
    const lanes = await names.evaluateAll((all) =>
      all.map((lane) => [lane.textContent, lane.getBoundingClientRect().bottom <= innerHeight]),
    )
    // Nobody talks in it and nothing is heard.
    assert.deepEqual(lanes, [
      ['', true],
      ['Thumbnails', true],
      ['Shots', true],
      ['Cut points', true],
      ['Selects', true],
    ])
    const [select, cut] = [/^Select\b/, /^Cut\b/].map((name) => page.getByRole('button', { name }))
    assert.equal((await cut?.boundingBox())?.y, (await select?.boundingBox())?.y, 'one row')
    await close()
  })

  it('a quiet waveform is as high as its lane, and its volume can be set', async () => {
    const clip = await makeClip(
      room.studio.folder,
      `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 -f lavfi -i sine=frequency=300:duration=2
        -filter:a volume=0.4 -c:v libx264 -preset ultrafast -c:a aac quiet.mp4`,
    )
    const { studio, user } = room
    const job = await studio.finish(user, (await studio.upload(user, clip)).id, 'thumbnail')
    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    const lane = page.locator('[data-lane="audio"]')
    await lane.waitFor()
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('section canvas')
      const name = document.querySelector<HTMLElement>('[data-lane="audio"]')
      if (!canvas || !name) return false
      const ratio = canvas.height / canvas.clientHeight
      const offset = name.getBoundingClientRect().top - canvas.getBoundingClientRect().top
      const top = Math.round(offset * ratio)
      const height = Math.round(name.offsetHeight * ratio)
      const paint = canvas.getContext('2d')
      const data = paint?.getImageData(0, top, canvas.width, height).data ?? []
      const rows = new Set<number>()
      for (let at = 3; at < data.length; at += 4) {
        if ((data[at] ?? 0) > 128) rows.add(Math.floor(at / 4 / canvas.width))
      }
      return rows.size > height * 0.6
    })
    await page.getByRole('slider', { name: 'Volume' }).fill('0.5')
    assert.equal(
      await page.locator('video').evaluate((video: HTMLVideoElement) => video.volume),
      0.5,
    )
    await close()
  })

  it('a hit of the search becomes a select of its job', async () => {
    const { page, jobId, close } = await room.openReview()
    await page.goto(`${room.studio.server.url}/search?q=cut`)
    await page
      .getByRole('button', { name: /^Add .* to the selects$/ })
      .first()
      .click()
    await page.getByText('Select added').waitFor()
    const reviews = await allReviews(room)
    assert.equal(reviews.flatMap((review) => review.selects).length >= 1, true, jobId)
    await close()
  })
})

interface Turns {
  turns: number
}

/** Counts how often the playhead comes back to the first frame, and notes frames out of range. */
async function turnsOf(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const counted = { turns: 0, outside: [] as number[] }
    let last = -1
    const slider = document.querySelector('[role=slider]')
    new MutationObserver(() => {
      const frame = Number(slider?.ariaValueNow)
      if (frame < last) counted.turns += 1
      if (last >= 0 && (frame < 25 || frame >= 30)) counted.outside.push(frame)
      last = frame
      Object.assign(window, counted)
    }).observe(slider!, { attributes: true, attributeFilter: ['aria-valuenow'] })
    Object.assign(window, counted)
  })
  return () => page.evaluate(() => (window as unknown as { outside: number[] }).outside)
}

async function allReviews({ user }: CuttingRoom) {
  const { jobs } = await user.client.listJobs({ query: { limit: 100 } })
  return Promise.all(
    jobs.map(async ({ id }) => (await user.client.getReview({ params: { id } })).review),
  )
}
