/** Decisions of an editor while reviewing, which the files follow. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseEdl } from '../export-parsers/edl.ts'
import type { Edit } from '../export-parsers/edit.ts'
import { signedIn, visit } from '../support/browser.ts'
import { cuts, frameOf, frames, openCuttingRoom } from '../support/review-page.ts'
import { recordCalls } from '../support/stubs.ts'
import { exportBy, pickFormat, textOf } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { emptyReview } from '../../contract/footage/review.ts'

describe('review', { timeout: 240_000 }, () => {
  const room = use(openCuttingRoom)

  it('the threshold cuts again at once, without asking the server, and the export follows', async () => {
    const { page, jobId, close } = await room.openReview()
    const { calls } = recordCalls(page)
    // The decision is on its way for a while, and the export is asked for meanwhile.
    const keepMs = 2000
    await page.route(`**/jobs/${jobId}/review`, async (route) => {
      await wait(keepMs)
      await route.continue()
    })
    const kept = page.waitForRequest(`**/jobs/${jobId}/review`)
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    await page.getByRole('slider', { name: 'Shot threshold' }).fill('0.9')
    await kept
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

  it('a decision that cannot be saved is not exported, and not lost', slow, async () => {
    const { page, jobId, close } = await room.openReview()
    const away = { isAway: true }
    await page.route(`**/jobs/${jobId}/review`, async (route) => {
      if (away.isAway && route.request().method() === 'PUT') await route.abort()
      else await route.continue()
    })
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    await page.getByRole('slider', { name: 'Shot threshold' }).fill('0.9')
    await page.getByRole('button', { name: 'EDL', exact: true }).click()
    await page.getByText('Not exported').waitFor()
    // Somebody else decides meanwhile, and the screen is left and opened again.
    const elsewhere = { id: randomUUID(), name: 'Elsewhere', start_frame: 0, end_frame: 10 }
    await room.user.client.saveReview({
      params: { id: jobId },
      body: { ...emptyReview, selects: [elsewhere] },
    })
    await page.getByRole('link', { name: 'Library' }).first().click()
    away.isAway = false
    await page.goBack()
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await page.getByText('1 select ·').first().waitFor()
    await until(async () => {
      const { review } = await room.user.client.getReview({ params: { id: jobId } })
      return review.shot_threshold === 0.9 && review.selects.length === 1
    })
    await close()
  })

  it('a threshold is there again after a reload', slow, async () => {
    const { page, close } = await room.openReview()
    await page.getByRole('tab', { name: 'Shots 4' }).click()
    const kept = page.waitForResponse((response) => response.url().endsWith('/review'))
    await page.getByRole('slider', { name: 'Shot threshold' }).fill('0.9')
    assert.equal((await kept).request().method(), 'PUT')
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await close()
  })

  it('accepted and rejected cut points follow into the export', slow, async () => {
    const { page, close } = await room.openReview()
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

  it(
    'what is decided before the earlier decisions have arrived is kept with them',
    slow,
    async () => {
      const { page, jobId, close } = await room.openReview()
      const earlier = { id: randomUUID(), name: 'Opening', start_frame: 0, end_frame: 10 }
      await room.user.client.saveReview({
        params: { id: jobId },
        body: { ...emptyReview, selects: [earlier] },
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
      const { review } = await room.user.client.getReview({ params: { id: jobId } })
      assert.deepEqual(
        review.selects.map((item) => [item.name, item.start_frame, item.end_frame]),
        [
          ['Opening', 0, 10],
          ['Select 2', 0, 50],
        ],
      )
      await close()
    },
  )

  it('the picture goes on where it was when its address is renewed', slow, async () => {
    const { page, close } = await room.openReview()
    await page.keyboard.press('ArrowDown')
    assert.equal(await frameOf(page), 50)
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.load())
    await page.waitForFunction(() => {
      const video = document.querySelector('video')
      return video && video.readyState >= 2 && Math.floor(video.currentTime * 25 + 0.01) === 50
    })
    await close()
  })

  it('a decision a moment before the page is left is kept', slow, async () => {
    const { page, close } = await room.openReview()
    await page.keyboard.press('h')
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    await close()
  })

  it(
    'what was decided elsewhere is there when one comes back to the tab, and is not overwritten',
    slow,
    async () => {
      const { page, context, close } = await room.openReview()
      const other = await context.newPage()
      await other.goto(page.url())
      await other.getByRole('tab', { name: 'Shots 4' }).waitFor()
      for (const tab of [page, other]) {
        // A browser without a screen hides no tab, so the page is informed of coming back.
        await tab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
        const count = tab === page ? 0 : 1
        await tab.getByRole('tab', { name: `Selects ${count}` }).waitFor()
        const kept = tab.waitForResponse((response) => response.request().method() === 'PUT')
        // Each takes a shot of its own.
        if (tab === other) await tab.keyboard.press('ArrowDown')
        await tab.keyboard.press('h')
        await tab.getByRole('tab', { name: `Selects ${count + 1}` }).waitFor()
        await kept
      }
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('tab', { name: 'Selects 2' }).waitFor()
      await close()
    },
  )

  it(
    'an export asks for what can be seen in its dialog, and offers what there is',
    slow,
    async () => {
      const { page, close } = await room.openReview()
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await pickFormat(page, /^EDL/)
      assert.equal(await dialog.getByRole('radio', { name: /^SRT/ }).isDisabled(), true)
      await dialog.getByLabel('Start timecode').fill('10:00:00:00')
      await dialog.getByRole('radio', { name: /^JSON/ }).check()
      const asked = page.waitForRequest(/\/export\?/)
      await dialog.getByRole('button', { name: 'Download' }).click()
      assert.equal(new URL((await asked).url()).search, '?format=json')
      await dialog.waitFor({ state: 'detached' })
      await close()
    },
  )

  it('selects made by keys are what an export of selects holds', slow, async () => {
    const { page, close } = await room.openReview()
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

  it(
    'out on a cut ends before it; the passage is drawn, nothing moves, and its file has a name',
    slow,
    async () => {
      const { page, close } = await room.openReview({ width: 1440, height: 900 })
      const marked = page.locator('[data-marked-range]')
      const button = page.getByRole('button', { name: /^Select/ })
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
    },
  )

  it(
    'the page is as high as its window with each tab, and the last one is a file too',
    slow,
    async () => {
      const { page, close } = await room.openReview({ width: 1440, height: 900 })
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
      const exported = JSON.parse(await textOf(await waiting)) as { media?: { frames?: number } }
      assert.equal(exported.media?.frames, frames)
      await close()
    },
  )

  it('the folder of the media is asked for once and used by every export', slow, async () => {
    const { page, jobId, close } = await room.openReview()
    await page.getByRole('button', { name: /^Export/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    await pickFormat(page, /^EDL/)
    await dialog.getByRole('radio', { name: /^Marker table: .*For Premiere take XML/ }).waitFor()
    const folder = dialog.getByLabel('Where is the media on your computer?')
    assert.equal(await folder.count(), 0, 'an EDL names no file')
    await dialog.getByRole('radio', { name: /^XML/ }).check()
    await folder.fill(String.raw`D:\Footage\Day 1`)
    const waiting = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const xml = await textOf(await waiting)
    const path = 'D%3a/Footage/Day%201/soft.mp4'
    assert.ok(xml.includes(`file://localhost/${path}`), /<pathurl>.*/.exec(xml)?.[0])
    await page.reload()
    await page.getByRole('button', { name: /^Export/ }).click()
    await dialog.getByRole('radio', { name: /^FCPXML/ }).check()
    await dialog.getByText('Kept for your account').waitFor()
    assert.equal(await folder.inputValue(), String.raw`D:\Footage\Day 1`)
    // The API and the quick buttons use it too; a path of one request comes first.
    const { server } = room.studio
    const { token } = room.user
    const take = async (more: string) => {
      const address = `/v1/jobs/${jobId}/export?format=otio${more}`
      return (await server.fetch(address, { token })).text()
    }
    assert.match(await take(''), /Footage\/Day%201\/soft.mp4/)
    assert.match(await take('&media_path=/Volumes/A/'), /Volumes\/A\/soft.mp4/)
    await room.user.client.savePreferences({ body: { media_folder: null } })
    assert.doesNotMatch(await take(''), /Footage/)
    await close()
  })

  it('sound alone is heard, and shown as its waveform', slow, async () => {
    const clip = await makeClip(
      room.studio.folder,
      '-f lavfi -i sine=frequency=300:duration=4 -c:a pcm_s16le memo.wav',
    )
    const job = await room.studio.finish(
      room.user,
      (await room.studio.upload(room.user, clip)).id,
      'thumbnail',
    )
    const address = `${room.studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(room.studio.browser, address, {
      storage: signedIn(room.user),
    })
    await page.getByText('Audio only').waitFor()
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 2)
    await page.locator('svg path[d^="M0.5 "]').waitFor()
    assert.equal(await page.getByText('fps').count(), 0)
    const isMuted = () => page.locator('audio').evaluate((sound: HTMLAudioElement) => sound.muted)
    await page.keyboard.press('m')
    assert.equal(await isMuted(), true)
    await page.getByRole('button', { name: 'Sound on (M)' }).click()
    assert.equal(await isMuted(), false)
    await page.keyboard.press(' ')
    await page.waitForFunction(
      () => Number(document.querySelector('[role=slider]')?.ariaValueNow) >= 5,
    )
    assert.ok(await page.evaluate(() => (document.querySelector('audio')?.currentTime ?? 0) > 0))
    await close()
  })
})

/** First and last frame of each clip in the footage. */
function clipsOf(edl: string, sourceStart?: number): [number, number][] {
  const { video, sourceStart: first } = parseEdl(edl, 25)
  // The parser counts from the first clip; the footage starts at 00:00:00:00.
  const offset = sourceStart === undefined ? 0 : first - sourceStart
  return video.map((edit: Edit) => [edit.sourceIn + offset, edit.sourceOut + offset])
}
