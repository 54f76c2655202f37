/**
 * `npm run bench -- review [hours] [shots] [words]`: the review screen of long footage in Chromium.
 * A step of one frame, from the key to the picture on the screen, against its limit and against the
 * browser's own seek on the same video in turn with it; and the threshold's slider, from its move
 * to the new shots on the screen. The job is a real one whose results are then made long; its
 * review proxy is as large as the product's.
 */
import { sql } from 'kysely'
import { rm, stat } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { FindingsOf, Media, Span } from '../../../domain/findings/findings.ts'
import { makeClip } from '../../../engine/clips.testing.ts'
import { signedIn, visit } from '../../../test/support/browser.ts'
import type { TestUser } from '../../../test/support/app.ts'
import { openStudio } from '../../../test/support/browser-job-app.ts'
import type { Studio } from '../../../test/support/browser-job-app.ts'
import { buildWeb } from '../../build/web.ts'
import { print, quantile } from '../figures.ts'

const framesPerSecond = 25
/** Repeated by the long proxy. */
const loopSeconds = 30
const limits = { stepMs: 50, recutMs: 100 }
const steps = 150
/** A frame that is never presented must not end the run. */
const longestMs = 3000
const recuts = 40

export async function run(args: string[] = []): Promise<void> {
  const [hours = 1, shots = 2000, words = 9000] = args.map(Number)
  await buildWeb()
  await using studio = await openStudio()
  const user = await studio.server.user()
  const { page, close } = await openLong(studio, user, { hours, shots, words })
  const what = `${hours} h, ${shots} shots, ${words} words`
  for (const tab of ['Transcript', /^Shots/]) {
    await page.getByRole('tab', { name: tab }).click()
    const { ours, bare } = await stepTimes(page)
    const beside = tab instanceof RegExp ? 'Shots' : tab
    report(`a frame step beside ${beside} (${what})`, ours, limits.stepMs)
    const ratio = quantile(ours, 0.95) / quantile(bare, 0.95)
    console.log(
      `review: p95 of that / of the browser's own seek = ${ratio.toFixed(2)} ` +
        `(p50 ${quantile(bare, 0.5).toFixed(1)} ms, p95 ${quantile(bare, 0.95).toFixed(1)} ms)`,
    )
  }
  report(`moving the threshold (${what})`, await recutTimes(page), limits.recutMs)
  await close()
}

/** The results screen of footage of this length, with its findings and its first picture. */
export async function openLong(
  studio: Studio,
  user: TestUser,
  length: Length,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const clip = await makeClip(
    studio.folder,
    `-f lavfi -i gradients=s=960x540:r=${framesPerSecond}:d=${loopSeconds}:speed=0.05 -f lavfi -i sine=440:d=${loopSeconds}
      -c:v libx264 -preset ultrafast -crf 25 -g 25 -bf 0 -pix_fmt yuv420p -c:a aac short.mp4`,
  )
  const content = await studio.upload(user, clip)
  const { job } = await user.client.createJob({
    body: { content_id: content.id, workflow: 'thumbnail,shots,transcription', out: 4 },
  })
  await studio.untilEnded(user, job.id)
  await makeLong(studio, job.id, length)
  const { page, close } = await visit(studio.browser, `${studio.server.url}/jobs/${job.id}`, {
    storage: signedIn(user),
    width: 1440,
    height: 900,
  })
  page.setDefaultTimeout(60_000)
  const shown = `${length.shots.toLocaleString('en-US')} shots`
  await page.getByText(shown, { exact: false }).first().waitFor()
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  return { page, close }
}

function report(what: string, times: number[], limitMs: number): void {
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  const more = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
  print(`review: ${what}: p95 / ${limitMs} ms`, p95 / limitMs, { max: 1 }, more)
}

/** From the key to the frame that the compositor has been given, at places all over the footage. */
async function stepTimes(page: Page): Promise<{ ours: number[]; bare: number[] }> {
  return page.evaluate(
    async ({ steps, longestMs, frameSeconds }) => {
      const video = document.querySelector('video')
      const playhead = document.querySelector('[role=slider][aria-label=Playhead]')
      if (!video || !playhead) throw new Error('There is nothing to step.')
      const press = (key: string): void => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      }
      const presented = (): Promise<void> =>
        new Promise((resolve) => {
          video.requestVideoFrameCallback(() => resolve())
          setTimeout(resolve, longestMs)
        })
      const ours: number[] = []
      const bare: number[] = []
      const timed = async (times: number[], act: () => void): Promise<void> => {
        const shown = presented()
        const startedAt = performance.now()
        act()
        await shown
        times.push(performance.now() - startedAt)
      }
      for (let step = 0; step < steps; step += 1) {
        if (step % 20 === 0) {
          const jumped = presented()
          for (let cut = 0; cut < 100; cut += 1) press('ArrowDown')
          await jumped
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        await timed(ours, () => press(step % 3 === 2 ? 'ArrowLeft' : 'ArrowRight'))
        await timed(bare, () => {
          // To another frame than the one that our next step goes to.
          video.currentTime += 2 * (step % 3 === 2 ? -frameSeconds : frameSeconds)
        })
      }
      return { ours, bare }
    },
    { steps, longestMs, frameSeconds: 1 / framesPerSecond },
  )
}

