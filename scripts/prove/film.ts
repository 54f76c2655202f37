/**
 * `npm run prove:film [-- minutes]`: a film, not a clip, through the whole product: two hours with
 * 4,000 shots and speech at both ends, uploaded in the browser, analysed in full, reviewed,
 * searched and exported in every format. Prints the peak memory of the service, of the
 * worker with its tools, and of the browser's tab, and the longest tasks of its main thread. The
 * command fails where a count differs from what was put into the film.
 */
import assert from 'node:assert/strict'
import { readdir, readFile, stat, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { api } from '../../contract/api.ts'
import type { ApiClient } from '../../contract/api.ts'
import { createClient } from '../../client/create-client.ts'
import { exportFormats } from '../../domain/export-formats.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { makeClip, makeManyShots } from '../../engine/clips.testing.ts'
import type { ParsedTimeline } from '../../test/export-parsers/edit.ts'
import { parseEdl } from '../../test/export-parsers/edl.ts'
import { parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import { parseOtio } from '../../test/export-parsers/otio.ts'
import { parseXmeml } from '../../test/export-parsers/xmeml.ts'
import { frameOf } from '../../test/support/review-page.ts'
import { chromiumPath } from '../chromium.ts'
import { buyPackage, openProduct, signIn, storedToken } from '../pictures/product.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const framesPerSecond = 25
const framesEach = 45
const everything = 'ffprobe,thumbnail,transcription,shots,talking,cutpoints'
const sample = resolve(import.meta.dirname, '../../assets/sample.mp4')
/** A word of the sample's speech. */
const spoken = 'river'
const speechSeconds = 30
const jobLimitMs = 90 * 60_000

const minutes = Number(process.argv[2] ?? 120)
const shots = Math.round((minutes * 60 * framesPerSecond) / framesEach)
const frames = shots * framesEach
/** Frame at which the second speech begins. */
const lateFrame = frames - speechSeconds * framesPerSecond
ensureSystemPackages(toTest)
await using scratch = await mkdtempDisposable(join(tmpdir(), 'prove-film-'))
const folder = scratch.path
const memory = watchMemory()
await using product = await openProduct()
await using browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
})
await proveFilm()
memory.stop()

async function proveFilm(): Promise<void> {
  const file = await timed('film made', makeFilm)
  console.log(`${minutes} min, ${shots} shots, ${megabytes((await stat(file)).size)}`)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(120_000)
  await page.addInitScript(noteLongTasks)
  await signIn(page, product.url)
  // Buys two hours of everything, in packages of $52.50.
  for (let bought = 0; bought < Math.ceil(minutes / 30); bought += 1) {
    await buyPackage(page, product.url)
  }
  const token = await storedToken(page)
  const client = createClient(api, { base: product.url, token: () => token })
  await timed('uploaded', () => upload(page, file))
  const { content } = await client.listContent({ query: {} })
  const film = content.find((item) => item.file_name === 'film.mp4')
  assert.equal(film?.media?.frames, frames)
  const jobId = await timed('analysed', () => analyse(client, film?.id ?? ''))
  // An hour's analysis has been paid for by now: a step that fails does not keep the others back.
  await reported('reviewed', () => review(page, jobId))
  await reported('searched', () => search(client, page, jobId))
  await reported('exported', () => exportAll(token, jobId))
  memory.report()
}

async function reported(what: string, work: () => Promise<void>): Promise<void> {
  await timed(what, work).catch((error: unknown) => {
    process.exitCode = 1
    console.error(`NOT ${what}:`, error)
  })
}

/** The pictures by copying, speech at the beginning and at the end, and silence between. */
async function makeFilm(): Promise<string> {
  await makeManyShots(folder, { shots, framesEach })
  const silence = frames / framesPerSecond - 2 * speechSeconds
  const speech = `aresample=16000,aformat=channel_layouts=mono,apad,atrim=0:${speechSeconds}`
  await makeClip(
    folder,
    `-i ${sample} -f lavfi -i anullsrc=r=16000:cl=mono:d=${silence} -filter_complex
      [0:a]${speech},asplit[a][b];[a][1:a][b]concat=n=3:v=0:a=1[s] -map [s] -c:a aac -b:a 32k sound.m4a`,
  )
  return makeClip(folder, '-i many-shots.mp4 -i sound.m4a -c copy -movflags +faststart film.mp4')
}

