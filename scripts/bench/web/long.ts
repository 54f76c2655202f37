/**
 * `npm run bench -- long`: the results screen of two hours with 18,000 words and 2,000 shots in
 * Chromium. The longest task of the page while each tab opens, the time between frames while the
 * transcript and the shots are scrolled, and from a move of the threshold to the new shots on the
 * screen, each against its limit.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openStudio } from '../../../test/support/browser-job-app.ts'
import { buildWeb } from '../../build/web.ts'
import { openLong, recutTimes } from './review.ts'
import { print, quantile } from '../figures.ts'

const length = { hours: 2, shots: 2000, words: 18_000 }
const limits = { taskMs: 200, frameMs: 34, recutMs: 100 }
/** A tab has been opened when the page has had nothing to do for some time. */
const openMs = 3000
const scrolledFrames = 300

export async function run(): Promise<void> {
  await buildWeb()
  await using studio = await openStudio()
  const user = await studio.server.user()
  const { page, close } = await openLong(studio, user, length)
  await watchTasks(page)
  const tabs = await page.getByRole('tab').allInnerTexts()
  // The first one is open already, so it is opened again last.
  for (const index of [...tabs.keys()].slice(1).concat(0)) {
    await takeLongestTask(page)
    await page.getByRole('tab').nth(index).click()
    await wait(openMs)
    const name = (tabs[index] ?? '').replace(/\s+/g, ' ').trim()
    print(`long: ms of the longest task while "${name}" opens`, await takeLongestTask(page), {
      max: limits.taskMs,
    })
  }
  for (const tab of ['Transcript', /^Shots/]) {
    await page.getByRole('tab', { name: tab }).click()
    await wait(openMs)
    const name = tab instanceof RegExp ? 'Shots' : tab
    const frames = await frameTimes(page)
    print(`long: p95 ms between frames while ${name} scrolls`, quantile(frames, 0.95), {
      max: limits.frameMs,
    })
  }
  const recuts = await recutTimes(page)
  print('long: p95 ms of a move of the threshold', quantile(recuts, 0.95), { max: limits.recutMs })
  await close()
}

/** Chromium reports every task of more than 50 ms. */
async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch = globalThis as { longestTask?: number }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        watch.longestTask = Math.max(watch.longestTask ?? 0, duration)
      }
    }).observe({ type: 'longtask' })
  })
}

async function takeLongestTask(page: Page): Promise<number> {
  return page.evaluate(() => {
    const watch = globalThis as { longestTask?: number }
    const longest = watch.longestTask ?? 0
    watch.longestTask = 0
    return longest
  })
}

/** Scrolls the open tab by a notch of a wheel with each frame: 7,200 pixels a second. */
async function frameTimes(page: Page): Promise<number[]> {
  return page.evaluate(async (frames) => {
    const panel = [...document.querySelectorAll('[role=tabpanel]')].find(
      (item) => item.clientHeight > 0,
    )
    const all = panel ? [panel, ...panel.querySelectorAll('*')] : []
    const list = all
      .filter((item) => /auto|scroll/.test(getComputedStyle(item).overflowY))
      .toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0]
    if (!list || list.scrollHeight <= list.clientHeight) throw new Error('There is no long list.')
    const times: number[] = []
    let step = 120
    let before = await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < frames; frame += 1) {
      const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1
      if (isAtEnd || (list.scrollTop === 0 && step < 0)) step = -step
      list.scrollTop += step
      const now = await new Promise(requestAnimationFrame)
      times.push(now - before)
      before = now
    }
    // The threshold stands above the list, so the list is at its top when it moves.
    list.scrollTop = 0
    return times
  }, scrolledFrames)
}
