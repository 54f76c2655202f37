/**
 * Every creating call whose answer is lost on its way: the visitor presses again, and what the
 * first press made is found instead of being made a second time.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Request } from 'playwright-core'
import type { TestUser } from '../support/app.ts'
import { useHouse } from '../support/browser-app.ts'
import { uploadClip } from '../support/fixtures.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { answer, expectToast } from '../support/stubs.ts'

const house = useHouse({ sandbox: true })

interface Press {
  /** "POST /path" of the call whose first answer is lost. */
  call: string
  path: string
  /** Puts the account into the state in which the screen offers the call. */
  prepare?: (user: TestUser) => Promise<string | undefined>
  /** Answers that would take the button away, because they show what the first press made. */
  hidden?: Record<string, object>
  press: (page: Page) => Promise<void>
  /** Seen by the visitor once the answer has come. */
  arrived: (page: Page) => Promise<unknown>
  /** How many of them there are in the account, by the server's own answer. */
  count: (user: TestUser) => Promise<number>
}

const jobs = async ({ client }: TestUser) => (await client.listJobs({ query: {} })).jobs.length
const content = async ({ client }: TestUser) =>
  (await client.listContent({ query: {} })).content.length
const purchases = async (user: TestUser) => {
  const { rows } = await house.server.ctx.pool.query<{ count: string }>(
    'select count(*) from purchases where account_id = $1',
    [user.accountId],
  )
  return Number(rows[0]?.count)
}

async function canceledJob(user: TestUser): Promise<string> {
  const item = await uploadClip(house.server.url, user.token)
  const body = { content_id: item.id, workflow: 'ffprobe' }
  const { job } = await user.client.createJob({ body })
  await user.client.cancelJob({ params: { id: job.id } })
  return job.id
}

const presses: Record<string, Press> = {
  'a retry in the list of jobs': {
    call: 'POST /jobs/{id}/retry',
    path: '/jobs',
    prepare: canceledJob,
    press: async (page) => {
      await page.getByRole('button', { name: /^Retry job/ }).click()
      await page.getByRole('button', { name: 'Run Again' }).click()
    },
    arrived: (page) => page.getByRole('button', { name: /^Cancel job/ }).waitFor(),
    count: async (user) => (await jobs(user)) - 1,
  },
  'a retry on the screen of a job': {
    call: 'POST /jobs/{id}/retry',
    path: '/jobs/{id}',
    prepare: canceledJob,
    press: (page) => page.getByRole('button', { name: 'Retry' }).click(),
    arrived: (page) => page.getByText('Waiting in the queue').waitFor(),
    count: async (user) => (await jobs(user)) - 1,
  },
  'the sample': {
    call: 'POST /jobs',
    path: '/dashboard',
    hidden: { 'GET /jobs': { jobs: [] }, 'GET /content': { content: [] } },
    press: (page) => page.getByRole('button', { name: 'Try the sample clip' }).first().click(),
    arrived: (page) => page.waitForURL(/[?&]job=./),
    count: jobs,
  },
  'a checkout': {
    call: 'POST /payment/checkout',
    path: '/profile#billing',
    press: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Buy credits' })
      if (!(await dialog.isVisible())) await page.getByRole('button', { name: /POWER/ }).click()
      await dialog.getByRole('button', { name: 'Continue to checkout' }).click()
    },
    arrived: (page) => page.waitForURL((url) => url.origin !== house.server.url),
    count: purchases,
  },
  'a reference': {
    call: 'POST /content/reference',
    path: '/dashboard',
    press: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Add Content' })
      if (!(await dialog.isVisible())) {
        await page.getByRole('button', { name: 'Add Content' }).first().click()
        await dialog.getByRole('tab', { name: 'Add URL Reference' }).click()
        await dialog.getByLabel('URL', { exact: true }).fill(`${house.server.url}/openapi.yaml`)
      }
      await dialog.getByRole('button', { name: 'Add URL' }).click()
    },
    arrived: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
    count: content,
  },
  'an upload': {
    call: 'POST /content/upload',
    path: '/dashboard',
    press: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Add Content' })
      if (!(await dialog.isVisible())) {
        await page.getByRole('button', { name: 'Add Content' }).first().click()
        const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') }
        await dialog.locator('input[type=file]').setInputFiles(file)
      }
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    },
    arrived: (page) => page.getByText('Upload complete').waitFor(),
    count: content,
  },
  'an API key': {
    call: 'POST /api-keys',
    path: '/profile#security',
    press: async (page) => {
      const name = page.getByLabel('Key name')
      if (!(await name.isVisible())) {
        await page.getByRole('button', { name: 'Create API key' }).click()
        await name.fill('Ingest')
      }
      await page.getByRole('button', { name: 'Create', exact: true }).click()
    },
    arrived: (page) => page.getByText('Your new key “Ingest”').waitFor(),
    count: async ({ client }) => (await client.listApiKeys()).apiKeys.length,
  },
}