export async function recutTimes(page: Page): Promise<number[]> {
  return page.evaluate(async (recuts) => {
    const slider = document.querySelector<HTMLInputElement>('input[aria-label="Shot threshold"]')
    if (!slider) throw new Error('There is no threshold.')
    // React would not notice a value that was set on the element itself.
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    const times: number[] = []
    for (let move = 0; move < recuts; move += 1) {
      const startedAt = performance.now()
      native?.set?.call(slider, String(0.3 + 0.01 * (move % 40)))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      times.push(performance.now() - startedAt)
    }
    return times
  }, recuts)
}

interface Length {
  hours: number
  shots: number
  words: number
}

async function makeLong(studio: Studio, jobId: string, length: Length): Promise<void> {
  const { db } = studio.server.ctx
  const frames = length.hours * 3600 * framesPerSecond
  const { job } = await studio.server.ctx.db
    .selectFrom('jobs')
    .select((row) => row.ref('media').$castTo<Media>().as('job'))
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  const media: Media = {
    ...job,
    frames,
    duration: frames / framesPerSecond,
    duration_time: `${frames / framesPerSecond}/1`,
  }
  await sql`update jobs set media = ${JSON.stringify(media)}, options = '{}'
    where id = ${jobId}`.execute(db)
  await setFindings(studio, jobId, 'shots', () => longShots(length.shots, frames))
  await setFindings(studio, jobId, 'transcription', () => longTranscript(length.words, frames))
  await setFindings(studio, jobId, 'thumbnail', (item) => {
    const thumbnail = item as FindingsOf<'thumbnail'>
    return { ...thumbnail, proxy: thumbnail.proxy && { ...thumbnail.proxy, frames } }
  })
  await sql`update job_results set media = ${JSON.stringify(media)} where id in
    (select result_id from job_extractors where job_id = ${jobId})`.execute(db)
  const { rows } = await sql<{ storage_key: string }>`
    select f.storage_key from job_result_files f join job_extractors e using (result_id)
    where e.job_id = ${jobId} and f.name = 'proxy.mp4'`.execute(db)
  const key = rows[0]?.storage_key ?? ''
  const proxy = await makeClip(
    studio.folder,
    `-stream_loop ${(length.hours * 3600) / loopSeconds - 1} -i short.mp4 -c copy -movflags +faststart long.mp4`,
  )
  const { size } = await stat(proxy)
  await studio.server.ctx.storage.delete(key)
  await studio.server.ctx.storage.putFile(key, proxy)
  await sql`update job_result_files set bytes = ${size} where storage_key = ${key}`.execute(db)
  await rm(proxy, { force: true })
}

async function setFindings(
  studio: Studio,
  jobId: string,
  extractor: string,
  change: (item: unknown) => unknown,
): Promise<void> {
  const { db } = studio.server.ctx
  const { rows } = await sql<{ id: string; findings: unknown }>`
    select r.id, r.findings from job_results r join job_extractors e on e.result_id = r.id
    where e.job_id = ${jobId} and e.extractor = ${extractor}`.execute(db)
  const row = rows[0]
  if (!row) throw new Error(`There are no findings of ${extractor}.`)
  const text = JSON.stringify(change(row.findings))
  await sql`update job_results set findings = ${text} where id = ${row.id}`.execute(db)
}

function span(start: number, end: number): Span {
  return {
    start_frame: start,
    end_frame: end,
    start_time: `${start}/${framesPerSecond}`,
    end_time: `${end}/${framesPerSecond}`,
    start: start / framesPerSecond,
    end: end / framesPerSecond,
  }
}

function longShots(count: number, frames: number): FindingsOf<'shots'> {
  const length = Math.floor(frames / count)
  const changes = Array.from({ length: count - 1 }, (_, index) => ({
    ...span((index + 1) * length, (index + 1) * length),
    type: 'cut' as const,
    // Above the usual threshold, so that moving it takes some away.
    score: 0.5 + (0.5 * ((index * 37) % 100)) / 100,
  }))
  const shots = Array.from({ length: count }, (_, index) => ({
    ...span(index * length, index === count - 1 ? frames : (index + 1) * length),
    index,
    transition: index === 0 ? ('start' as const) : ('cut' as const),
    motion: 'low' as const,
    motion_level: 1,
    black: false,
    frozen: false,
  }))
  const nothing = { black: [], freeze: [], flashes: [] }
  return { changes, candidates: changes, threshold: 0.5, shots, ...nothing }
}

function longTranscript(count: number, frames: number): FindingsOf<'transcription'> {
  const length = Math.floor(frames / count)
  const words = Array.from({ length: count }, (_, index) => ({
    ...span(index * length, (index + 1) * length),
    text: index % 12 === 11 ? 'river.' : 'water',
    confidence: index % 9 === 0 ? 0.4 : 0.9,
    speaker: null,
  }))
  const passages = (size: number): FindingsOf<'transcription'>['sentences'] =>
    Array.from({ length: Math.ceil(count / size) }, (_, index) => {
      const last = Math.min(count, (index + 1) * size) - 1
      return {
        ...span(index * size * length, (last + 1) * length),
        text: '',
        first_word: index * size,
        last_word: last,
      }
    })
  return {
    language: 'en',
    language_confidence: 1,
    text: words.map((word) => word.text).join(' '),
    words,
    sentences: passages(12),
    paragraphs: passages(48),
    model: 'bench',
    word_times: 'aligned',
  }
}
