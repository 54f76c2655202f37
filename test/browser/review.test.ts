/** What an editor decides while reviewing, and that the files follow it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseEdl } from '../export-parsers/edl.ts'
import type { Edit } from '../export-parsers/edit.ts'
import type { TestUser } from '../server.ts'
import { signedIn, visit } from './browser.ts'
import { recordCalls } from './stubs.ts'
import { exportBy, openStudio, textOf } from './studio.ts'
import type { Studio } from './studio.ts'

/** Two hard cuts, and one at frame 100 that is plain to see but not beyond doubt. */
const cuts = { sure: [50, 200], soft: 100 }
const frames = 250

/** As if somebody spoke in it. */
const spoken = {
  language: 'en',
  text: 'Wait for the fog.',
  paragraphs: [{ first_word: 0, last_word: 3, start_frame: 0, end_frame: 38 }],
  words: ['Wait', 'for', 'the', 'fog.'].map((text, index) => ({
    text,
    start: index * 0.4,
    end: index * 0.4 + 0.3,
    start_frame: index * 10,
    end_frame: index * 10 + 8,
    confidence: 0.9,
  })),
}

describe('review', { timeout: 240_000 }, () => {
  let studio: Studio
  let user: TestUser
  let contentId: string

  before(async () => {
    studio = await openStudio()
    user = await studio.server.user()
    const part = (source: string): string => `-f lavfi -i ${source}:size=320x180:rate=25:duration=2`
    const clip = await makeClip(
      studio.folder,
      `${part('color=0x808080')} ${part('testsrc2=d=2')} ${part('color=0x8a8a8a')}
        ${part('color=0x767676')} ${part('smptebars=d=2')}
        -filter_complex [0][1][2][3][4]concat=n=5:v=1,format=yuv420p
        -c:v libx264 -preset ultrafast soft.mp4`,
    )
    contentId = (await studio.upload(user, clip)).id
  })
  after(() => studio?.stop())

  /** A job of its own for each test; from the second on its results are the stored ones. */
  async function openReview(
    size: { width?: number; height?: number } = {},
  ): Promise<{ page: Page; jobId: string; close: () => Promise<void> }> {
    const job = await studio.finish(user, contentId, 'thumbnail,shots,cutpoints')
    assert.equal(job.status, 'completed')
    const address = `${studio.server.url}/jobs/${job.id}`
    const storage = signedIn(user)
    const { page, close } = await visit(studio.browser, address, { storage, ...size })
    await page.getByRole('tab', { name: 'Shots 4' }).waitFor()
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    return { page, jobId: job.id, close }
  }

  it('the threshold cuts anew at once, without asking the server, and the export follows', async () => {
    const { page, jobId, close } = await openReview()
    const { calls } = recordCalls(page)
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    await page.getByRole('slider', { name: 'Shot threshold' }).fill('0.8')
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await page.getByText('3 shots · 3 cut points').waitFor()
    assert.equal(await page.getByRole('tabpanel').getByRole('listitem').count(), 3)
    const keeping = `PUT /jobs/${jobId}/review`
    assert.deepEqual(
      calls.filter((call) => call !== keeping),
      [],
    )
    assert.deepEqual(clipsOf(await exportBy(page, /^EDL/)), [
      [0, 50],
      [50, 200],
      [200, 250],
    ])
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('tab', { name: 'Shots 4' }).waitFor()
    assert.deepEqual(
      clipsOf(await exportBy(page, /^EDL/)).map(([start]) => start),
      [0, cuts.sure[0], cuts.soft, cuts.sure[1]],
    )
    await close()
  })

  it('a threshold is there again after a reload', async () => {
    const { page, close } = await openReview()
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    const kept = page.waitForResponse((response) => response.url().endsWith('/review'))
    await page.getByRole('slider', { name: 'Shot threshold' }).fill('0.8')
    assert.equal((await kept).request().method(), 'PUT')
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await close()
  })

  it('accepted and rejected cut points follow into the export', async () => {
    const { page, close } = await openReview()
    await page.getByRole('tab', { name: 'Cut points 3' }).click()
    await page.getByRole('button', { name: 'Reject 00:00:04:00', pressed: false }).click()
    await page.getByRole('button', { name: 'Reject 00:00:04:00', pressed: true }).waitFor()
    assert.deepEqual(
      clipsOf(await exportBy(page, /^EDL/, 'Cut points')).map(([start]) => start),
      [0, ...cuts.sure],
    )
    await page.getByRole('button', { name: 'Accept 00:00:08:00' }).click()
    assert.deepEqual(clipsOf(await exportBy(page, /^EDL/, 'Cut points')), [
      [0, 200],
      [200, frames],
    ])
    await close()
  })

  it('what is decided before the earlier decisions have arrived is kept with them', async () => {
    const { page, jobId, close } = await openReview()
    const earlier = { id: randomUUID(), name: 'Opening', start_frame: 0, end_frame: 10 }
    await user.client.saveReview({
      params: { id: jobId },
      body: {
        selects: [earlier],
        accepted_cut_frames: [],
        rejected_cut_frames: [],
        shot_threshold: null,
      },
    })
    const arrival = Promise.withResolvers<void>()
    await page.route(`**/jobs/${jobId}/review`, async (route) => {
      if (route.request().method() === 'GET') await arrival.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 4' }).waitFor()
    await page.keyboard.press('h')
    const kept = page.waitForResponse((response) => response.request().method() === 'PUT')
    arrival.resolve()
    await page.getByText('2 selects ·').first().waitFor()
    await kept
    const { review } = await user.client.getReview({ params: { id: jobId } })
    assert.deepEqual(
      review.selects.map((item) => [item.name, item.start_frame, item.end_frame]),
      [
        ['Opening', 0, 10],
        ['Select 2', 0, 50],
      ],
    )
    await close()
  })

  it('selects made by keys are what an export of selects holds', async () => {
    const { page, close } = await openReview()
    await page.keyboard.press('ArrowDown')
    for (const key of ['i', 'Shift+ArrowRight', 'o', 'h']) await page.keyboard.press(key)
    // Without marks, a select is the shot under the playhead.
    for (const key of ['ArrowDown', 'ArrowDown', 'h']) await page.keyboard.press(key)
    await page.getByText('2 selects ·').first().waitFor()
    assert.deepEqual(clipsOf(await exportBy(page, /^EDL/, 'Selects'), 0), [
      [50, 76],
      [200, 250],
    ])
    await close()
  })

  it('out on a cut ends before it; the passage is drawn, nothing moves, and its file has a name', async () => {
    const { page, close } = await openReview({ width: 1440, height: 900 })
    const marked = page.locator('[data-marked-range]')
    const button = page.getByRole('button', { name: 'Select' })
    const before = await button.boundingBox()
    await page.keyboard.press('i')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('o')
    await page.getByText('00:00:02:00', { exact: true }).first().waitFor()
    const lanes = await page.getByRole('slider', { name: 'Playhead' }).boundingBox()
    const range = await marked.boundingBox()
    assert.ok(lanes && range)
    assert.ok(Math.abs(range.width - lanes.width / 5) < 1, `${range.width} of ${lanes.width}`)
    assert.ok(range.height > lanes.height * 0.8)
    assert.deepEqual(await button.boundingBox(), before)
    await page.keyboard.press('h')
    await marked.waitFor({ state: 'detached' })
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'EDL', exact: true }).click()
    const file = await waiting
    assert.equal(file.suggestedFilename(), 'soft - selects.edl')
    assert.deepEqual(clipsOf(await textOf(file), 0), [[0, 50]])
    await close()
  })

  it('zooming and jumping keep the playhead in view', async () => {
    const { page, close } = await openReview()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('+')
    assert.deepEqual(await playheadInView(page), [true, true])
    await page.keyboard.press('ArrowUp')
    assert.equal(await frameOf(page), cuts.soft)
    // Arrows on the divider are the divider's.
    const field = page.getByRole('slider', { name: 'Playhead' })
    const before = await field.boundingBox()
    await page.getByRole('separator', { name: 'Height of the timeline' }).press('ArrowUp')
    const after = await field.boundingBox()
    assert.ok(before && after && after.height > before.height)
    assert.equal(await frameOf(page), cuts.soft)
    assert.deepEqual(await playheadInView(page), [true, true])
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('-')
    assert.deepEqual(await playheadInView(page), [true, false])
    await close()
  })

  it('a slash finds in the transcript from any tab, and letters after it are no shortcuts', async () => {
    const { page, close } = await openReview()
    await page.route('**/results', async (route) => {
      const answer = await route.fetch()
      const { results } = (await answer.json()) as { results: object }
      await route.fulfill({ json: { results: { ...results, transcription: spoken } } })
    })
    await page.reload()
    await page.getByRole('tab', { name: 'Selects' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('fog')
    const field = page.getByRole('searchbox', { name: 'Find in the transcript' })
    assert.equal(await field.inputValue(), 'fog')
    assert.equal(await page.locator('[data-marked-range]').count(), 0)
    await page.keyboard.press('Enter')
    assert.equal(await frameOf(page), 30)
    await close()
  })

  it('the page is as high as its window with each tab, and the last one is a file too', async () => {
    const { page, close } = await openReview({ width: 1440, height: 900 })
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click()
        const whole = await page.evaluate(() => document.documentElement.scrollHeight)
        assert.equal(whole, height, (await tab.textContent()) ?? '')
      }
    }
    const waiting = page.waitForEvent('download')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Download' }).click()
    const found = JSON.parse(await textOf(await waiting)) as { media?: { frames?: number } }
    assert.equal(found.media?.frames, frames)
    await close()
  })

  it('sound alone is heard, and shown as its waveform', async () => {
    const clip = await makeClip(
      studio.folder,
      '-f lavfi -i sine=frequency=300:duration=4 -c:a pcm_s16le memo.wav',
    )
    const job = await studio.finish(user, (await studio.upload(user, clip)).id, 'thumbnail')
    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await page.getByText('No picture in this file').waitFor()
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 2)
    await page.locator('svg path[d^="M0.5 "]').waitFor()
    assert.equal(await page.getByText('fps').count(), 0)
    await page.keyboard.press(' ')
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.2)
    await page.keyboard.press('k')
    assert.ok((await frameOf(page)) >= 5)
    await close()
  })

  it('what is no timecode is refused where it was typed', async () => {
    const { page, close } = await openReview()
    const field = page.getByRole('textbox', { name: 'Timecode' })
    await field.fill('garbage')
    await field.press('Enter')
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.inputValue(), '00:00:00:00')
    await field.pressSequentially('200')
    await field.press('Enter')
    assert.equal(await frameOf(page), 50)
    assert.equal(await field.getAttribute('aria-invalid'), 'false')
    await close()
  })

  it('J, K and L run, stop and reverse the picture, faster with each press', async () => {
    const { page, close } = await openReview()
    const speed = page.getByText(/^-?\d×$/)
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.keyboard.press('l')
    assert.equal(await speed.innerText(), '2×')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    const stoodAt = await frameOf(page)
    assert.ok(stoodAt > 10, `stood at ${stoodAt}`)
    await page.keyboard.press('j')
    assert.equal(await speed.innerText(), '-1×')
    await page.waitForFunction(
      (from) => Number(document.querySelector('[role=slider]')?.ariaValueNow) < from - 5,
      stoodAt,
    )
    await page.keyboard.press('k')
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    await close()
  })

  it('arrows move by frames, seconds and cuts', async () => {
    const { page, close } = await openReview()
    const steps: [string, number][] = [
      ['ArrowRight', 1],
      ['ArrowRight', 2],
      ['ArrowLeft', 1],
      ['ArrowLeft', 0],
      ['ArrowLeft', 0],
      ['Shift+ArrowRight', 25],
      ['ArrowDown', 50],
      ['ArrowDown', 100],
      ['Shift+ArrowLeft', 75],
      ['ArrowUp', 50],
      ['ArrowUp', 0],
    ]
    for (const [key, frame] of steps) {
      await page.keyboard.press(key)
      assert.equal(await frameOf(page), frame, key)
    }
    await close()
  })

  it('single keys can be switched off, and stay off; arrows still work', async () => {
    const { page, close } = await openReview()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    // The hand that pressed ? rests on the keys: Space must not switch them all off.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
    await page.keyboard.press(' ')
    assert.ok(await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).isChecked())
    await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    for (const key of ['e', 'h', 'l', '?', 'i']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowRight')
    assert.equal(await frameOf(page), 1)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByText('0 selects').waitFor()
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 4' }).waitFor()
    await page.keyboard.press('e')
    await page.keyboard.press('ArrowRight')
    assert.equal(await frameOf(page), 1)
    assert.equal(await page.getByRole('dialog').count(), 0)
    // The buttons that the keys stand for are still there, the way back among them.
    await page.getByRole('button', { name: 'All shortcuts' }).click()
    await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).check()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Export' }).waitFor()
    await close()
  })
})

/** First and last frame of each clip in the footage. */
function clipsOf(edl: string, sourceStart?: number): [number, number][] {
  const { picture, sourceStart: first } = parseEdl(edl, 25)
  // The parser counts from the first clip; the footage starts at 00:00:00:00.
  const offset = sourceStart === undefined ? 0 : first - sourceStart
  return picture.map((edit: Edit) => [edit.sourceIn + offset, edit.sourceOut + offset])
}

async function frameOf(page: Page): Promise<number> {
  return Number(await page.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow'))
}

/** The playhead's line is in view; and there is more of the timeline than the view holds. */
async function playheadInView(page: Page): Promise<[boolean, boolean]> {
  return page.getByRole('slider', { name: 'Playhead' }).evaluate(async (field) => {
    // Scrolling is told a frame later.
    await new Promise(requestAnimationFrame)
    const view = field.parentElement!
    const line = field.querySelector('.bg-playhead')!.getBoundingClientRect()
    const { left, right } = view.getBoundingClientRect()
    return [line.left >= left && line.right <= right, view.scrollWidth > view.clientWidth]
  })
}
