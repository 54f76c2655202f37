/** The dashboard against the specification: what it shows, asks, says and when it closes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import {
  answer,
  contentOf,
  expectToast,
  idOf,
  jobOf,
  recordCalls,
  transactionOf,
} from '../support/stubs.ts'
import { until } from '../support/until.ts'
import { addWaitingJobs } from '../support/waiting-jobs.ts'

const house = useHouse()

test('a new account sees its e-mail, Active, the balance, four tiles and every part, empty (§2 Dashboard)', async () => {
  const user = await house.server.user('first@example.com')
  const { page, problems, close } = await house.open('/dashboard', user)
  const banner = page.getByRole('region', { name: 'Account' })
  await banner.getByText('first@example.com').waitFor()
  await banner.getByText('Active', { exact: true }).waitFor()
  await banner.getByText('$5.00').waitFor()
  assert.equal(await page.locator('main dl').first().locator('dt').count(), 4)
  const strip = page.getByRole('region', { name: 'Quick Top-Up' }).locator('button')
  assert.deepEqual((await strip.allInnerTexts()).filter((text) => text.includes('$')).map(words), [
    '$50 $52.50 credits POWER +5% bonus',
    '$100 $115.00 credits PRO +15% bonus',
  ])
  const actions = page.getByRole('region', { name: 'Quick actions' }).getByRole('button')
  assert.ok((await actions.allInnerTexts()).includes('Analytics'))
  for (const [name, empty] of [
    ['My Content', 'No content yet'],
    ['Recent Jobs', 'No jobs yet'],
    ['Current Month Usage', 'Used on jobs'],
    ['Recent Transactions', '+$5.00'],
  ] as const) {
    await page.getByRole('region', { name }).getByText(empty).waitFor()
  }
  assert.deepEqual(problems, [])
  await close()
})

test('/dashboard.html is the same screen (§2 Routes)', async () => {
  const { page, close } = await house.open('/dashboard.html', await house.server.user())
  await page.getByRole('region', { name: 'Account' }).waitFor()
  await page.getByRole('region', { name: 'Recent Jobs' }).waitFor()
  await close()
})

test('the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token (§6, §7)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/terms', user)
  const { calls, requests } = recordCalls(page)
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByRole('region', { name: 'Recent Transactions' }).getByText('+$5.00').waitFor()
  await page.getByText('No jobs yet').waitFor()
  await page.getByText('No content yet').waitFor()
  for (const call of [
    'GET /user/me',
    'GET /user/billing-stats',
    'GET /content',
    'GET /jobs?limit=5',
    'GET /user/billing-history?limit=5&type=credit',
  ]) {
    assert.ok(calls.includes(call), `${call} in ${calls.join(', ')}`)
  }
  for (const request of requests.filter((request) => request.resourceType() === 'fetch')) {
    assert.equal((await request.allHeaders()).authorization, `Bearer ${user.token}`, request.url())
  }
  await close()
})

test('rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only (§2 Dashboard, §4, §6)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const statuses = ['completed', 'processing', 'queued', 'running', 'failed']
  await answer(context, 'GET /jobs', {
    json: { jobs: statuses.map((status, i) => jobOf(i + 1, status)), next_cursor: null },
  })
  await answer(context, 'GET /user/billing-history', {
    json: { transactions: [1, 2, 3, 4, 5].map((n) => transactionOf(n)), next_cursor: null },
  })
  await answer(context, 'GET /content', {
    json: {
      content: [contentOf(1, 'upload'), contentOf(2, 'youtube'), contentOf(3, 'url')],
      next_cursor: null,
    },
  })
  await page.goto(`${house.server.url}/dashboard`)
  const jobs = page.getByRole('region', { name: 'Recent Jobs' }).getByRole('listitem')
  await jobs.nth(4).waitFor()
  assert.equal(await jobs.count(), 5)
  assert.equal(await jobs.first().getByRole('link').innerText(), '11111111')
  const tile = page.locator('main dl').first().locator('div').filter({ hasText: 'in Progress' })
  assert.match(
    await tile.innerText(),
    /Progress\s+3\s/,
    'processing, queued and running are in progress',
  )
  const credits = page.getByRole('region', { name: 'Recent Transactions' }).getByRole('listitem')
  await credits.nth(4).waitFor()
  assert.equal(await credits.count(), 5)
  assert.match(await credits.first().innerText(), /Transaction 1[\s\S]*\+\$10\.00/)
  const content = page.getByRole('region', { name: 'My Content' })
  await content.getByText('upload 1', { exact: true }).waitFor()
  assert.equal(await content.getByRole('button', { name: /^Download/ }).count(), 1)
  await content.getByRole('button', { name: 'Download upload 1' }).waitFor()
  assert.equal(await content.getByRole('button', { name: /^Delete/ }).count(), 3)
  await content.getByText('1.5 KB').first().waitFor()
  await close()
})

test('Jobs in Progress counts every job that is queued or running (§2 Dashboard, §4)', async () => {
  const user = await house.server.user()
  await addWaitingJobs(house.server, user, 7)
  const { page, close } = await house.open('/dashboard', user)
  const jobs = page.getByRole('region', { name: 'Recent Jobs' }).getByRole('listitem')
  await jobs.nth(4).waitFor()
  const tile = page.locator('main dl').first().locator('div').filter({ hasText: 'in Progress' })
  assert.match(await tile.innerText(), /Progress\s+7\s/)
  await close()
})

test('a large library shows its latest eight, a phone four, and counts all', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const content = Array.from({ length: 12 }, (_, index) => ({
    ...contentOf(1, 'upload'),
    id: crypto.randomUUID(),
    file_name: `take ${index}.mov`,
  }))
  await answer(context, 'GET /content', { json: { content, next_cursor: null, total: 1284 } })
  await page.goto(`${house.server.url}/dashboard`)
  const library = page.getByRole('region', { name: 'My Content' })
  await library.getByText('1,284 items · newest first').waitFor()
  assert.equal(await library.getByRole('listitem').count(), 8)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await library.getByRole('listitem').count(), 4)
  await close()
})

test('My Content says what was run on each item, and leads to the library', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const run = (extractor: string, state: string) => ({
    extractor,
    state,
    progress: 1,
    job_id: crypto.randomUUID(),
    message: null,
  })
  const analysis = [run('shots', 'done'), run('ffprobe', 'done'), run('transcription', 'failed')]
  const content = [{ ...contentOf(1, 'upload'), analysis }, contentOf(2, 'upload')]
  await answer(context, 'GET /content', { json: { content, next_cursor: null } })
  await page.goto(`${house.server.url}/dashboard`)
  const region = page.getByRole('region', { name: 'My Content' })
  await region.getByText('Analysed: Metadata, Shot changes · Failed: Transcription').waitFor()
  assert.equal(await region.getByText(/Analysed|Failed|Running/).count(), 1)
  await region.getByRole('link', { name: 'Open Library' }).click()
  await page.waitForURL('**/library')
  await close()
})

