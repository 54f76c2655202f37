/** A job on one clip, opened for review in Chromium; one studio for all the reviews of a file. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import type { TestUser } from './app.ts'
import { signedIn, visit } from './browser.ts'
import type { Visit, VisitOptions } from './browser.ts'
import { openStudio } from './browser-job-app.ts'
import type { Studio } from './browser-job-app.ts'
import { emptyReview } from '../../contract/footage/review.ts'

/** Two hard cuts, and one at frame 100 that is plain to see but not beyond doubt. */
export const cuts = { sure: [50, 200], soft: 100 }
export const frames = 250

export interface CuttingRoom {
  studio: Studio
  user: TestUser
  /** A job of its own each time; from the second on its results are the stored ones. */
  openReview: (options?: VisitOptions) => Promise<Visit & { jobId: string }>
  stop: () => Promise<void>
}

export async function openCuttingRoom(): Promise<CuttingRoom> {
  const studio = await openStudio()
  const user = await studio.server.user()
  const part = (source: string, seconds = 2): string =>
    `-f lavfi -i ${source}:size=320x180:rate=25:duration=${seconds}`
  const clip = await makeClip(
    studio.folder,
    `${part('color=0x808080')} ${part('testsrc2=d=2')} ${part('testsrc2=d=4', 4)}
      ${part('smptebars=d=2')}
      -filter_complex [2]eq=brightness=0.02[tinted];[0][1][tinted][3]concat=n=4:v=1,format=yuv420p
      -c:v libx264 -preset ultrafast soft.mp4`,
  )
  const content = await studio.upload(user, clip)
  return {
    studio,
    user,
    async openReview(options = {}) {
      const job = await studio.finish(user, content.id, 'thumbnail,shots,cutpoints')
      assert.equal(job.status, 'completed')
      // It would begin with the decisions on the job before it.
      await user.client.saveReview({ params: { id: job.id }, body: emptyReview })
      const address = `${studio.server.url}/jobs/${job.id}`
      const opened = await visit(studio.browser, address, {
        storage: signedIn(user),
        ...options,
      })
      await opened.page.getByRole('tab', { name: 'Shots 4' }).waitFor()
      await opened.page.waitForFunction(
        () => (document.querySelector('video')?.readyState ?? 0) >= 2,
      )
      return { ...opened, jobId: job.id }
    },
    stop: () => studio.stop(),
  }
}

export async function frameOf(page: Page): Promise<number> {
  return Number(await page.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow'))
}
