/** The dialogs of the dashboard against the specification: what they ask, say and send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'
import { answer, contentOf, expectToast, idOf, recordCalls } from '../support/stubs.ts'
import { until } from '../support/until.ts'
import type { JobOptions } from '../../domain/job-options.ts'

const house = useHouse()

test('buying: all packages, confirm, Processing..., then the address of the checkout (§2 Dashboard, §7)', async () => {
  const { page, context, close } = await house.open('/dashboard', await house.server.user())
  await page.getByRole('button', { name: 'View All Packages' }).click()
  const all = page.getByRole('dialog', { name: 'Credit packages' })
  assert.equal(await all.getByRole('listitem').count(), 4)
  await all.getByRole('button', { name: /^Buy Now: ENTERPRISE/ }).click()
  const confirm = page.getByRole('dialog', { name: 'Buy credits' })
  await confirm.getByText('ENTERPRISE').waitFor()
  const gate = Promise.withResolvers<void>()
  let sent: unknown
  await context.route('**/v1/payment/checkout', async (route) => {
    sent = route.request().postDataJSON()
    await gate.promise
    await route.fulfill({ status: 201, json: { checkout_url: `${house.server.url}/privacy` } })
  })
  await confirm.getByRole('button', { name: 'Continue to checkout' }).click()
  await confirm.getByRole('button', { name: 'Processing...' }).waitFor()
  gate.resolve()
  await page.waitForURL(`${house.server.url}/privacy`)
  assert.deepEqual(sent, {
    credit_package_id: 'pkg-enterprise-500',
    success_url: `${house.server.url}/payment/success`,
    cancel_url: `${house.server.url}/payment/cancel`,
  })
  await close()
})

test('checkout failures: the server’s words, or the standard ones, and a missing address (§7, §8)', async () => {
  const { page, context, close } = await house.open('/dashboard', await house.server.user())
  await page.getByRole('button', { name: /\$50/ }).first().click()
  const pay = page.getByRole('button', { name: 'Continue to checkout' })
  await answer(context, 'POST /payment/checkout', { status: 422, json: { message: 'Not today' } })
  await pay.click()
  await expectToast(page, { type: 'error', message: 'Not today', title: 'Checkout Failed' })
  await answer(context, 'POST /payment/checkout', 'no answer')
  await pay.click()
  const message = 'Failed to create checkout session'
  await expectToast(page, { type: 'error', message, title: 'Checkout Failed' })
  await answer(context, 'POST /payment/checkout', { status: 201, json: {} })
  await pay.click()
  await expectToast(page, { type: 'error', message: 'Checkout URL not provided', title: 'Error' })
  await close()
})

test(
  'speakers, language and translation can be set where words are transcribed, by keyboard too',
  slow,
  async () => {
    const { page, context, close } = await house.open('/dashboard', await house.server.user())
    const dialog = await openJob(page)
    await dialog.getByLabel('Content URL').fill('https://media.example/talk.mp4')
    const speakers = dialog.getByLabel('Speakers')
    assert.equal(await speakers.inputValue(), '', 'they are heard unless a number is set')
    await dialog.getByRole('button', { name: /^Shots/ }).click()
    await speakers.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: /^Transcript/ }).click()
    await speakers.focus()
    await page.keyboard.press('2')
    assert.equal(await speakers.inputValue(), '2')
    const language = dialog.getByLabel('Spoken language')
    await dialog.getByLabel('Translation').selectOption('Into English')
    await language.selectOption('English')
    assert.equal(await dialog.getByLabel('Translation').count(), 0, 'English is not translated')
    await language.selectOption('German')
    const { height } = (await speakers.boundingBox())!
    assert.ok(height >= 32, `${height} px to touch`)
    let sent: unknown
    await context.route('**/v1/jobs', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback()
      sent = route.request().postDataJSON()
      await route.fulfill({ status: 422, json: { message: 'Not today' } })
    })
    await dialog.getByRole('button', { name: 'Create Job' }).click()
    await expectToast(page, { type: 'error', message: 'Not today', title: 'Error' })
    const { speakers: count, workflow, ...rest } = sent as JobOptions & { workflow: string }
    assert.equal(rest.language, 'de')
    assert.equal(rest.translate, true)
    assert.deepEqual([count, workflow], [2, 'ffprobe,transcription'])
    await close()
  },
)

