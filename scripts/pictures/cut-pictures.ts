/** Takes the cut screen and its export in both themes, for /docs/editors. */
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { newRange, strike } from '../../domain/cuts/cut-edit.ts'
import { api as endpoints } from '../../contract/api.ts'
import { createClient } from '../../client/create-client.ts'
import { storedToken } from './product.ts'

/** Sentences of the sample clip, out of their order. */
const ranges: readonly [from: number, to: number][] = [
  [236, 318],
  [104, 200],
  [10, 65],
  [375, 445],
]

export async function takeCuts(
  page: Page,
  target: { url: string; jobId: string; folder: string; write: (path: string) => Promise<void> },
): Promise<void> {
  const token = await storedToken(page)
  const client = createClient(endpoints, { base: target.url, token: () => token })
  const { job } = await client.getJob({ params: { id: target.jobId } })
  const contentId = job.content_id ?? ''
  const { project } = await client.createProject({ body: { name: 'Sample' } })
  await client.updateContent({ params: { id: contentId }, body: { project_id: project.id } })
  const list = ranges.map(([from, to]) => newRange({ content_id: contentId, in: from, out: to }))
  const { results } = await client.getJobResults({ params: { id: target.jobId }, query: {} })
  const filler = results.transcription?.words.find((word) => /^um/i.test(word.text))
  const struck = filler
    ? strike(list, list[1]?.id ?? '', { in: filler.start_frame, out: filler.end_frame })
    : list
  const { cut } = await client.createCut({
    body: { project_id: project.id, name: 'Opening', ranges: struck },
  })
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
    await page.goto(`${target.url}/cuts/${cut.id}`)
    await page.locator('[data-passage]').nth(1).getByRole('button').first().click()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.querySelector('video')?.readyState === 4)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1500)
    await target.write(resolve(target.folder, `cut-${theme}.webp`))
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('radio', { name: /^Premiere Pro/ }).check()
    await page.waitForTimeout(500)
    await target.write(resolve(target.folder, `cut-export-${theme}.webp`))
  }
}
