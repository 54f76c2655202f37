/**
 * `npm run bench -- seams [count]`: how late a cut's player is behind its seams. Plays a cut of
 * five clips in Chromium and counts, for each seam, how many whole frames of the cut passed before
 * the first frames of the next event were shown. At most one is allowed.
 */
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { signedIn, visit } from '../../../test/support/browser.ts'
import { openStudio } from '../../../test/support/browser-job-app.ts'
import { addSpokenClips } from '../../../test/support/spoken-clips.ts'
import { buildWeb } from '../../build/web.ts'

const limitFrames = 1
const rangeFrames = 30

export async function run(args: string[] = []): Promise<void> {
  const wanted = Number(args[0] ?? 100)
  await buildWeb()
  await using studio = await openStudio()
  const user = await studio.server.user()
  const { project } = await user.client.createProject({ body: { name: 'Seams' } })
  const names = ['A', 'B', 'C', 'D', 'E']
  const clips = await addSpokenClips(studio, user, {
    projectId: project.id,
    clips: names.map((name) => ({
      name: `${name}.mp4`,
      speaker: name,
      sentences: ['One two three', 'Four five six', 'Seven eight nine'],
    })),
  })
  const ranges = Array.from({ length: wanted + 1 }, (_, index) => {
    const start = (index * 17) % 110
    const { contentId } = clips[index % clips.length]!
    return newRange({ content_id: contentId, in: start, out: start + rangeFrames })
  })
  const body = { project_id: project.id, name: 'Seams', ranges }
  const { cut } = await user.client.createCut({ body })
  const { page, close } = await visit(studio.browser, `${studio.server.url}/cuts/${cut.id}`, {
    storage: signedIn(user),
    width: 1440,
    height: 900,
  })
  page.setDefaultTimeout(300_000)
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await page.getByRole('button', { name: 'Play (Space)' }).click()
  await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
  await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
  const late = await page.evaluate(() =>
    performance
      .getEntriesByName('seam')
      .map((entry) => (entry as PerformanceMark).detail as { lateMs: number; lateFrames: number }),
  )
  await close()
  const frames = late.map((seam) => seam.lateFrames).sort((a, b) => a - b)
  const maxFrames = frames.at(-1) ?? Infinity
  const ms = late.map((seam) => seam.lateMs).sort((a, b) => a - b)
  const count = (from: number) => frames.filter((value) => value >= from).length
  console.log(
    `seams: ${late.length} of ${wanted} seams, ${count(1)} a frame or more late, ${count(2)} more ` +
      `than one; the latest ${maxFrames} frames (p50 ${ms[ms.length >> 1]?.toFixed(1)} ms, ` +
      `p95 ${ms[Math.floor(ms.length * 0.95)]?.toFixed(1)} ms)`,
  )
  if (maxFrames > limitFrames || late.length < wanted) process.exitCode = 1
}