test('a job needs an address and an extractor, and its failures are shown (§2 Dashboard, §3, §5, §7, §8, §9)', async () => {
  const { page, context, close } = await house.open('/dashboard', await house.server.user())
  const dialog = await openJob(page)
  const field = dialog.getByLabel('Content URL')
  assert.equal(await field.getAttribute('type'), 'url')
  assert.deepEqual((await dialog.locator('fieldset .timecode').allInnerTexts()).slice(0, 3), [
    '$0.001/sec',
    '$0.005/sec',
    '$0.010/sec',
  ])
  const create = dialog.getByRole('button', { name: 'Create Job' })
  const title = 'Validation Error'
  await create.click()
  await expectToast(page, { type: 'error', message: 'Please enter a content URL', title })
  await field.fill('https://example.com/clip.mov')
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
  await create.click()
  await expectToast(page, { type: 'error', message: 'Please select at least one extractor', title })
  await dialog.getByRole('checkbox', { name: 'Metadata' }).check()
  await dialog.getByRole('checkbox', { name: 'Transcription' }).check()
  await answer(context, 'POST /jobs', { status: 402, json: { message: 'This job needs $9.' } })
  await create.click()
  await expectToast(page, { type: 'error', message: 'This job needs $9.' })
  await answer(context, 'POST /jobs', { status: 502, body: 'bad gateway' })
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/jobs'),
  )
  await create.click()
  await expectToast(page, { type: 'error', message: 'Failed to create job' })
  assert.deepEqual((await asked).postDataJSON(), {
    content_url: 'https://example.com/clip.mov',
    workflow: 'ffprobe,transcription',
  })
  await close()
})

test('a job may run on any item of the library, found by its name (§2 Dashboard)', async () => {
  const user = await house.server.user()
  await sql`insert into content (account_id, content_type, file_name, canonical_url, check_state,
      created_at, last_used_at)
    select ${user.accountId}, 'url', case when n = 1500 then 'Harbour 100%.mov' else 'Clip ' || n end,
      'https://example.com/' || n, 'ready', now() - n * interval '1 second', now()
    from generate_series(1, 1500) n`.execute(house.server.ctx.db)
  const { page, context, close } = await house.open('/dashboard', user)
  await page.getByRole('button', { name: 'Analyse Clip 1', exact: true }).waitFor()
  const dialog = await openJob(page)
  const library = dialog.getByLabel('From your library')
  const search = dialog.getByLabel('Search your library')
  await search.fill('nothing of that name')
  await until(async () => (await library.locator('option').count()) === 1)
  await search.fill('our 100%')
  await library.locator('option', { hasText: 'Harbour 100%.mov' }).waitFor({ state: 'attached' })
  await library.selectOption({ label: 'Harbour 100%.mov' })
  // The choice stays, whatever is sought afterwards.
  await search.fill('Clip 7')
  await library.locator('option', { hasText: /^Clip 7$/ }).waitFor({ state: 'attached' })
  assert.equal(await library.inputValue(), 'https://example.com/1500')
  await answer(context, 'POST /jobs', { status: 402, json: { message: 'This job needs $9.' } })
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/jobs'),
  )
  await dialog.getByRole('button', { name: 'Create Job' }).click()
  const { content_url: url } = (await asked).postDataJSON() as { content_url: string }
  assert.equal(url, 'https://example.com/1500')
  await close()
})

