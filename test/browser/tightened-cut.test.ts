/** Silences and fillers taken out: heard in the browser first, exported exactly so. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseEdl } from '../export-parsers/edl.ts'
import { signedIn, visit } from '../support/browser.ts'
import { exportBy, openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('the tightened cut', slow, () => {
  const studio = use(openStudio)

  it('the tightened cut plays without its silence and is exported as it was played', async () => {
    const user = await studio.server.user()
    const clip = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=s=160x90:r=25:d=6 -f lavfi -i anoisesrc=c=pink:a=0.5:d=6:seed=1
     -af volume=eval=frame:volume=if(between(t\\,2\\,4)\\,0\\,1)
     -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a pcm_s16le noise.mov`,
    )
    const content = await studio.upload(user, clip)
    const job = await studio.finish(user, content.id, 'thumbnail,cutpoints')
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const [removal] = results.cutpoints?.removals ?? []
    assert.ok(removal && removal.start_frame > 45 && removal.end_frame < 105)

    const address = `${studio.server.url}/jobs/${job.id}`
    const { page, close } = await visit(studio.browser, address, { storage: signedIn(user) })
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    await page.getByRole('tab', { name: /^Cut points/ }).click()
    await page.getByLabel('Show').selectOption('Silences and fillers (1)')
    const tightened = page.getByRole('region', { name: 'Tightened cut' })
    await tightened.getByText('2 parts').waitFor()
    await tightened.getByLabel('Handles (frames)').fill('3')
    await tightened.getByLabel('Handles (frames)').press('Enter')
    const cut = [removal.start_frame + 3, removal.end_frame - 3] as const
    const seen = watchPlayhead(page)
    await tightened.getByRole('button', { name: 'Play tightened cut' }).click()
    const frames = await seen
    assert.ok(frames.some((frame) => frame < cut[0]) && frames.some((frame) => frame >= cut[1]))
    assert.deepEqual(
      frames.filter((frame) => frame >= cut[0] && frame < cut[1]),
      [],
    )
    const edl = parseEdl(await exportBy(page, /^EDL/, 'Silences and fillers removed'), 25)
    assert.deepEqual(
      edl.video.map((edit) => [edit.sourceIn, edit.sourceOut]),
      [
        [0, cut[0]],
        [cut[1], 150],
      ],
    )
    await close()
  })

  /** Every place of the playhead from the start of a playback to its end. */
  function watchPlayhead(page: Page): Promise<number[]> {
    return page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const slider = document.querySelector('[role=slider][aria-label=Playhead]')
          const frames: number[] = []
          const look = (): void => {
            const frame = Number(slider?.getAttribute('aria-valuenow'))
            frames.push(frame)
            if (frame >= 148) resolve(frames)
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }),
    )
  }
})
