/**
 * The whole product for tests that watch jobs in Chromium: server, worker, browser and a folder for
 * clips. The worker can be held at any of its named steps, so that what a person sees half-way is
 * seen for certain and not by luck.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser, Download, Locator, Page } from 'playwright-core'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import type { Step } from '../../server/work/steps.ts'
import { startWorking } from '../../server/runs/work.ts'
import type { ParsedTimeline } from '../export-parsers/edit.ts'
import { startTestServer } from './app.ts'
import type { TestServer, TestUser } from './app.ts'
import { closeBrowser, launchBrowser } from './browser.ts'
import { jobActions } from './job-app.ts'
import type { JobActions } from './job-app.ts'

export interface Hold {
  /** Settles when the worker stands at the step. */
  reached: Promise<void>
  release: () => void
}

export interface Studio extends AsyncDisposable, Pick<JobActions, 'untilEnded' | 'balanceOf'> {
  server: TestServer
  browser: Browser
  folder: string
  /** The worker waits at the next time it comes to this step, and to this state of the job. */
  holdAt: (step: Step, isDue?: (jobId: string) => Promise<boolean>) => Hold
  upload: (user: TestUser, path: string) => Promise<ContentItem>
  /** Runs a job to its end, whatever that is. */
  finish: (user: TestUser, contentId: string, workflow: string) => Promise<Job>
  stop: () => Promise<void>
}

export async function openStudio(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<Studio> {
  const server = await startTestServer(options)
  type Waiting = {
    arrive: () => void
    released: Promise<void>
    isDue: (id: string) => Promise<boolean>
  }
  const holds = new Map<Step, Waiting>()
  const worker = await startWorking(server.ctx, {
    slots: 1,
    onStep: async (step, { job }) => {
      const hold = holds.get(step)
      if (!hold || !(await hold.isDue(job.id))) return
      holds.delete(step)
      hold.arrive()
      await hold.released
    },
  })
  const releases: (() => void)[] = []
  const browser = await launchBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-studio-'))
  const actions = jobActions(server)
  const stop = async (): Promise<void> => {
    for (const release of releases) release()
    await closeBrowser(browser)
    await worker.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    server,
    browser,
    folder,
    ...actions,
    finish: actions.runJob,
    stop,
    [Symbol.asyncDispose]: stop,
    holdAt(step, isDue = () => Promise.resolve(true)) {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holds.set(step, { arrive: arrived.resolve, released: released.promise, isDue })
      releases.push(released.resolve)
      return { reached: arrived.promise, release: released.resolve }
    },
    upload: async (user, path) => actions.upload(user.token, await readFile(path), basename(path)),
  }
}

/** Takes one format out of the Export dialog of what is open. */
export async function exportBy(page: Page, format: RegExp, which?: string): Promise<string> {
  await page.getByRole('button', { name: /^Export/ }).click()
  const dialog = await pickFormat(page, format)
  if (which) await dialog.getByLabel('Timeline', { exact: true }).selectOption({ label: which })
  const waiting = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const exported = await textOf(await waiting)
  await dialog.waitFor({ state: 'detached' })
  return exported
}

/** Every format is among the files, whatever editor it is for. */
export async function pickFormat(page: Page, format: RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  await dialog.getByRole('radio', { name: /^Other, or files/ }).check()
  await dialog.getByRole('radio', { name: format }).check()
  return dialog
}

/** Counts what a person clicks, from here on and until the page is loaded again. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as unknown as { clicks: number }
    counter.clicks = 0
    addEventListener('click', (event) => (counter.clicks += event.isTrusted ? 1 : 0), true)
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

export async function textOf(download: Download): Promise<string> {
  return text(await download.createReadStream())
}

/**
 * Compares a timeline with what was found, one frame of the footage after the other: which shots
 * are to be seen in it, and that it lies where it lay.
 */
export function assertSameShots(
  timeline: ParsedTimeline,
  found: Pick<FindingsOf<'shots'>, 'changes'>,
  frames: number,
): void {
  const starts = [0, ...found.changes.map((change) => change.start_frame)]
  const ends = [...found.changes.map((change) => change.end_frame), frames]
  const shown = (frame: number, ranges: [number, number][]): number[] =>
    ranges.flatMap(([from, to], shot) => (frame >= from && frame < to ? [shot] : []))
  const expected = starts.map((start, shot): [number, number] => [start, ends[shot] ?? frames])
  const source = timeline.video.map((edit): [number, number] => [edit.sourceIn, edit.sourceOut])
  const record = timeline.video.map((edit): [number, number] => [edit.recordIn, edit.recordOut])
  for (let frame = 0; frame < frames; frame += 1) {
    const wanted = shown(frame, expected)
    assert.deepEqual(shown(frame, source), wanted, `frame ${frame} of the footage`)
    assert.deepEqual(shown(frame, record), wanted, `frame ${frame} of the timeline`)
  }
  assert.equal(timeline.video.at(-1)?.sourceOut, frames)
  assert.deepEqual(
    timeline.transitions,
    found.changes
      .filter((change) => change.end_frame > change.start_frame)
      .map((change) => [change.start_frame, change.end_frame]),
  )
}
