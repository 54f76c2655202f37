/** The page of a clip in Chromium: it plays before any analysis, and is analysed where it plays. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import type { TestUser } from '../support/app.ts'
import { signedIn, visit } from '../support/browser.ts'
import type { Visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import { frameOf } from '../support/review-page.ts'
import { use } from '../support/use.ts'

describe('the page of a clip', { timeout: 240_000 }, () => {
  const studio = use(openStudio)
  let clip: string
  let silent: string

  before(async () => {
    clip = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=320x180:rate=25:duration=2
        -f lavfi -i color=red:size=320x180:rate=25:duration=2
        -filter_complex [0][1]concat=n=2:v=1,format=yuv420p[v] -map [v]
        -c:v libx264 -preset ultrafast -timecode 01:00:00:00 page.mp4`,
    )
    silent = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i anullsrc -shortest
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac silent.mp4`,
    )
  })

  async function open(user: TestUser, path: string): Promise<Visit> {
    return visit(studio.browser, studio.server.url + path, { storage: signedIn(user) })
  }

  it('plays, marks and keeps selects before any analysis, which then begins with them', async () => {
    const user = await studio.server.user()
    const { id } = await studio.upload(user, clip)
    const { page, close } = await open(user, `/library/${id}`)
    await page.getByText('Not analysed', { exact: true }).waitFor()
    await plays(page)
    await page.getByText('Playing from the upload').waitFor()
    assert.equal(await page.getByLabel('Timecode; type to jump').inputValue(), '01:00:00:00')
    const keeping = page.waitForResponse(
      (response) => response.url().endsWith(`/content/${id}/review`) && response.status() === 200,
    )
    for (const key of ['ArrowRight', 'ArrowRight', 'i', 'Shift+ArrowRight', 'o', 'h']) {
      await page.keyboard.press(key)
    }
    await keeping
    assert.equal(await frameOf(page), 27)
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    await page.keyboard.press('l')
    await page.waitForFunction(() => document.querySelector('video')?.paused === false)
    await page.keyboard.press('k')

    const rail = page.getByRole('region', { name: 'What to find' })
    await rail.getByText('$0.012', { exact: true }).first().waitFor()
    for (const name of ['Metadata', 'People talking', 'Cut points']) {
      await rail.getByRole('checkbox', { name }).uncheck()
    }
    await rail.getByRole('button', { name: 'Analyse · $0.03' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('tab', { name: 'Shots 2' }).waitFor()
    await page.getByText('completed', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
    await rail.getByText('2 shots').waitFor()
    assert.equal(await rail.getByRole('checkbox', { name: 'Shot changes' }).count(), 0)
    const jobId = new URL(page.url()).searchParams.get('job') ?? ''
    const { review } = await user.client.getReview({ params: { id: jobId } })
    assert.deepEqual(
      review.selects.map((item) => [item.start_frame, item.end_frame]),
      [[2, 28]],
    )
    await close()
  })

  it('keys go through the clips beside it, and one without speech opens on its shots', async () => {
    const user = await studio.server.user()
    const [first, second] = [await studio.upload(user, clip), await studio.upload(user, silent)]
    await studio.finish(user, second.id, 'shots,transcription')
    const { page, close } = await open(user, `/library/${first.id}`)
    const strip = page.getByRole('navigation', { name: 'Clips beside this one' })
    await strip.getByRole('link').nth(1).waitFor()
    await plays(page)
    await page.keyboard.press('PageDown')
    await page.waitForURL(`**/library/${second.id}`)
    await page.getByRole('tab', { name: 'Transcript none' }).waitFor()
    await page.getByRole('tab', { name: /^Shots \d/, selected: true }).waitFor()
    assert.equal(await strip.locator('[aria-current=page]').innerText(), 'silent.mp4')
    await page.keyboard.press('PageUp')
    await page.waitForURL(`**/library/${first.id}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await strip.locator('[aria-current=page]', { hasText: 'page.mp4' }).waitFor()
    const foot = await strip.boundingBox()
    assert.deepEqual([foot?.y, foot?.height], [844 - 70, 70], 'it stays at the foot')
    await close()
  })

  it('plays a ProRes file from a copy while that is made, and where one jumps to', async () => {
    const user = await studio.server.user()
    const film = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=320x180:rate=25:duration=20 -f lavfi -i sine=1000:duration=20
        -c:v prores_ks -profile:v 0 -c:a pcm_s16le -timecode 10:00:00:00 film.mov`,
    )
    const { id } = await studio.upload(user, film)
    const { page, close } = await open(user, `/library/${id}`)
    await page.getByText(/^Preview in about \d+ s$/).waitFor()
    await plays(page)
    await page.getByText('Playing from a quick copy').waitFor()
    await page.keyboard.press('l')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
    await page.keyboard.press('k')
    const timecode = page.getByLabel('Timecode; type to jump')
    await timecode.fill('10:00:18:05')
    await timecode.press('Enter')
    await page.waitForFunction(() => {
      const video = document.querySelector('video')
      return video && Math.floor(video.currentTime * 25) === 455 && video.readyState >= 2
    })
    assert.equal(await page.evaluate(() => document.querySelector('video')?.videoWidth), 320)
    await close()
  })
})

async function plays(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
}
