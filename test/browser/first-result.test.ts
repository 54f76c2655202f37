/** The first minutes of somebody new: from the login to files that an editing system opens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { api } from '../../contract/api.ts'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { createClient } from '../../client/create-client.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { nameSpeakers } from '../../domain/findings/speakers.ts'
import { extractorById } from '../../engine/extractors/registry.ts'
import { readPrepared } from '../../server/jobs/sample-results.ts'
import { parseEdl } from '../export-parsers/edl.ts'
import { parseFcpxml } from '../export-parsers/fcpxml.ts'
import { signedIn, visit } from '../support/browser.ts'
import { frameOf } from '../support/review-page.ts'
import { assertSameShots, exportBy, openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

/** A full analysis of 23 seconds, on a busy machine. */
const analysisMs = 300_000

const studio = use(() => openStudio({ sandbox: true }))

test('somebody new signs in, tries the sample clip and takes home an EDL and an FCPXML', async () => {
  const { server, browser } = studio
  const { page, problems, close } = await visit(browser, `${server.url}/`)
  await signIn(page, 'new.editor@example.com')
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Try the sample clip' }).first().click()
  await page.waitForURL(/\?job=[0-9a-f-]{36}$/)
  await page.getByText('completed', { exact: true }).waitFor()
  await page.getByText('Cost $0.00').waitFor()
  assert.ok(clicks() <= 3, `${clicks()} clicks from the dashboard to the result`)

  const id = new URL(page.url()).searchParams.get('job') ?? ''
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const client = createClient(api, { base: server.url, token: () => token })
  const { results } = await client.getJobResults({ params: { id }, query: {} })
  const { shots, media, transcription } = results
  assert.ok(shots && media && transcription)
  assert.ok(shots.changes.some((change) => change.type === 'cut'))
  assert.ok(shots.changes.some((change) => change.type === 'dissolve'))
  const opening = transcription.words.slice(0, 4).map((word) => word.text)
  await page.getByRole('tabpanel').getByText(opening.join(' ')).waitFor()
  await assertTalkListed(page, results)

  const edl = parseEdl(await exportBy(page, /^EDL/), 25)
  assertSameShots(edl, shots, media.frames)
  const fcpxml = parseFcpxml(await exportBy(page, /^FCPXML/))
  assertSameShots(fcpxml, shots, media.frames)
  // Both count from the clip's own timecode, one hour.
  assert.equal(fcpxml.sourceStart, 25 * 3600)
  assert.match(edl.events[0]?.sourceIn ?? '', /^01:00:00:00$/)
  assert.deepEqual(problems, [])
  await close()
})

test(
  'what is prepared of the sample is what the engine finds, and a running job shows how far it is',
  slow,
  async () => {
    const { server, browser } = studio
    const user = await server.user()
    const { content } = await user.client.addSample()
    // A start of zero is the whole clip, but not the job that is answered from what is prepared.
    const { job } = await user.client.createJob({
      body: { content_id: content.id, workflow: extractorIds.join(','), in: 0 },
    })
    const address = `${server.url}/jobs/${job.id}`
    const { page, close } = await visit(browser, address, { storage: signedIn(user) })
    const progress = await watchProgress(page)
    await page.getByRole('region', { name: 'Progress' }).waitFor()
    await page.getByText('completed', { exact: true }).waitFor({ timeout: analysisMs })
    assertLive(await progress())
    await close()
    const { findings, versions } = await readPrepared()
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    for (const id of extractorIds) {
      assert.equal(versions[id], extractorById(id)?.version, `${id} was prepared by its version`)
      assertAlike(results[id], nameSpeakers(findings)[id], id)
    }
  },
)