test(
  'a job whose answer was lost is asked for again by the same key, and another by another',
  slow,
  async () => {
    const { page, context, close } = await house.open('/dashboard', await house.server.user())
    await asOnPlainAddress(page)
    await page.getByRole('button', { name: 'Create Job' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Job' })
    await answer(context, 'POST /jobs', 'no answer')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/jobs')) return
      keys.push(request.headers()['idempotency-key'])
    })
    for (const name of ['one', 'one', 'other']) {
      await dialog.getByLabel('Content URL').fill(`https://example.com/${name}.mov`)
      const failed = page.waitForEvent('requestfailed', (request) =>
        request.url().endsWith('/jobs'),
      )
      await dialog.getByRole('button', { name: 'Create Job' }).click()
      await failed
      await dialog
        .getByRole('button', { name: 'Create Job' })
        .and(page.locator(':enabled'))
        .waitFor()
    }
    const [first, second, third] = keys
    assert.match(first ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(second, first)
    assert.notEqual(third, first)
    await close()
  },
)

test('a key is copied on a plain address of a local network too', slow, async () => {
  const { page, close } = await house.open('/dashboard', await house.server.user())
  await asOnPlainAddress(page)
  await page.getByRole('button', { name: 'API Keys' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Keys' })
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByLabel('Key name').fill('Ingest')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const value = await dialog.getByText(/^ci_live_\w{36}$/).innerText()
  await dialog.getByRole('button', { name: /^Copy/ }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByLabel('Key name').press('Control+V')
  assert.equal(await dialog.getByLabel('Key name').inputValue(), value)
  await close()
})

test('API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question (§2 Dashboard, §3, §4, §5, §7, §8)', async () => {
  const { page, context, close } = await house.open('/dashboard', await house.server.user())
  const { calls } = recordCalls(page)
  await page.getByRole('button', { name: 'API Keys' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Keys' })
  await dialog.getByText('0 active').waitFor()
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  const expiry = dialog.getByLabel('Expires in')
  assert.equal(await expiry.inputValue(), '365')
  assert.deepEqual(
    await expiry
      .locator('option')
      .evaluateAll((all) => all.map((item) => item.getAttribute('value'))),
    ['30', '90', '180', '365'],
  )
  const submit = dialog.getByRole('button', { name: 'Create', exact: true })
  await dialog.getByLabel('Key name').fill('   ')
  await submit.click()
  await expectToast(page, { type: 'error', message: 'Please enter a key name' })
  await dialog.getByLabel('Key name').fill('  Ingest ')
  await expiry.selectOption('30')
  // Counts of page views are posted whenever the page has time for them.
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/v1/api-keys'),
  )
  await submit.click()
  assert.deepEqual((await asked).postDataJSON(), { name: 'Ingest', expiresInDays: 30 })
  assert.equal((await asked).headers()['content-type'], 'application/json')
  const value = dialog.getByText(/^ci_live_\w{36}$/)
  await value.waitFor()
  await dialog.getByText('1 active').waitFor()
  await dialog.getByText('0 expired').waitFor()
  await dialog.getByText('active', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await value.waitFor({ state: 'detached' })
  await answer(context, 'POST /api-keys', { status: 500, body: '' })
  await dialog.getByLabel('Key name').fill('Second')
  await submit.click()
  await expectToast(page, { type: 'error', message: 'Failed to create API key' })
  await dialog.getByRole('button', { name: 'Delete Ingest' }).click()
  const question = page.getByRole('alertdialog')
  await question
    .getByText('Are you sure you want to delete this API key? This cannot be undone.')
    .waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('No API keys yet').waitFor()
  assert.ok(calls.some((call) => /^DELETE \/api-keys\?keyId=[0-9a-f-]{36}$/.test(call)))
  await close()
})

test(
  'an expired key is counted and marked, and a list that does not come is shown (§4, §8)',
  slow,
  async () => {
    const { page, context, close } = await house.open('/dashboard', await house.server.user())
    const key = {
      id: idOf(1),
      name: 'Old',
      status: 'expired',
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
      expires_at: '2026-02-01T00:00:00.000Z',
      hint: 'ci_live_ab',
    }
    await answer(context, 'GET /api-keys', { json: { apiKeys: [key] } })
    await page.getByRole('button', { name: 'API Keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'API Keys' })
    await dialog.getByText('1 expired').waitFor()
    await dialog.getByText('expired', { exact: true }).waitFor()
    await answer(context, 'GET /api-keys', { status: 400, json: { message: 'no' } })
    await page.reload()
    await page.getByRole('button', { name: 'API Keys' }).click()
    await expectToast(page, {
      type: 'error',
      message: 'Failed to fetch API keys',
      title: 'Failed to load API keys',
    })
    await close()
  },
)

test('content that cannot be deleted, uploaded or added is shown in the words of the specification (§4, §5, §7, §8)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await answer(context, 'GET /content', {
    json: { content: [contentOf(1, 'upload')], next_cursor: null },
  })
  await page.goto(`${house.server.url}/dashboard`)
  await answer(context, `DELETE /content/${idOf(1)}`, { status: 500, json: { message: 'disk' } })
  await page.getByRole('button', { name: 'Delete upload 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, { type: 'error', message: 'Failed to delete content' })
  await page
    .getByRole('region', { name: 'Quick actions' })
    .getByRole('button', { name: 'Add Content' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  for (const kind of ['Videos', 'PDFs', 'images', 'documents'])
    await dialog.getByText(kind).waitFor()
  const input = dialog.locator('input[type=file]')
  assert.equal(await input.getAttribute('accept'), null)
  const upload = dialog.getByRole('button', { name: 'Upload', exact: true })
  const title = 'Upload Failed'
  const failures: [{ status: number; json?: unknown; body?: string }, string][] = [
    [{ status: 422, json: { error: 'Six hours at most' } }, 'Six hours at most'],
    [{ status: 502, body: 'bad gateway' }, 'Upload failed. Please try again.'],
  ]
  for (const [reply, message] of failures) {
    await answer(context, 'POST /content/upload', reply)
    await input.setInputFiles({ name: 'a.bin', mimeType: 'x/y', buffer: Buffer.from('a') })
    await upload.click()
    await expectToast(page, { type: 'error', message, title })
  }
  await dialog.getByRole('tab', { name: 'Add URL Reference' }).click()
  await dialog.getByLabel('URL', { exact: true }).fill('https://example.com/a.mov')
  const add = dialog.getByRole('button', { name: 'Add URL', exact: true })
  await answer(context, 'POST /content/reference', { status: 409, body: '' })
  await add.click()
  await expectToast(page, {
    type: 'warning',
    message: 'This URL already exists in your library',
    title: 'Duplicate URL',
  })
  await answer(context, 'POST /content/reference', { status: 422, json: { error: 'Private' } })
  await add.click()
  await expectToast(page, { type: 'error', message: 'Private' })
  await answer(context, 'POST /content/reference', { status: 500, body: '' })
  await add.click()
  await expectToast(page, { type: 'error', message: 'Failed to add URL reference' })
  await answer(context, 'POST /content/reference', 'no answer')
  const asked = page.waitForRequest('**/v1/content/reference')
  await add.click()
  await expectToast(page, { type: 'error', message: 'Network error. Please try again.' })
  assert.deepEqual((await asked).postDataJSON(), { url: 'https://example.com/a.mov' })
  await close()
})

test('an upload without a token asks to log in first (§5)', async () => {
  const { page, close } = await house.open('/dashboard', await house.server.user())
  await page
    .getByRole('region', { name: 'My Content' })
    .getByRole('button', { name: 'Add Content' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add Content' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.bin', mimeType: 'x/y', buffer: Buffer.from('a') })
  const upload = dialog.getByRole('button', { name: 'Upload', exact: true })
  // At once: a screen that asks the service meanwhile notices by itself.
  await upload.evaluate((button: HTMLButtonElement) => {
    localStorage.removeItem('token')
    button.click()
  })
  const title = 'Authentication Required'
  await expectToast(page, { type: 'error', message: 'Please log in first', title })
  await page.waitForURL(`${house.server.url}/`)
  await close()
})

test('deleting the token from local storage logs out', slow, async () => {
  const { page, close } = await house.open('/dashboard', await house.server.user())
  await page.getByRole('region', { name: 'My Content' }).waitFor()
  const profile = page.getByRole('banner').getByRole('link', { name: 'Profile' })
  await profile.evaluate((link: HTMLAnchorElement) => {
    localStorage.removeItem('token')
    link.click()
  })
  await page.waitForURL(`${house.server.url}/`)
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).waitFor()
  await close()
})

async function openJob(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create Job' }).click()
  return page.getByRole('dialog', { name: 'Create Job' })
}

/** Without https a browser has neither of these, except on localhost, where tests run. */
async function asOnPlainAddress(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
}
