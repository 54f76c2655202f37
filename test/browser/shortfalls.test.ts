/** The results screen on parts that failed, are on their way, or were never asked for. */
import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { makeClip } from '../../engine/clips.testing.ts'
import { workPath } from '../../server/storage/scratch.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('results that are not all there', { ...slow, timeout: 240_000 }, () => {
  const studio = use(openStudio)
  let clip: string
  before(async () => {
    clip = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i sine=d=2
       -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac clip.mp4`,
    )
  })

  it('stills that fail cost nothing and nothing else, and are retried alone', async () => {
    const user = await studio.server.user()
    const content = await studio.upload(user, clip)
    const hold = studio.holdAt('fetched')
    const workflow = 'ffprobe,thumbnail,shots'
    const { job: started } = await user.client.createJob({
      body: { content_id: content.id, workflow },
    })
    await hold.reached
    const files = workPath(studio.server.ctx.config, '')
    const attempt = (await readdir(files)).find((name) => name.startsWith(started.id)) ?? ''
    // A folder where the first still should be written: the tool refuses, as with a full disk.
    await mkdir(join(files, attempt, 'still-000000025.jpg'))
    hold.release()
    const job = await studio.untilEnded(user, started.id)
    assert.equal(job.status, 'completed')
    const thumbnail = job.extractors.find(({ id }) => id === 'thumbnail')
    assert.deepEqual(
      [thumbnail?.status, thumbnail?.warning, thumbnail?.cost_usd],
      ['done', 'We couldn’t make the stills of this clip.', 0],
    )
    assert.equal(job.cost_usd, 0.008)

    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    const rail = page.getByRole('region', { name: 'What to find' })
    await rail.getByText('We couldn’t make the stills of this clip. Not charged.').waitFor()
    await rail.getByRole('button', { name: 'Retry Thumbnails' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('It costs at most $0.01.').waitFor()
    await question.getByRole('button', { name: 'Run Again' }).click()
    await page.waitForURL((url) => url.searchParams.get('job') !== job.id)
    const again = await studio.untilEnded(user, new URL(page.url()).searchParams.get('job') ?? '')
    assert.deepEqual(
      again.extractors.map(({ id, status, cost_usd }) => [id, status, cost_usd]),
      [
        ['ffprobe', 'reused', 0],
        ['thumbnail', 'done', 0.01],
        ['shots', 'reused', 0],
      ],
    )
    await page.getByRole('tab', { name: 'Shots 1' }).click()
    await page.getByRole('tabpanel').locator('img').waitFor()
    assert.equal(await rail.getByText('Not charged').count(), 0)
    await close()
  })

  it('a part that is being loaded never looks as if it had not been made', async () => {
    const user = await studio.server.user()
    const content = await studio.upload(user, clip)
    const job = await studio.finish(user, content.id, 'thumbnail')
    const { page, context, close } = await visit(studio.browser, studio.server.url, {
      storage: signedIn(user),
    })
    const waiting = {
      results: Promise.withResolvers<void>(),
      ticket: Promise.withResolvers<void>(),
    }
    await context.route('**/results*', (route) =>
      waiting.results.promise.then(() => route.continue()),
    )
    await context.route('**/file-ticket', (route) =>
      waiting.ticket.promise.then(() => route.continue()),
    )
    await page.goto(`${studio.server.url}/jobs/${job.id}`)
    await page.getByText('Loading…').waitFor()
    assert.equal(await page.getByText(/Run Thumbnails/).count(), 0)
    waiting.results.resolve()
    await page.getByText('Loading…').waitFor()
    assert.equal(await page.getByText(/Run Thumbnails/).count(), 0)
    waiting.ticket.resolve()
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    assert.equal(await page.getByText('Loading…').count(), 0)
    await close()
  })
})