async function upload(page: Page, file: string): Promise<void> {
  await page.goto(`${product.url}/dashboard`)
  await page.getByRole('button', { name: 'Add Content' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Upload complete').waitFor({ timeout: 600_000 })
}

async function analyse(client: ApiClient, contentId: string): Promise<string> {
  const body = { content_id: contentId, workflow: everything }
  const { id } = (await client.createJob({ body })).job
  for (const endsAt = Date.now() + jobLimitMs; Date.now() < endsAt; await wait(1000)) {
    const { job } = await client.getJob({ params: { id } })
    if (job.status === 'failed') break
    if (job.status !== 'completed') continue
    const faults = job.extractors.filter(({ status }) => status !== 'done')
    assert.deepEqual(faults, [], 'every extractor came to its end')
    return id
  }
  throw new Error('The film was not analysed.')
}

async function review(page: Page, jobId: string): Promise<void> {
  await page.goto(`${product.url}/jobs/${jobId}`)
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  const counted = new RegExp(`^Shots ${shots.toLocaleString('en-US')}`)
  await page.getByRole('tab', { name: counted }).click()
  await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.querySelector('video')?.seeking === false)
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft')
  assert.equal(await frameOf(page), frames - 11, 'ten frames before the last')
  await page.waitForFunction(
    (minSeconds) => (document.querySelector('video')?.currentTime ?? 0) > minSeconds,
    (frames - 30) / framesPerSecond,
  )
  await page.keyboard.press('Space')
  await page.keyboard.press('Home')
  await page.getByRole('tab', { name: /^Transcript/ }).click()
  await page.getByRole('tabpanel').getByText(spoken, { exact: false }).first().waitFor()
  for (const tab of [/^Talking/, /^Selects/]) await page.getByRole('tab', { name: tab }).click()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
  const tasks = await page.evaluate(() => (globalThis as { longTasks?: number[] }).longTasks ?? [])
  const longest = tasks.toSorted((a, b) => b - a).slice(0, 3)
  console.log(
    `tab: heap ${megabytes(heap)}, longest tasks ${longest.map(Math.round).join(', ')} ms`,
  )
}

async function search(client: ApiClient, page: Page, jobId: string): Promise<void> {
  const { hits } = await client.search({ query: { q: spoken } })
  const late = hits.filter((hit) => hit.job_id === jobId && hit.start_frame > lateFrame)
  assert.ok(late.length > 0, `"${spoken}" near the end`)
  await page.goto(`${product.url}/search?q=${spoken}`)
  await page
    .getByText(late[0]?.timecode ?? '', { exact: false })
    .first()
    .waitFor()
}

async function exportAll(token: string, jobId: string): Promise<void> {
  const download = async (format: ExportFormat): Promise<string> => {
    const answer = await fetch(`${product.url}/v1/jobs/${jobId}/export?format=${format}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`${format}: ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  const json = JSON.parse(await download('json')) as { findings?: Findings } & Findings
  const findings = json.findings ?? json
  assert.equal(findings.shots?.shots.length, shots, 'shots in JSON')
  const words = findings.transcription?.words.length ?? 0
  assert.ok(words > 0, 'words in JSON')
  const readers: Partial<Record<ExportFormat, (text: string) => ParsedTimeline>> = {
    edl: (text) => parseEdl(text, framesPerSecond),
    fcpxml: parseFcpxml,
    xml: parseXmeml,
    otio: parseOtio,
  }
  for (const format of exportFormats) {
    const text = await download(format)
    const read = readers[format]?.(text)
    if (read) {
      assert.equal(read.video.length, shots, `clips in ${format}`)
      assert.equal(read.video.at(-1)?.sourceOut, frames, `end of ${format}`)
    }
    if (format === 'csv') assert.ok(text.trimEnd().split('\n').length > shots, 'rows of csv')
    if (format === 'srt' || format === 'vtt') assert.match(text, new RegExp(spoken, 'i'))
    console.log(`export ${format}: ${megabytes(text.length)}${read ? `, ${shots} clips` : ''}`)
  }
}

function noteLongTasks(): void {
  const tasks: number[] = []
  Object.assign(globalThis, { longTasks: tasks })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const done = await work()
  console.log(`${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return done
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The most that each kind of process below this one has held, by the kernel's own mark. */
function watchMemory(): { report: () => void; stop: () => void } {
  const kinds = ['main.ts', 'worker.ts', '-process.ts', 'ffmpeg', '--type=renderer', 'postgres']
  const peaks = new Map<string, number>()
  let workerPeak = 0
  const timer = setInterval(() => void look(), 2000)
  const look = async (): Promise<void> => {
    let worker = 0
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const read = (name: string): Promise<string> =>
        readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')
      const command = await read('cmdline')
      const kind = kinds.find((kind) => command.includes(kind))
      if (!kind || !(await isOurs(pid))) continue
      const status = await read('status')
      const figure = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
      peaks.set(kind, Math.max(peaks.get(kind) ?? 0, figure('VmHWM')))
      if (['worker.ts', '-process.ts', 'ffmpeg'].includes(kind)) worker += figure('VmRSS')
    }
    workerPeak = Math.max(workerPeak, worker)
  }
  return {
    stop: () => clearInterval(timer),
    report() {
      for (const [kind, bytes] of peaks) console.log(`peak of ${kind}: ${megabytes(bytes)}`)
      console.log(`peak of the worker with all it started: ${megabytes(workerPeak)}`)
    },
  }
}

async function isOurs(pid: string): Promise<boolean> {
  for (let at = pid; Number(at) > 1;) {
    if (Number(at) === process.pid) return true
    const text = await readFile(`/proc/${at}/stat`, 'latin1').catch(() => '')
    at = text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? '0'
  }
  return false
}