test('a status is good, in progress, bad or neutral (§4)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const statuses = ['completed', 'processing', 'queued', 'running', 'failed', 'canceled']
  await answer(context, 'GET /jobs', {
    json: { jobs: statuses.map((status, i) => jobOf(i + 1, status)), next_cursor: null },
  })
  await page.goto(`${house.server.url}/jobs`)
  const colours = new Map<string, string>()
  for (const status of statuses) {
    const label = status === 'canceled' ? 'cancelled' : status
    const badge = page.getByText(label, { exact: true }).first()
    await badge.waitFor()
    colours.set(status, await badge.evaluate((element) => getComputedStyle(element).color))
  }
  assert.equal(colours.get('queued'), colours.get('processing'))
  assert.equal(colours.get('running'), colours.get('processing'))
  const kinds = ['completed', 'processing', 'failed', 'canceled'].map((item) => colours.get(item))
  assert.equal(new Set(kinds).size, 4)
  await close()
})

test('a recent job opens wherever its row is pressed, by one link', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await answer(context, 'GET /jobs', { json: { jobs: [jobOf(1, 'running')], next_cursor: null } })
  await page.goto(`${house.server.url}/dashboard`)
  const row = page.getByRole('region', { name: 'Recent Jobs' }).getByRole('listitem')
  await row.waitFor()
  assert.equal(await row.getByRole('link').count(), 1)
  const box = await row.boundingBox()
  assert.ok(box)
  for (const x of [0.5, 0.97]) {
    await row.click({ position: { x: box.width * x, y: box.height / 2 } })
    await page.waitForURL(`${house.server.url}/jobs/${idOf(1)}`)
    await page.goBack()
    await row.waitFor()
  }
  await close()
})

test('an account without free credit is shown why, and what to do', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await context.route('**/v1/user/me', async (route) => {
    const answer = await route.fetch()
    const me = (await answer.json()) as object
    await route.fulfill({ json: { ...me, free_credit_withheld: 'unverified' } })
  })
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByText('Verify it at GitHub or Google, then log in again').waitFor()
  await close()
})

test('a list that cannot be loaded is reported once, and the lists stand empty (§2 Global, §7, §8)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  for (const path of ['/content', '/jobs', '/user/billing-history', '/user/billing-stats']) {
    await answer(context, `GET ${path}`, { status: 400, json: { message: 'no' } })
  }
  await page.goto(`${house.server.url}/dashboard`)
  await expectToast(page, { type: 'error', message: 'Failed to load dashboard data' })
  assert.equal(await page.locator('[data-toast]').count(), 1)
  const lists = [
    ['My Content', 'No content yet'],
    ['Recent Jobs', 'No jobs yet'],
    ['Recent Transactions', '+$5.00'],
    ['Current Month Usage', 'Used on jobs'],
  ] as const
  for (const [name, message] of lists) {
    const list = page.getByRole('region', { name })
    await list.getByText('Couldn’t load this').waitFor()
    assert.equal(await list.getByRole('listitem').count(), 0)
    assert.equal(
      await list.getByText(message).count(),
      0,
      'what is not here is not said to be empty',
    )
  }
  const tiles = page.locator('main dl').first().locator('div')
  for (const label of ['Total Spent', 'Bonus Credits', 'Jobs in Progress']) {
    assert.match(await tiles.filter({ hasText: label }).innerText(), /\s–\s/, label)
  }
  await context.unrouteAll()
  for (const [name, message] of lists) {
    const list = page.getByRole('region', { name })
    await list.getByRole('button', { name: 'Try again' }).click()
    await list.getByText(message).waitFor()
  }
  await close()
})

