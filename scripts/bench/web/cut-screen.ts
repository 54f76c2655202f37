/**
 * `npm run bench -- cut-screen [500 2000]`: a long cut in Chromium. Opens it, scrolls through its
 * text, edits in its middle, plays and scrubs, and reports for each the longest time that the page
 * did not answer. More than the limit is a failure.
 */
import type { Page } from 'playwright-core'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { signedIn, visit } from '../../../test/support/browser.ts'
import { openStudio } from '../../../test/support/browser-job-app.ts'
import type { Studio } from '../../../test/support/browser-job-app.ts'
import type { TestUser } from '../../../test/support/app.ts'
import { addClip } from '../../../test/support/library-clips.ts'
import { addSpokenClips } from '../../../test/support/spoken-clips.ts'
import { buildWeb } from '../../build/web.ts'

const limitMs = 250
const clipCount = 40
const wordsOfClip = 4000
const framesOfWord = 10
const wordsOfRange = 15

export async function run(args: string[] = []): Promise<void> {
  const counts = args.length > 0 ? args.map(Number) : [500, 2000]
  await buildWeb()
  await using studio = await openStudio()
  const user = await studio.server.user()
  const { project } = await user.client.createProject({ body: { name: 'Long' } })
  const clips = await addClips(studio, user, project.id)
  for (const count of counts) {
    const body = { project_id: project.id, name: `${count} ranges`, ranges: clips(count) }
    const { cut } = await user.client.createCut({ body })
    await measure(studio, user, { id: cut.id, count })
  }
}

/** Five clips that play, then hours of talk. */
async function addClips(studio: Studio, user: TestUser, projectId: string) {
  const played = await addSpokenClips(studio, user, {
    projectId,
    clips: ['A', 'B', 'C', 'D', 'E'].map((name) => ({
      name: `${name}.mp4`,
      speaker: name,
      sentences: ['One two three', 'Four five six'],
    })),
  })
  const texts = ['river', 'we', 'waited', 'for', 'the', 'fog', 'until', 'it', 'lifted', 'again']
  const words = Array.from(
    { length: wordsOfClip },
    (_, index): [string, number, number, string] => [
      texts[(index * 7) % texts.length]!,
      index * framesOfWord,
      (index + 1) * framesOfWord - 2,
      index % 200 < 100 ? 'Lena' : 'Tom',
    ],
  )
  const talks: string[] = []
  for (let index = 0; index < clipCount; index += 1) {
    const clip = { name: `T${index}.mov`, frames: wordsOfClip * framesOfWord, words, projectId }
    talks.push((await addClip(studio.server, user, clip)).contentId)
  }
  const length = wordsOfRange * framesOfWord
  return (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const clip = played[index]
      if (clip) return newRange({ content_id: clip.contentId, in: 0, out: 50 })
      const from = (index * 37 * framesOfWord) % (wordsOfClip * framesOfWord - length)
      return newRange({ content_id: talks[index % clipCount]!, in: from, out: from + length })
    })
}

async function measure(studio: Studio, user: TestUser, cut: { id: string; count: number }) {
  const started = performance.now()
  const { page, close } = await visit(studio.browser, `${studio.server.url}/cuts/${cut.id}`, {
    storage: signedIn(user),
    width: 1440,
    height: 900,
  })
  page.setDefaultTimeout(60_000)
  await page.locator('[data-words]').first().waitFor()
  const openedMs = performance.now() - started
  await watchStalls(page)
  const stalls: Record<string, number> = {}
  const during = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await page.evaluate(() => Object.assign(globalThis, { longestStall: 0 }))
    await work()
    stalls[name] = await page.evaluate(
      () => (globalThis as { longestStall?: number }).longestStall ?? 0,
    )
  }
  const rows = await page.locator('[data-passage]').count()
  await during('scroll', () => scrollThrough(page))
  await page.evaluate(() => {
    const list = document.querySelector('[data-passages]')
    if (list) list.scrollTop = list.scrollHeight / 2
  })
  const handle = page.getByRole('button', { name: /^Move passage/ }).nth(3)
  await handle.click()
  const edits = { duplicate: 'd', 'switch off': 'x', move: 'Alt+ArrowUp', undo: 'Control+z' }
  for (const [name, key] of Object.entries(edits)) {
    await during(name, async () => {
      await page.keyboard.press(key)
      await page.getByText(/^Saved/).waitFor()
    })
  }
  await during('strike', async () => {
    await page.locator('[data-words]').nth(3).click()
    await page.keyboard.press('Backspace')
    await page.getByText('Removed 1 word').waitFor()
    await page.getByText(/^Saved/).waitFor()
  })
  await page.keyboard.press('Home')
  await during('play', async () => {
    await page.keyboard.press('Space')
    await page.waitForFunction(
      () => !document.querySelector('[data-position]')?.textContent?.endsWith('00:00'),
    )
    await page.keyboard.press('k')
  })
  await during('scrub', () => scrub(page))
  await close()
  const worst = Math.max(...Object.values(stalls))
  const list = Object.entries(stalls).map(([name, ms]) => `${name} ${Math.round(ms)}`)
  console.log(
    `cut-screen: ${cut.count} ranges, text after ${Math.round(openedMs)} ms, ${rows} rows in the ` +
      `page; longest stall in ms: ${list.join(', ')} (limit ${limitMs})`,
  )
  if (worst > limitMs) process.exitCode = 1
}

/** Measures from outside of the page how long its main thread is busy at a time. */
async function watchStalls(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch = globalThis as { longestStall?: number }
    watch.longestStall = 0
    let before = performance.now()
    const look = (): void => {
      const now = performance.now()
      watch.longestStall = Math.max(watch.longestStall ?? 0, now - before)
      before = now
      setTimeout(look, 4)
    }
    look()
  })
}

async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const list = document.querySelector('[data-passages]')
    if (!list) return
    for (let at = 0; at < list.scrollHeight; at += 900) {
      list.scrollTop = at
      await new Promise(requestAnimationFrame)
    }
  })
}

async function scrub(page: Page): Promise<void> {
  const box = await page.getByRole('slider', { name: 'Position in the cut' }).boundingBox()
  if (!box) throw new Error('There is no strip.')
  await page.mouse.move(box.x + 5, box.y + 10)
  await page.mouse.down()
  for (let part = 0; part <= 20; part += 1) {
    await page.mouse.move(box.x + 5 + (part / 20) * (box.width - 10), box.y + 10)
  }
  await page.mouse.up()
}
