/** The screens of jobs with something on them: running, done, failed, empty, listed and found. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import type { Hold } from '../support/browser-job-app.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

const all = 'ffprobe,thumbnail,transcription,shots,talking,cutpoints'
const widths = isWholeRun ? [320, 390, 768, 899, 900, 1024, 1440, 2560] : [320, 900]

describe('jobs for everybody', { timeout: 400_000 }, () => {
  const studio = use(openStudio)
  const user = use(() => studio.server.user())
  let done: Job
  let empty: Job
  let failed: Job
  let running: Job
  let hold: Hold

  before(async () => {
    const still = await makeClip(
      studio.folder,
      '-f lavfi -i color=gray:size=160x90:rate=25:duration=2 -c:v libx264 -preset ultrafast still.mp4',
    )
    const { content: sample } = await user.client.addSample()
    const asked = { content_id: sample.id, workflow: all }
    const { job } = await user.client.createJob({ body: asked })
    done = await studio.untilEnded(user, job.id)
    const stillId = (await studio.upload(user, still)).id
    empty = await studio.finish(user, stillId, 'shots,cutpoints')
    const torn = join(studio.folder, 'A torn clip with a long name, take 12, second version.mp4')
    const bytes = await readFile(still)
    await writeFile(torn, bytes.fill(0, bytes.indexOf('mdat') + 4, bytes.indexOf('moov') - 4))
    failed = await studio.finish(user, (await studio.upload(user, torn)).id, 'thumbnail,shots')
    hold = studio.holdAt('result-kept')
    running = (
      await user.client.createJob({ body: { content_id: stillId, workflow: 'ffprobe,talking' } })
    ).job
    await hold.reached
  })

  async function open(path: string): Promise<{ page: Page; close: () => Promise<void> }> {
    const { page, close } = await visit(studio.browser, studio.server.url + path, {
      storage: signedIn(user),
    })
    await page.locator('h1').first().waitFor({ state: 'attached' })
    await page.waitForFunction(() => !document.querySelector('[class*="skeleton"]'))
    return { page, close }
  }

  it('gives everything in the review 44 px to touch on a phone', slow, async () => {
    const { page, close } = await visit(studio.browser, `${studio.server.url}/jobs/${done.id}`, {
      storage: signedIn(user),
      width: 390,
      height: 844,
      touch: true,
    })
    for (const name of [/^Transcript/, /^Talking/]) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel').getByRole('button').first().waitFor()
      assert.deepEqual(await lowTargets(page), [])
    }
    await close()
  })

  /** Buttons that are seen and lower than a finger is wide. */
  function lowTargets(page: Page): Promise<string[]> {
    return page.locator('button, input:not(.sr-only), select, header a').evaluateAll((elements) =>
      elements
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1 && box.height < 44)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 120)}: ${box.height} px`),
    )
  }

  async function assertSound(page: Page): Promise<void> {
    assert.deepEqual(await violationsInLooks(page), [])
  }

  /** Nothing wider than the window; axe does not look at that. */
  async function assertFits(page: Page): Promise<void> {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      // Lanes measure their place and are drawn again in the frame after.
      const fits = await page
        .waitForFunction(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return scrollWidth === clientWidth
        })
        .catch(() => null)
      assert.ok(fits, `${page.url()} at ${width}`)
    }
  }

  it('a completed job with all findings', async () => {
    assert.equal(done.status, 'completed')
    const { page, close } = await open(`/jobs/${done.id}`)
    await page.getByRole('tab', { name: 'Transcript' }).waitFor()
    await page.getByRole('tabpanel').getByRole('button').first().waitFor()
    await assertSound(page)
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      assert.deepEqual(await violationsInLooks(page, '[role=tabpanel]'), [])
    }
    await assertFits(page)
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Export' }).waitFor()
    assert.deepEqual(await violationsInLooks(page, '[role=dialog]'), [])
    await close()
  })

  it('a job that found nothing', slow, async () => {
    assert.equal(empty.status, 'completed')
    const { page, close } = await open(`/jobs/${empty.id}`)
    await page.getByText('Playing from the upload').waitFor()
    await assertSound(page)
    await assertFits(page)
    await close()
  })

  it('a failed job', slow, async () => {
    assert.equal(failed.status, 'failed')
    const { page, close } = await open(`/jobs/${failed.id}`)
    await page.getByText('Nothing was charged.').waitFor()
    await assertSound(page)
    await assertFits(page)
    await close()
  })

  it('a running job', slow, async () => {
    const { page, close } = await open(`/jobs/${running.id}`)
    await page.getByRole('region', { name: 'What to find' }).getByText('done').waitFor()
    await assertSound(page)
    await assertFits(page)
    await close()
  })

  it('the list of jobs, and the question before one is deleted', async () => {
    const { page, close } = await open('/jobs')
    await page.getByRole('progressbar').first().waitFor()
    await page.getByRole('row', { name: /torn/ }).getByText('failed').waitFor()
    await assertSound(page)
    await assertFits(page)
    await page
      .getByRole('button', { name: /^Delete job/ })
      .first()
      .click()
    await page.getByRole('alertdialog').waitFor()
    assert.deepEqual(await violationsInLooks(page, '[role=alertdialog]'), [])
    await close()
  })

  it('results of a search', slow, async () => {
    const { page, close } = await open('/search?q=river')
    await page.getByText('results', { exact: false }).first().waitFor()
    await page.getByRole('link', { name: /river/i }).first().waitFor()
    await assertSound(page)
    await assertFits(page)
    await close()
  })
})