test('footage comes first, money below, and what runs beside it (§2 Dashboard)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user(), {
    height: 900,
    width: 1440,
  })
  await answer(context, 'GET /content', {
    json: { content: [contentOf(1, 'upload')], next_cursor: null },
  })
  await page.goto(`${house.server.url}/dashboard`)
  const place = async (name: string) => {
    const box = await page.getByRole('region', { name }).boundingBox()
    assert.ok(box, name)
    return box
  }
  const footage = page.getByRole('region', { name: 'My Content' }).getByRole('listitem')
  await footage.waitFor()
  assert.equal((await place('Account')).height, 56)
  const content = await place('My Content')
  assert.ok(content.y < 330, `My Content at ${content.y}`)
  assert.equal((await place('Recent Jobs')).y, content.y)
  for (const name of ['Quick Top-Up', 'Current Month Usage', 'Recent Transactions']) {
    assert.ok((await place(name)).y > content.y + content.height, name)
  }
  const actions = footage.getByRole('button', { name: 'Analyse upload 1' }).locator('..')
  const opacity = () => actions.evaluate((element) => getComputedStyle(element).opacity)
  assert.equal(await opacity(), '0')
  await footage.getByRole('button', { name: 'Download upload 1' }).focus()
  await until(opacity, (value) => value === '1')
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok((await place('My Content')).y <= 330, 'on a phone')
  await close()
})

test('a finger that rests on footage sees its actions, and opens nothing', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user, { touch: true, width: 390 })
  await answer(context, 'GET /content', {
    json: { content: [contentOf(1, 'upload')], next_cursor: null },
  })
  await page.goto(`${house.server.url}/dashboard`)
  const remove = page.getByRole('button', { name: 'Delete upload 1' })
  const name = page.getByRole('button', { name: 'upload 1', exact: true })
  const box = await name.boundingBox()
  assert.ok(box)
  const takesPresses = () =>
    remove.locator('..').evaluate((element) => getComputedStyle(element).pointerEvents)
  assert.equal(await takesPresses(), 'none')
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 10, y: box.y + 5 }],
    })
  await touch('touchStart')
  await until(takesPresses, (value) => value === 'auto')
  await touch('touchEnd')
  await remove.tap()
  await page.getByRole('alertdialog').getByText('delete this content').waitFor()
  assert.equal(await page.getByRole('dialog', { name: 'Create Job' }).count(), 0)
  await close()
})

test('every screen opens the activity: what runs, waits, failed with the way on, and is done', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const statuses = ['completed', 'processing', 'queued', 'failed']
  const error = { code: 'fetch_failed', message: 'The address did not answer.' }
  const jobs = statuses.map((status, index) => ({
    ...jobOf(index + 1, status),
    progress: 0.5,
    error: status === 'failed' ? error : null,
  }))
  await answer(context, 'GET /jobs', { json: { jobs, next_cursor: null, in_progress: 2 } })
  await page.goto(`${house.server.url}/profile`)
  await page.getByRole('button', { name: 'Activity: 2 running' }).click()
  const drawer = page.getByRole('dialog', { name: 'Activity' })
  const group = (name: string) => drawer.getByRole('region', { name }).getByRole('listitem')
  await group('Running').getByRole('progressbar').waitFor()
  await group('Running')
    .getByRole('button', { name: /^Cancel/ })
    .waitFor()
  await group('Waiting').getByText('queued').waitFor()
  await group('Failed').getByText('The address did not answer.').waitFor()
  await group('Failed').getByText('Check that the URL opens in a private window').waitFor()
  await group('Failed')
    .getByRole('button', { name: /^Retry/ })
    .waitFor()
  await group('Done').getByText('completed').waitFor()
  await drawer.getByRole('link', { name: 'All jobs' }).click()
  await page.waitForURL('**/jobs')
  await drawer.waitFor({ state: 'detached' })
  await close()
})

test('Analytics is coming soon (§2 Dashboard, §2 Global)', async () => {
  const { page, close } = await house.open('/dashboard', await house.server.user())
  await page.getByRole('button', { name: 'Analytics' }).click()
  await expectToast(page, { type: 'info', message: 'Analytics feature coming soon!' })
  await close()
})

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
