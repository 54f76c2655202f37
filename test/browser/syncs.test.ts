/** From a selection in the library to a sync: price, tracks, angles, a nudge, an export. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { makeClip } from '../../engine/clips.testing.ts'
import { parseMulticam, parseStackedOtio } from '../export-parsers/sync.ts'
import { openStudio, pickFormat, textOf } from '../support/browser-job-app.ts'
import { signedIn, visit } from '../support/browser.ts'
import { slow } from '../support/slow.ts'
import { recordCalls } from '../support/stubs.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const studio = use(openStudio)
const user = use(() => studio.server.user())

before(async () => {
  const noise = (seed: number): string => `-f lavfi -i anoisesrc=seed=${seed}:d=12:c=pink:r=16000`
  for (const words of [
    `${noise(5)} recorder.wav`,
    `-f lavfi -i testsrc2=size=160x90:rate=25:duration=6 ${noise(5)}
     -filter_complex [1:a]atrim=start=2.52,asetpts=PTS-STARTPTS[a] -map 0:v -map [a]
     -c:v libx264 -preset ultrafast -c:a aac -shortest camera.mp4`,
    `${noise(9)} other.wav`,
  ]) {
    await studio.upload(user, await makeClip(studio.folder, words))
  }
})

test('clips are synced from the library, played, nudged by a frame, exported and found again', async () => {
  const { page, problems, close } = await visit(studio.browser, `${studio.server.url}/library`, {
    storage: signedIn(user),
  })
  await page.getByText('camera.mp4', { exact: true }).first().waitFor()
  await page.getByText('camera.mp4', { exact: true }).first().click()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected clips' })
  await bar.getByRole('button', { name: 'Sync by sound' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sync by sound' })
  // 12 + 6 + 12 seconds.
  await dialog.getByRole('button', { name: 'Sync for $0.030' }).click()
  await page.getByText('2 of 3 in sync').waitFor()
  const tracks = page.getByRole('region', { name: 'Tracks' })
  await tracks.getByText('not placed').waitFor()
  await tracks.getByRole('button', { name: /camera\.mp4/ }).click()
  const offset = page.getByRole('status', { name: 'Offset' })
  // 2.52 s are 63 frames.
  assert.match((await offset.textContent()) ?? '', /^\+00:00:02:1[23]\.\d$/)
  const before = (await offset.textContent()) ?? ''
  const frames = await readFrames(page)
  // The upload itself plays: no analysis was run.
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  // One route for the whole test: a browser that leaves off and begins again may miss a call.
  let treatSave = (route: Route): Promise<void> => route.continue()
  await page.route('**/v1/syncs/*', (route) =>
    route.request().method() === 'GET' ? route.continue() : treatSave(route),
  )
  treatSave = async (route) => {
    await wait(1500)
    await route.continue()
  }
  await page.keyboard.press('.')
  await until(
    () => offset.textContent(),
    (text) => text !== before,
  )
  // One frame later, neither earlier nor more, though the nudge is still on its way.
  assert.equal((await readFrames(page)) - frames, 1)
  await page.getByText('placed by hand').waitFor()
  const after = await offset.textContent()
  assert.equal(tenthsOf(after) - tenthsOf(before), 10)
  // A nudge that is refused stops the export that waits for it, and no later one.
  const { calls } = recordCalls(page)
  const exporting = Promise.withResolvers<void>()
  treatSave = async (route) => {
    await exporting.promise
    await route.abort()
  }
  await page.keyboard.press('.')
  await page.keyboard.press('e')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Download/ })
    .click()
  exporting.resolve()
  await page.getByText('Not moved').waitFor()
  await page.keyboard.press('Escape')
  treatSave = (route) => route.continue()
  problems.length = 0
  assert.equal((await readFrames(page)) - frames, 1)
  assert.equal(calls.filter((call) => call.includes('/export')).length, 1, calls.join())
  await page.reload()
  await tracks.getByRole('button', { name: /camera\.mp4/ }).click()
  assert.equal(await offset.textContent(), after)
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('found by sound').waitFor()
  assert.equal(await offset.textContent(), before)
  await tracks.getByRole('button', { name: 'Place other.wav' }).click()
  await page.getByRole('menuitem', { name: /At the best guess/ }).click()
  await page.getByText('3 of 3 in sync').waitFor()
  await page.getByRole('link', { name: 'Syncs' }).click()
  await page.getByRole('link', { name: /and 2 more/ }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test(
  'the loupe shows how tracks lie, both are heard at once, and the clock is zoomed',
  slow,
  async () => {
    const { page, problems, close } = await openSync()
    const tracks = page.getByRole('region', { name: 'Tracks' })
    await tracks.getByRole('button', { name: /camera\.mp4/ }).click()
    const loupe = page.getByRole('region', { name: 'Loupe' })
    await loupe.getByText(/lined up within 0\.\d f/).waitFor()
    assert.equal(await loupe.getByRole('img', { name: /under the loupe/ }).count(), 3)
    // A frame off, the loupe says so, whichever moment it shows.
    await page.getByRole('button', { name: '+1 f', exact: true }).click()
    await loupe.getByText(/^(0\.9|1\.\d) f too late$/).waitFor()
    await loupe.getByRole('button', { name: 'Playhead' }).click()
    await loupe.getByText(/^(0\.9|1\.\d) f too late$/).waitFor()
    await page.keyboard.press(',')
    await loupe.getByText(/lined up within 0\.\d f/).waitFor()
    const playhead = page.getByRole('status', { name: 'Playhead' })
    const before = await playhead.textContent()
    await page.keyboard.press('b')
    await page.getByRole('button', { name: /Stop listening/ }).waitFor()
    await until(
      () => playhead.textContent(),
      (text) => text !== before,
    )
    assert.ok(await page.evaluate(() => document.querySelector('video')?.muted))
    await page.keyboard.press('b')
    await page.getByRole('button', { name: /Listen to both/ }).waitFor()
    await tracks.getByRole('button', { name: /recorder\.wav/ }).click()
    assert.ok(await page.getByRole('button', { name: /Listen to both/ }).isDisabled())
    const ruler = page.getByRole('slider', { name: 'Playhead on the clock' })
    const widthOf = async () => (await ruler.boundingBox())!.width
    const fitted = await widthOf()
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    assert.ok(Math.abs((await widthOf()) - 4 * fitted) < 2, `${await widthOf()} of ${fitted}`)
    await page.keyboard.press('z')
    assert.equal(await widthOf(), fitted)
    await ruler.press('Home')
    const first = await ruler.getAttribute('aria-valuetext')
    await ruler.press('ArrowRight')
    assert.notEqual(await ruler.getAttribute('aria-valuetext'), first)
    assert.equal(await ruler.getAttribute('aria-valuenow'), '1')
    assert.deepEqual(problems, [])
    await close()
  },
)

test('a phone has the tracks and nudges of 44 px, and neither loupe nor zoom', slow, async () => {
  const { page, close } = await openSync({ width: 390, height: 844, touch: true })
  await page.getByRole('button', { name: 'Angle 2: camera.mp4' }).click()
  const nudge = page.getByRole('group', { name: 'Nudge' }).getByRole('button')
  for (const button of await nudge.all()) {
    assert.ok((await button.boundingBox())!.height >= 44)
  }
  assert.equal(await page.getByRole('region', { name: 'Loupe' }).count(), 0)
  assert.ok(await page.getByRole('button', { name: 'Zoom in' }).isHidden())
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(over <= 0, `${over} px too wide`)
  await close()
})

test('while a sync runs its rows fill with the sounds that were read', slow, async () => {
  const hold = studio.holdAt('analysis-over')
  const { content } = await user.client.listContent({ query: {} })
  const { sync } = await user.client.createSync({
    body: { content_ids: content.map(({ id }) => id) },
  })
  await hold.reached
  const { page, close } = await visit(studio.browser, `${studio.server.url}/syncs/${sync.id}`, {
    storage: signedIn(user),
  })
  await page.getByText(/^Comparing 3 sounds, \d+ %\./).waitFor()
  const tracks = page.getByRole('region', { name: 'Tracks' })
  assert.equal(await tracks.getByText('Sound read').count(), 3)
  assert.equal(await tracks.locator('svg path').count(), 3)
  hold.release()
  await page.getByText('2 of 3 in sync').waitFor()
  await close()
})

test(
  'a clock that drifts is corrected in the export, unless it is switched off',
  slow,
  async () => {
    const owner = await studio.server.user()
    const sound = '-f lavfi -i anoisesrc=seed=31:d=360:c=pink:r=16000'
    const ids: string[] = []
    for (const words of [
      `${sound} steady.wav`,
      // 62.5 parts in a million too fast: .56 frames in six minutes.
      `${sound} -af asetrate=16001,aresample=16000 drifting.wav`,
    ]) {
      ids.push((await studio.upload(owner, await makeClip(studio.folder, words))).id)
    }
    const { sync } = await owner.client.createSync({ body: { content_ids: ids } })
    const { page, close } = await visit(studio.browser, `${studio.server.url}/syncs/${sync.id}`, {
      storage: signedIn(owner),
      width: 1440,
      height: 900,
    })
    await page.getByText('2 of 2 in sync').waitFor()
    await page
      .getByRole('region', { name: 'Tracks' })
      .getByRole('button', { name: /drifting\.wav/ })
      .click()
    const drift = page.getByRole('switch', { name: /^Correct drift −?6[123]\.\d ppm/ })
    await page.getByText(/^0\.6 frames in .*, its sound and picture are retimed/).waitFor()
    assert.ok(await drift.isChecked(), 'more than half a frame')
    const speed = async (): Promise<number> => {
      const saved = page.waitForEvent('download')
      await saveBy(page, /^OTIO/)
      const tracks = parseStackedOtio(await textOf(await saved))
      return tracks.find(({ source }) => source.includes('drifting'))?.speed ?? NaN
    }
    assert.ok(Math.abs(Math.abs((await speed()) - 1) - 62.5e-6) < 2e-6, `${await speed()}`)
    await drift.click()
    await page.getByText('left as it was recorded.', { exact: false }).waitFor()
    assert.equal(await speed(), 1)
    await close()
  },
)

/** The sync that the first test made. */
async function openSync(size: { width?: number; height?: number; touch?: boolean } = {}) {
  const { syncs } = await user.client.listSyncs({ query: {} })
  return visit(studio.browser, `${studio.server.url}/syncs/${syncs.at(-1)!.id}`, {
    storage: signedIn(user),
    width: 1440,
    height: 900,
    ...size,
  })
}

/** Exports, and reads what the file leaves out or changes, where it says so. */
async function saveBy(page: Page, format: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = await pickFormat(page, format)
  await dialog.getByRole('button', { name: /^Download/ }).click()
  const done = page.getByRole('button', { name: 'Done' })
  await done.or(page.locator('html:not(:has([role=dialog]))')).waitFor()
  if (await done.isVisible()) await done.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The frame at which the camera lies in the multicam clip that the page saves. */
async function readFrames(page: Page): Promise<number> {
  const saved = page.waitForEvent('download')
  await saveBy(page, /^FCPXML: A multicam clip/)
  const angles = parseMulticam(await textOf(await saved))
  const camera = angles.find(({ source }) => source.includes('camera'))
  assert.ok(camera)
  return camera.recordIn
}

function tenthsOf(offset: string | null): number {
  const [, minutes, seconds, frames, tenths] = /:(\d+):(\d+):(\d+)\.(\d)$/.exec(offset ?? '') ?? []
  return ((Number(minutes) * 60 + Number(seconds)) * 25 + Number(frames)) * 10 + Number(tenths)
}
