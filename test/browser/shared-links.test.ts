/** Shared links in a browser without an account: passwords, expiry, lost and hostile comments. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { parseCutFcpxml, parseCutXmeml } from '../export-parsers/cut.ts'
import { violationsInLooks } from '../support/axe.ts'
import { exportBy, openStudio } from '../support/browser-job-app.ts'
import type { TestUser } from '../support/app.ts'
import { recordAnalytics, signedIn, visit } from '../support/browser.ts'
import { renderProxies } from '../support/share-proxies.ts'
import { slow } from '../support/slow.ts'
import { addSpokenClips } from '../support/spoken-clips.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const studio = use(openStudio)
const user = use(() => studio.server.user('edda.lind@example.com'))
let clip: { contentId: string; jobId: string }
let cutId: string

before(async () => {
  const { project } = await user.client.createProject({ body: { name: 'River' } })
  const clips = await addSpokenClips(studio, user, {
    projectId: project.id,
    clips: [{ name: 'A001.mp4', speaker: 'Lena', sentences: ['We waited', 'The fog came'] }],
  })
  clip = clips[0]!
  const ranges = [newRange({ content_id: clip.contentId, in: 0, out: 75 })]
  const { cut } = await user.client.createCut({
    body: { project_id: project.id, name: 'Opening', ranges },
  })
  cutId = cut.id
})

async function share(body: Parameters<TestUser['client']['createShare']>[0]['body']) {
  const { token, share: created } = await user.client.createShare({ body })
  return { path: `${studio.server.url}/shared/${token}`, token, id: created.id }
}

const comments = (page: Page) => page.getByRole('list', { name: 'Comments' }).getByRole('listitem')

async function comment(page: Page, text: string, name = 'Ines Park'): Promise<void> {
  await page.getByLabel('Comment', { exact: true }).fill(text)
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
}

test('a password opens its link, and a wrong one does not', async () => {
  const { path } = await share({ cut_id: cutId, password: 'river bank' })
  const { page, close } = await visit(studio.browser, path)
  await page.getByText('edda.lind protected this link with a password.').waitFor()
  assert.equal(await page.locator('video').count(), 0)
  assert.equal(await page.getByText('Opening').count(), 0)
  assert.deepEqual(await violationsInLooks(page), [])
  await page.getByLabel('Password').fill('ocean')
  await page.keyboard.press('Enter')
  await page.getByText('This is not the password of this link.').waitFor()
  await page.getByLabel('Password').fill('river bank')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Opening' }).waitFor()
  await comment(page, 'Behind the password')
  await comments(page).getByText('Behind the password').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Opening' }).waitFor()
  await close()
})

test('a link says how far its copy is and plays it once it is there, as its owner reads', async () => {
  const { path, token } = await share({ cut_id: cutId })
  const { page, problems, close } = await visit(studio.browser, path)
  await page.getByText('The copy waits to be made').waitFor()
  const owner = await visit(studio.browser, `${studio.server.url}/cuts/${cutId}`, {
    storage: signedIn(user),
  })
  await owner.page.getByRole('button', { name: 'Share' }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Share “Opening”' })
  await dialog.getByText('The copy waits to be made').first().waitFor()
  await renderProxies(studio.server)
  await dialog
    .getByText(/^Ready · [\d.]+ KB$/)
    .first()
    .waitFor()
  await owner.close()
  await page.getByText('Picture follows').waitFor({ state: 'detached' })
  const { shared } = await studio.server.client(null).getShared({ params: { token }, query: {} })
  const sources = await page
    .locator('video[src]')
    .evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).src))
  assert.deepEqual([...new Set(sources)], [shared.proxy.proxy?.url])
  await page.keyboard.press(' ')
  await until(
    () => page.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuenow'),
    '74',
  )
  assert.deepEqual(problems, [])
  await close()
})

test('a link opens and takes a comment where the browser forbids storage', slow, async () => {
  const { path } = await share({ cut_id: cutId })
  const { page, context, close } = await visit(studio.browser, 'about:blank')
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    }
  })
  await page.goto(path)
  await page.getByRole('heading', { name: 'Opening' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await comment(page, 'Without storage')
  await comments(page).getByText('Without storage').waitFor()
  await close()
})

test('a link that ended or was withdrawn shows one line, while it is open too', slow, async () => {
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const { path } = await share({ cut_id: cutId, expires_at: soon })
  const { page, close } = await visit(studio.browser, path)
  await page.getByRole('heading', { name: 'Opening' }).waitFor()
  studio.server.clock.offsetMs = 3 * 86_400_000
  await page.reload()
  await page.getByText('This link has ended. Please ask edda.lind for a new one.').waitFor()
  studio.server.clock.offsetMs = 0
  const other = await share({ cut_id: cutId })
  await page.goto(other.path)
  await page.getByRole('heading', { name: 'Opening' }).waitFor()
  await user.client.revokeShare({ params: { id: other.id } })
  await comment(page, 'Too late')
  await page.getByText('not sent · edda.lind has revoked this link.').waitFor()
  await page.reload()
  await page.getByText('edda.lind has revoked this link.').waitFor()
  assert.equal(await page.locator('video').count(), 0)
  const answer = await fetch(other.path)
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex, nofollow')
  await page.goto(`${studio.server.url}/shared/${'A'.repeat(43)}`)
  await page.getByText('This link does not lead anywhere.', { exact: false }).waitFor()
  await close()
})

test('a comment whose answer is lost is sent again and written once', slow, async () => {
  const { path, token } = await share({ cut_id: cutId })
  const { page, close } = await visit(studio.browser, path)
  await page.getByText('Play, then type.').waitFor()
  let isLost = true
  await page.route('**/v1/shares/*/comments*', async (route) => {
    if (route.request().method() !== 'POST' || !isLost) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await comment(page, 'Hold the fog')
  await page.getByText('not sent ·').waitFor()
  // It is kept on the device, with the same secret.
  await page.reload()
  await page.getByText('not sent ·').waitFor()
  isLost = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('not sent ·').waitFor({ state: 'detached' })
  await comments(page).getByText('Hold the fog').waitFor()
  const { comments: written } = await studio.server
    .client(null)
    .listSharedComments({ params: { token }, query: {} })
  assert.deepEqual(
    written.map((item) => item.text),
    ['Hold the fog'],
  )
  // And it is this device's own.
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Changed comment').fill('Hold the fog longer')
  await page.getByRole('button', { name: 'Save' }).click()
  await comments(page).getByText('Hold the fog longer').waitFor()
  await close()
})

test('a visitor answers, the editor answers, and nobody passes for the editor', slow, async () => {
  const { path } = await share({ cut_id: cutId })
  const { page, context, problems, close } = await visit(studio.browser, path)
  const events = await recordAnalytics(context)
  await page.reload()
  await page.getByText('Play, then type.').waitFor()
  await comment(page, attack, 'edda.lind Editor <script>window.pwned=2</script>')
  await comments(page).getByText(attack).waitFor()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel(/^Answer to/).fill('javascript:window.pwned=3')
  await page.getByRole('button', { name: 'Send' }).click()
  await comments(page).getByText('javascript:window.pwned=3').waitFor()
  assert.equal(await page.getByText('Editor', { exact: true }).count(), 0)
  const { comments: written } = await user.client.listComments({ query: { cut_id: cutId } })
  const first = written.find((item) => item.text === attack)!
  await user.client.replyToComment({ params: { id: first.id }, body: { text: 'In version 2' } })
  await user.client.updateComment({ params: { id: first.id }, body: { done: true } })
  await page.reload()
  await comments(page).getByText('In version 2').waitFor()
  assert.equal(await page.getByText('Editor', { exact: true }).count(), 1)
  await comments(page).getByText('Done').waitFor()
  assert.equal(await page.evaluate(() => 'pwned' in window), false)
  assert.equal(
    await page.locator('main a[href^="javascript"], [onerror], script:not([src])').count(),
    0,
  )
  assert.deepEqual(await violationsInLooks(page), [])
  assert.ok(events.some((event) => event.name === 'page_view'))
  assert.ok(
    events.every((event) => event.path === '/shared/:token'),
    'the link is in no report',
  )
  assert.deepEqual(problems, [])
  await close()
})

const attack = '"><img src=x onerror="window.pwned=1"><svg onload=window.pwned=1> =1+1'

test('comments on a clip’s review are markers of the review and of its exports', slow, async () => {
  const { path } = await share({ job_id: clip.jobId })
  const guest = await visit(studio.browser, path)
  await guest.page.getByText('Play, then type.').waitFor()
  for (let step = 0; step < 12; step += 1) await guest.page.keyboard.press('ArrowRight')
  await guest.page.keyboard.press('i')
  for (let step = 0; step < 5; step += 1) await guest.page.keyboard.press('ArrowRight')
  await guest.page.keyboard.press('o')
  await comment(guest.page, 'Lovely light')
  await comments(guest.page).getByText('Lovely light').waitFor()
  await guest.close()

  const { page, problems, close } = await visit(
    studio.browser,
    `${studio.server.url}/jobs/${clip.jobId}`,
    { storage: signedIn(user) },
  )
  await page.locator('[data-comment][title="Ines Park: Lovely light"]').waitFor()
  await page.getByRole('tab', { name: /^Comments/ }).click()
  await comments(page).getByText('Lovely light').waitFor()
  await page.getByRole('button', { name: '00:00:00:12 – 00:00:00:18' }).click()
  await until(
    () => page.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow'),
    '12',
  )
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await comments(page).getByText('Done').waitFor()
  const fcpxml = parseCutFcpxml(await exportBy(page, /^FCPXML:/))
  const xml = parseCutXmeml(await exportBy(page, /^XML:/))
  for (const { markers } of [fcpxml, xml]) {
    assert.deepEqual(
      markers.map((marker) => marker.at),
      [12],
    )
    assert.match(markers[0]?.text ?? '', /Lovely light/)
  }
  assert.deepEqual(problems, [])
  await close()
})

test('500 comments stay in few rows, and faces fold into numbers', slow, async () => {
  const { path, id } = await share({ cut_id: cutId })
  const rows = Array.from({ length: 500 }, (_, index) => ({
    share_id: id,
    account_id: user.accountId,
    name: `Guest ${index}`,
    text: `Note ${index}`,
    at_frame: index % 75,
    version: 1,
    is_editor: false,
    created_at: new Date(),
  }))
  await studio.server.ctx.db.insertInto('share_comments').values(rows).execute()
  const { page, close } = await visit(studio.browser, path)
  await comments(page).first().waitFor()
  const shown = await comments(page).count()
  assert.ok(shown < 60, `${shown} rows in the page`)
  await page.getByRole('button', { name: 'Open 500' }).waitFor()
  await comments(page)
    .first()
    .evaluate((row) => row.closest('.overflow-y-auto')?.scrollTo(0, 1e6))
  await until(() => comments(page).last().getAttribute('aria-posinset'), '500')
  await close()
})
