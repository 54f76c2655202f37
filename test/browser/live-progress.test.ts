/** A job that is watched: reloads, a second tab and a server that goes away and comes back. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { createApp } from '../../server/app.ts'
import { freePort } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('live progress', { ...slow, timeout: 240_000 }, () => {
  const studio = use(openStudio)
  let clip: string

  before(async () => {
    clip = await makeClip(
      studio.folder,
      '-f lavfi -i testsrc2=size=160x90:rate=25:duration=4 -c:v libx264 -preset ultrafast watched.mp4',
    )
  })

  /** A job that stands still with its first result kept. */
  async function startHeld(user: TestUser) {
    const content = await studio.upload(user, clip)
    const hold = studio.holdAt('result-kept')
    const { job } = await user.client.createJob({
      body: { content_id: content.id, workflow: 'ffprobe,thumbnail,shots' },
    })
    await hold.reached
    return { hold, jobId: job.id }
  }

  it('a reload and a second tab show the same job, and both see its end', async () => {
    const user = await studio.server.user()
    const { hold, jobId } = await startHeld(user)
    const address = `${studio.server.url}/jobs/${jobId}`
    const { page, context, close } = await visit(studio.browser, address, {
      storage: signedIn(user),
    })
    await midway(page)
    const before = await wholeOf(page)
    assert.ok(before > 0 && before < 1)
    await page.reload()
    await midway(page)
    assert.ok((await wholeOf(page)) >= before)
    const second = await context.newPage()
    await second.goto(address)
    await midway(second)
    const list = await context.newPage()
    await list.goto(`${studio.server.url}/jobs`)
    await list.getByRole('progressbar', { name: 'Progress of watched.mp4' }).waitFor()
    hold.release()
    for (const tab of [page, second]) {
      await tab.getByText('completed', { exact: true }).waitFor()
      await tab.getByRole('tab', { name: 'Shots 1' }).waitFor()
      await tab.waitForFunction(() => document.title.startsWith('✓'))
    }
    await list
      .getByRole('row', { name: /watched\.mp4/ })
      .getByText('completed')
      .waitFor()
    await close()
  })

  it('a restart of the server in the middle loses neither the job nor its watcher', async (t) => {
    const user = await studio.server.user()
    const { ctx } = studio.server
    const port = await freePort()
    // The page comes from a second API process's port; the worker goes on while it is away.
    const first = await createApp(ctx)
    t.after(() => first.close())
    await first.listen({ host: 'localhost', port })
    const { hold, jobId } = await startHeld(user)
    const address = `http://localhost:${port}/jobs/${jobId}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await midway(page)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await first.close()
    hold.release()
    await studio.untilEnded(user, jobId)
    // It ended unseen; the page tries again until somebody answers.
    assert.equal(await page.getByText('completed', { exact: true }).count(), 0)
    const second = await createApp(ctx)
    t.after(() => second.close())
    await second.listen({ host: 'localhost', port })
    await page.getByText('completed', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Shots 1' }).waitFor()
    assert.equal(await page.evaluate(() => 'isSamePage' in window), true)
    await close()
  })
})

/** The metadata is there, the rest is not. */
async function midway(page: Page): Promise<void> {
  const rail = page.getByRole('region', { name: 'What to find' })
  await rail.getByText('done', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Metadata' }).waitFor()
  assert.equal(await page.getByText('completed', { exact: true }).count(), 0)
}

async function wholeOf(page: Page): Promise<number> {
  return page
    .getByRole('progressbar', { name: 'Whole job' })
    .evaluate((bar) => (bar as HTMLProgressElement).value)
}