/** Equal, but for the last digits of what a model measures on another machine. */
function assertAlike(actual: unknown, prepared: unknown, at: string): void {
  if (typeof actual === 'number' && !Number.isInteger(actual) && typeof prepared === 'number') {
    // Of a word that a model is unsure of, other processors were less sure by .09.
    const allowed = at.endsWith('confidence') ? 0.15 : 0.02
    assert.ok(Math.abs(actual - prepared) < allowed, `${at}: ${actual}, prepared ${prepared}`)
  } else if (typeof actual !== 'object' || actual === null) {
    assert.deepEqual(actual, prepared, at)
  } else {
    assert.ok(typeof prepared === 'object' && prepared !== null, at)
    assert.deepEqual(Object.keys(actual), Object.keys(prepared), at)
    for (const [key, value] of Object.entries(actual)) {
      assertAlike(value, (prepared as Record<string, unknown>)[key], `${at}.${key}`)
    }
  }
}

/** Who talks, what is only heard and what could go: each a place to go to, or a select. */
async function assertTalkListed(page: Page, { talking, cutpoints }: Partial<Findings>) {
  const voice = talking?.voice_only[1]
  const filler = cutpoints?.removals.find((removal) => removal.kind === 'filler')
  assert.ok(talking && cutpoints && voice && filler)
  await page.getByRole('tab', { name: /^Talking \d/ }).click()
  await page.getByLabel('Show').selectOption(`Voice only (${talking.voice_only.length})`)
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  assert.equal(await rows.count(), talking.voice_only.length)
  await rows.nth(1).getByRole('button').first().click()
  assert.equal(await frameOf(page), voice.start_frame)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Add Voice only/ })
    .click()
  await page.getByRole('tab', { name: 'Selects 1' }).click()
  await page.getByRole('button', { name: 'Remove Select 1' }).click()
  await page.getByRole('tab', { name: /^Cut points/ }).click()
  await page.getByLabel('Show').selectOption(`Silences and fillers (${cutpoints.removals.length})`)
  await page.getByRole('button', { name: `Filler “${filler.text}”` }).click()
  assert.equal(await frameOf(page), filler.start_frame)
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  await page.locator('input[name="email"]').first().fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(`${studio.server.url}/dashboard`)
}

async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeBinding('countClick', () => {
    clicks += 1
  })
  await page.evaluate(() => {
    const { countClick } = window as unknown as { countClick: () => void }
    addEventListener('click', () => countClick(), { capture: true })
  })
  return () => clicks
}

interface Seen {
  /** The whole job's progress bar, each value once. */
  whole: number[]
  /** The percentages of the tab's title. */
  titles: string[]
  /** Tabs with findings that were there before the job had ended. */
  earlyTabs: string[]
}

/** Notes what the page shows while it is left alone. */
async function watchProgress(page: Page): Promise<() => Promise<Seen>> {
  await page.evaluate(() => {
    const seen: Seen = { whole: [], titles: [], earlyTabs: [] }
    const note = (): void => {
      const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Whole job"]')
      if (!bar) return
      const value = bar.value
      if (seen.whole.at(-1) !== value) seen.whole.push(value)
      if (seen.titles.at(-1) !== document.title) seen.titles.push(document.title)
      for (const tab of document.querySelectorAll('[role=tab]')) {
        const name = tab.textContent ?? ''
        if (!seen.earlyTabs.includes(name)) seen.earlyTabs.push(name)
      }
    }
    note()
    const watching = { childList: true, subtree: true, attributes: true, characterData: true }
    new MutationObserver(note).observe(document, watching)
    Object.assign(window, { seenProgress: seen })
  })
  return () => page.evaluate(() => (window as unknown as { seenProgress: Seen }).seenProgress)
}

/** It moved, only forwards, in more than a jump; and findings came while others were still run. */
function assertLive({ whole, titles, earlyTabs }: Seen): void {
  assert.ok(whole.length >= 4, `the bar stood at ${whole.join(', ')}`)
  assert.deepEqual(
    whole,
    whole.toSorted((a, b) => a - b),
  )
  assert.ok(
    titles.some((title) => /^[1-9]\d?% /.test(title)),
    titles.join(' | '),
  )
  assert.ok(
    earlyTabs.some((tab) => /^Shots ?\d/.test(tab)),
    earlyTabs.join(' | '),
  )
}
