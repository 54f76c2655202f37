/** A clip whose rate varies in Chromium: every screen gives a frame the same name. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestServer } from '../support/app.ts'
import { closeBrowser, launchBrowser, signedIn, visit } from '../support/browser.ts'
import { addClip, addFindings } from '../support/library-clips.ts'
import { use } from '../support/use.ts'

describe('a variable clip', { timeout: 240_000 }, () => {
  const server = use(startTestServer)
  const browser = use(launchBrowser, closeBrowser)
  const user = use(() => server.user())
  let jobId: string

  before(async () => {
    const media = { variable_frame_rate: true, duration: 20, duration_time: '20/1' }
    const clip = { name: 'Phone.mov', frames: 200, rate: '30/1', media }
    jobId = (await addClip(server, user, clip)).jobId
    const findings = { ...probed, frame_times: pictureTimes }
    await addFindings(server, user, { jobId, extractor: 'ffprobe', findings })
    await addFindings(server, user, { jobId, extractor: 'thumbnail', findings: thumbnails })
  })

  async function open(path: string): Promise<Page> {
    return (await visit(browser, `${server.url}${path}`, { storage: signedIn(user) })).page
  }

  it('is as long above the review as below it, though its sound goes on', async () => {
    const page = await open(`/jobs/${jobId}`)
    const length = page.getByText(/^\/ 00:00:/)
    await length.waitFor({ state: 'attached' })
    assert.equal(await length.textContent(), '/ 00:00:10:00')
    const facts = page.getByText(/ · 30 fps · /)
    assert.match((await facts.textContent()) ?? '', /^00:00:10:00 · /)
    await page.close()
  })

  it('is scrubbed in the library by the times of its stills', async () => {
    const page = await open('/library')
    const poster = page.locator('[data-clip] > div').first()
    await poster.waitFor()
    const { x, y, width, height } = (await poster.boundingBox())!
    await page.mouse.move(x + width / 2 + 1, y + height / 2)
    const shown = page.locator('[data-clip] [aria-hidden] .timecode')
    await shown.waitFor()
    // A pixel is about a frame.
    assert.match((await shown.textContent()) ?? '', /^00:00:05:0/)
    await page.close()
  })
})

/** Twenty frames a second; the sound goes on for ten more. */
const pictureTimes = [
  { frame: 0, time: '0/1' },
  { frame: 200, time: '10/1' },
]
const probed = {
  format: {},
  streams: [],
  color: {
    ...{ primaries: null, transfer: null, matrix: null, range: null },
    ...{ bit_depth: null, hdr: false },
  },
  conform: [],
}
const thumbnails = {
  poster: null,
  stills: [0, 100, 190].map((frame) => ({
    ...{ frame, time: `${frame}/20`, file: `still-${frame}.jpg`, shot: null },
  })),
  sprite: {
    ...{ file: ['sprite.jpg'], vtt: 'sprite.vtt', tile_width: 160, tile_height: 90 },
    ...{ columns: 10, rows: 1, interval_frames: 20, count: 10 },
  },
  proxy: null,
  waveform: null,
}
