/** The way of an editor through jobs in Chromium: run, review to the frame, decide, export. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Job } from '../../contract/footage/jobs.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseEdl } from '../export-parsers/edl.ts'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import type { TestUser } from '../support/app.ts'
import { signedIn, visit } from '../support/browser.ts'
import type { Visit } from '../support/browser.ts'
import { openStudio, textOf } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

const framesOfFirstShot = 50

describe('jobs in the browser', { timeout: 240_000 }, () => {
  const studio = use(openStudio)
  let clip: string

  before(async () => {
    // A strip at the top holds the number of the frame as eight bits; below it is one cut.
    const bits =
      "geq=lum='if(lt(Y,20),if(bitand(N,pow(2,floor(X/40))),235,16),lum(X,Y))':cb='if(lt(Y,10),128,cb(X,Y))':cr='if(lt(Y,10),128,cr(X,Y))'"
    clip = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=320x180:rate=25:duration=2
        -f lavfi -i color=red:size=320x180:rate=25:duration=2
        -filter_complex [0][1]concat=n=2:v=1,format=yuv420p,${bits}[v] -map [v]
        -c:v libx264 -preset ultrafast -crf 10 -timecode 01:00:00:00 coded.mp4`,
    )
  })

  async function finished(user: TestUser, workflow: string): Promise<Job> {
    return studio.finish(user, (await studio.upload(user, clip)).id, workflow)
  }

  async function open(path: string, user: TestUser): Promise<Visit> {
    return visit(studio.browser, studio.server.url + path, { storage: signedIn(user) })
  }

  it('arrows show consecutive frames, and exports hold the cut that the screen shows', async () => {
    const user = await studio.server.user()
    const job = await finished(user, 'thumbnail,shots')
    assert.equal(job.status, 'completed')
    const { page, close } = await open(`/jobs/${job.id}?frame=10`, user)
    const field = page.getByLabel('Timecode; type to jump')
    await field.waitFor()
    await settled(page)
    await showsFrame(page, 10)
    for (let frame = 11; frame <= 20; frame += 1) {
      await page.keyboard.press('ArrowRight')
      await showsFrame(page, frame)
    }
    for (let frame = 19; frame >= 15; frame -= 1) {
      await page.keyboard.press('ArrowLeft')
      await showsFrame(page, frame)
    }
    assert.equal(await field.inputValue(), '01:00:00:15')
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const starts = results.shots?.shots.map((shot) => shot.start_frame)
    assert.ok(starts?.includes(framesOfFirstShot))
    for (const [format, read] of [
      ['EDL', (text: string) => parseEdl(text, 25)],
      ['FCPXML', parseFcpxml],
    ] as const) {
      const waiting = page.waitForEvent('download')
      await page.getByRole('button', { name: format, exact: true }).click()
      const timeline = read(await textOf(await waiting))
      const cuts = timeline.video.map((edit) => edit.sourceIn - (timeline.video[0]?.sourceIn ?? 0))
      assert.deepEqual(cuts, starts, format)
    }
    await close()
  })

  it('keys mark, highlight, export and help', slow, async () => {
    const user = await studio.server.user()
    const job = await finished(user, 'thumbnail,shots')
    const { page, close } = await open(`/jobs/${job.id}`, user)
    await page.getByLabel('Timecode; type to jump').waitFor()
    await settled(page)
    const keeping = page.waitForResponse(
      (response) => response.url().endsWith('/review') && response.request().method() === 'PUT',
    )
    for (const key of ['ArrowRight', 'ArrowRight', 'i', 'Shift+ArrowRight', 'o', 'h']) {
      await page.keyboard.press(key)
    }
    await page.getByText('1 select ·').waitFor()
    const kept = await keeping
    assert.equal(kept.status(), 200)
    const { review } = await user.client.getReview({ params: { id: job.id } })
    assert.deepEqual(
      review.selects.map((item) => [item.start_frame, item.end_frame]),
      [[2, 28]],
    )
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Export' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await close()
  })

  it('a job that waits for its turn shows no share of its work', async (t) => {
    const [user, other] = [await studio.server.user(), await studio.server.user()]
    const before = await finished(user, 'thumbnail')
    const hold = studio.holdAt('result-kept')
    t.after(hold.release)
    const { id } = await studio.upload(other, clip)
    await other.client.createJob({ body: { content_id: id, workflow: 'shots' } })
    await hold.reached
    const body = { content_id: before.content_id ?? '', workflow: 'thumbnail,shots' }
    const { job } = await user.client.createJob({ body })
    // Findings of an earlier job are taken over.
    assert.ok(job.status === 'queued' && job.progress > 0, `${job.status} ${job.progress}`)
    const { page, close } = await open('/jobs', user)
    const row = page.getByRole('row', { name: /queued/i })
    await row.waitFor()
    const said = [await row.innerText()]
    const bars = page.getByRole('progressbar')
    let shown = await bars.count()
    await page.goto(`${studio.server.url}/dashboard`)
    const recent = page.getByRole('region', { name: 'Recent Jobs' })
    await recent.getByText(/queued/i).waitFor()
    said.push(await recent.innerText())
    shown += await bars.count()
    await page.goto(`${studio.server.url}/jobs/${job.id}`)
    await page.getByText('Waiting in the queue').waitFor()
    said.push(await page.title(), await page.getByRole('region', { name: 'Progress' }).innerText())
    shown += await bars.count()
    assert.doesNotMatch(said.join('\n'), /%| left/)
    assert.equal(shown, 0)
    hold.release()
    await page.waitForFunction(() => document.title.startsWith('✓'))
    await close()
  })

  it('the list is filtered by its address, and a hit of the search opens the footage', async () => {
    const user = await studio.server.user()
    const job = await finished(user, 'ffprobe')
    const { page, close } = await open('/jobs?status=failed', user)
    await page.getByText('No jobs match these filters').waitFor()
    await page.getByLabel('Status').selectOption('completed')
    await page.waitForURL(`${studio.server.url}/jobs?status=completed`)
    await page.getByRole('link', { name: job.id.slice(0, 8) }).waitFor()
    await page.getByLabel('Search your library').fill('coded')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${studio.server.url}/search?q=coded`)
    await page
      .getByRole('link', { name: /coded\.mp4/ })
      .first()
      .click()
    await page.waitForURL(`${studio.server.url}/library/${job.content_id}?job=${job.id}`)
    await close()
  })

  it(
    'a row is a link as a whole, and a telephone gets a card with everything on it',
    slow,
    async () => {
      const user = await studio.server.user()
      const job = await finished(user, 'ffprobe')
      const { page, close } = await open('/jobs', user)
      await page
        .getByRole('row', { name: /coded\.mp4/ })
        .getByText(/just now|min ago/)
        .click({ force: true })
      await page.waitForURL(`${studio.server.url}/library/${job.content_id}?job=${job.id}`)
      await page.goBack()
      await page.setViewportSize({ width: 390, height: 844 })
      const card = page.getByRole('list', { name: 'All jobs' }).getByRole('listitem')
      assert.match(
        await card.innerText(),
        /coded\.mp4[^]*completed[^]*(just now|min ago)[^]*<\$0\.01/i,
      )
      // The card's own buttons are not the card.
      await card.getByRole('button', { name: /^Re-run job/ }).click()
      const question = page.getByRole('alertdialog', { name: 'Run this job again?' })
      await question.getByText('It costs at most $0.00.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      await card.getByText(/just now|min ago/).click({ force: true })
      await page.waitForURL(`${studio.server.url}/library/${job.content_id}?job=${job.id}`)
      await close()
    },
  )
})

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
}

async function showsFrame(page: Page, frame: number): Promise<void> {
  // A moment may lie between the end of the search and the picture.
  for (let tries = 0; tries < 20 && (await shownFrame(page)) !== frame; tries += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  assert.equal(await shownFrame(page), frame)
}

/** The number that the picture itself carries, read from its pixels. */
async function shownFrame(page: Page): Promise<number> {
  await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return video && !video.seeking && video.readyState >= 2
  })
  return page.evaluate(() => {
    const video = document.querySelector('video')
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 180
    const paint = canvas.getContext('2d')
    if (!video || !paint) return -1
    paint.drawImage(video, 0, 0, 320, 180)
    let frame = 0
    for (let bit = 0; bit < 8; bit += 1) {
      const [luma = 0] = paint.getImageData(bit * 40 + 20, 10, 1, 1).data
      if (luma > 128) frame += 2 ** bit
    }
    return frame
  })
}