/** Money, and a call with a body that is no JSON. */
const shortCases = ['a checkout', 'an upload']

for (const [name, press] of Object.entries(presses)) {
  test(
    `${name} whose answer is lost is made once`,
    slowUnless(shortCases.includes(name)),
    async () => {
      const user = await house.server.user()
      const id = (await press.prepare?.(user)) ?? ''
      const { page, context, close } = await house.open('/terms', user)
      for (const [call, json] of Object.entries(press.hidden ?? {})) {
        await answer(context, call, { json })
      }
      const requests = await loseFirstAnswer(context, press.call.replace('{id}', id))
      await page.goto(house.server.url + press.path.replace('{id}', id))
      await press.press(page)
      await page.locator('[data-toast=error]').first().waitFor()
      await press.press(page)
      await press.arrived(page)
      assertOneKey(requests)
      assert.equal(await press.count(user), 1)
      await close()
    },
  )
}

test(
  'a lost answer is remembered across a reload, and a new request gets a new key',
  slow,
  async () => {
    const user = await house.server.user()
    const id = await canceledJob(user)
    const { page, context, close } = await house.open('/terms', user)
    const requests = await loseFirstAnswer(context, `POST /jobs/${id}/retry`)
    await page.goto(`${house.server.url}/jobs/${id}`)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expectToast(page, { type: 'error', message: 'Failed to create job' })
    for (const presses of [2, 3]) {
      await page.goto(`${house.server.url}/jobs/${id}`)
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByText('Waiting in the queue').waitFor()
      assert.equal(requests.length, presses)
    }
    const keys = requests.map((request) => request.headers()['idempotency-key'])
    assert.equal(keys[0], keys[1])
    assert.notEqual(keys[1], keys[2])
    assert.equal(await jobs(user), 3)
    await close()
  },
)

test('a setup intent whose answer is lost is the one that the next dialog gets', slow, async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user)
  const requests = await loseFirstAnswer(context, 'POST /payment/setup-intent', { times: 3 })
  await page.goto(`${house.server.url}/profile#paymentmethods`)
  await page.getByRole('button', { name: 'Add Payment Method' }).first().click()
  await expectToast(page, { type: 'error', message: 'Failed to initialize payment form' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const before = requests.length
  await context.unrouteAll()
  const later = page.waitForRequest((request) => request.url().endsWith('/payment/setup-intent'))
  await page.getByRole('button', { name: 'Add Payment Method' }).first().click()
  assertOneKey([...requests.slice(0, before), await later])
  await close()
})

/** The request arrives and takes effect; its answer does not come back. */
async function loseFirstAnswer(
  context: BrowserContext,
  call: string,
  { times = 1 }: { times?: number } = {},
): Promise<Request[]> {
  const [method = '', path = ''] = call.split(' ')
  const requests: Request[] = []
  await context.route(
    (url) => url.pathname === `/v1${path}`,
    async (route) => {
      const request = route.request()
      if (request.method() !== method) return route.fallback()
      requests.push(request)
      if (requests.length > times) return route.fallback()
      await route.fetch()
      return route.abort()
    },
  )
  return requests
}

function assertOneKey(requests: readonly Request[]): void {
  const keys = requests.map((request) => request.headers()['idempotency-key'])
  assert.ok(keys.length > 1, `asked ${keys.length} times`)
  assert.ok(keys[0])
  assert.equal(new Set(keys).size, 1)
}
