/** The profile against the specification: header, six sections, cards and auto-reload. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import type { TestUser } from '../support/app.ts'
import { useHouse } from '../support/browser-app.ts'
import { answer, expectToast, idOf, recordCalls, transactionOf } from '../support/stubs.ts'
import { slow } from '../support/slow.ts'

const house = useHouse({ sandbox: true })

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the header has picture, name, e-mail, year, balance and Buy Credits (§2 Global, §2 Profile)', async () => {
  const user = await house.server.user('nora@example.com')
  const { page, context, close } = await house.open('/terms', user)
  await answerMe(context, user, {
    name: 'Nora Field',
    picture: pixel,
    createdAt: '2027-01-05T00:00:00.000Z',
  })
  await page.goto(`${house.server.url}/profile`)
  const header = page.locator('main header').first()
  await header.getByRole('heading', { name: 'Nora Field' }).waitFor()
  await header.getByText('nora@example.com').waitFor()
  await header.getByText('Member since 2027').waitFor()
  await header.getByText('$5.00').waitFor()
  assert.equal(await header.locator('img').getAttribute('src'), pixel)
  const menu = page.getByRole('button', { name: 'User menu' })
  assert.equal(await menu.locator('img').getAttribute('src'), pixel)
  await header.getByRole('button', { name: 'Buy Credits' }).click()
  const packages = page.getByRole('dialog', { name: 'Credit packages' })
  assert.equal(await packages.getByRole('listitem').count(), 4)
  await close()
})

test(
  'without an answer the member year is 2025, the name is the username, and the failure is shown (§2 Profile, §2 Routes, §8, §9)',
  slow,
  async () => {
    const user = await house.server.user('olaf@example.com')
    const { page, context, close } = await house.open('/terms', user)
    await answer(context, 'GET /user/me', { status: 400, json: { message: 'no' } })
    await page.goto(`${house.server.url}/profile.html`)
    await page.getByText('Member since 2025').waitFor()
    await page.getByRole('heading', { name: 'olaf' }).waitFor()
    await expectToast(page, { type: 'error', message: 'Failed to load profile data' })
    await page.goto(`${house.server.url}/profile#autoreload`)
    await page.reload()
    await expectToast(page, { type: 'error', message: 'Failed to load settings' })
    await close()
  },
)

test('each hash opens its section, the menu sets the hash, and data are asked for when shown (§2 Profile, §7)', async () => {
  const { page, close } = await house.open('/profile', await house.server.user())
  const { calls } = recordCalls(page)
  const menu = page.getByRole('navigation', { name: 'Profile sections' })
  await page.getByRole('region', { name: 'Account Info' }).waitFor()
  for (const [hash, link, panel, call] of [
    [
      'billing',
      'Billing & Credits',
      'Recent Credit Purchases',
      'GET /user/billing-history?limit=10&type=credit',
    ],
    ['autoreload', 'Auto-Reload', 'Auto-Reload', 'GET /user/payment-methods'],
    ['usage', 'Usage History', 'Usage History', 'GET /user/billing-history?limit=20&type=charge'],
    ['security', 'Security', 'Danger Zone', 'GET /api-keys'],
    ['paymentmethods', 'Payment Methods', 'Payment Methods', null],
    ['account', 'Account Info', 'Account Info', null],
  ] as const) {
    if (call) assert.ok(!calls.includes(call), `${call} is not asked before its section`)
    const asked = call && page.waitForRequest((request) => request.url().endsWith(call.slice(4)))
    await menu.getByRole('link', { name: link }).click()
    await page.getByRole('region', { name: panel }).waitFor()
    assert.equal(new URL(page.url()).hash, `#${hash}`)
    await asked
  }
  for (const [hash, panel] of [
    ['usage', 'Usage History'],
    ['security-api-keys', 'API Keys'],
  ] as const) {
    await page.goto(`${house.server.url}/profile#${hash}`)
    await page.getByRole('region', { name: panel }).waitFor()
  }
  await close()
})

test('Account Info is read-only and shows Pay-As-You-Go, Lifetime Spend and Total Credits Purchased (§2 Profile, §3)', async () => {
  const user = await house.server.user('rita@example.com')
  const { page, context, close } = await house.open('/terms', user)
  const { calls } = recordCalls(page)
  await answer(context, 'GET /user/billing-stats', {
    json: {
      total_spent_usd: 150,
      total_bonus_credits_usd: 17.5,
      total_credits_purchased_usd: 167.5,
      month_usage_usd: 0,
      month_jobs: 0,
      month_seconds: 0,
    },
  })
  await page.goto(`${house.server.url}/profile#account`)
  for (const [label, value] of [
    ['Email', 'rita@example.com'],
    ['Username', 'rita'],
    ['Account Type', 'Pay-As-You-Go'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await page.waitForFunction(
      ([name, wanted]) =>
        [...document.querySelectorAll('input')].some(
          (input) =>
            input.labels?.[0]?.textContent?.startsWith(name ?? '') && input.value === wanted,
        ),
      [label, value],
    )
    assert.equal(await field.getAttribute('readonly'), '')
  }
  const info = page.getByRole('region', { name: 'Account Info' })
  await info.getByText('$150.00').waitFor()
  assert.match(
    await info.innerText(),
    /Lifetime Spend\s+\$150\.00\s+Total Credits Purchased\s+\$167\.50/,
  )
  assert.ok(calls.includes('GET /user/billing-stats'))
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByText('$17.50').waitFor()
  await close()
})

test('purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages (§2 Profile)', async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  await answer(context, 'GET /user/billing-history', {
    json: {
      transactions: [
        transactionOf(1, {
          description: 'PRO credit package',
          amount_usd: 115,
          metadata: '{"is_auto_reload":true}',
          credit_package_bonus_percentage: 15,
        }),
        transactionOf(2, {
          description: 'STARTER credit package',
          metadata: '{"is_auto_reload":false}',
          credit_package_bonus_percentage: null,
        }),
      ],
      next_cursor: null,
    },
  })
  await page.goto(`${house.server.url}/profile#billing`)
  await page.getByRole('region', { name: 'Current Balance' }).getByText('$5.00').first().waitFor()
  const rows = page.getByRole('region', { name: 'Recent Credit Purchases' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  const [reload = '', manual = ''] = await rows.allInnerTexts()
  assert.match(
    reload,
    /PRO credit package\s+Auto-reload\s+.*2026.*\d:\d\d[\s\S]*\+\$115\.00\s+\+15% bonus/,
  )
  assert.match(manual, /STARTER credit package\s+Manual\s+[\s\S]*\+\$10\.00/)
  assert.ok(!manual.includes('bonus'))
  const strip = page.getByRole('region', { name: 'Quick Top-Up' })
  await strip.getByRole('button', { name: /\$50.*\$52\.50 credits.*\+5% bonus/s }).waitFor()
  await strip.getByRole('button', { name: /\$100.*\$115\.00 credits.*\+15% bonus/s }).waitFor()
  await strip.getByRole('button', { name: 'View All Packages' }).click()
  await page.getByRole('dialog', { name: 'Credit packages' }).waitFor()
  await close()
})

test('ten purchases show however many free credits lie between them (§9)', slow, async () => {
  const { page, context, close } = await house.open('/terms', await house.server.user())
  const asked: (string | null)[] = []
  await context.route('**/v1/user/billing-history*', (route) => {
    const { searchParams } = new URL(route.request().url())
    asked.push(searchParams.get('cursor'))
    const page = Number(searchParams.get('cursor') ?? 0)
    const transactions = Array.from({ length: 10 }, (_, index) =>
      transactionOf(index, {
        id: crypto.randomUUID(),
        description: index < 4 ? `Purchase ${page * 4 + index + 1}` : 'Free monthly credit',
        credit_package_bonus_percentage: index < 4 ? 0 : null,
        kind: index < 4 ? 'purchase' : 'grant',
      }),
    )
    return route.fulfill({ json: { transactions, next_cursor: String(page + 1) } })
  })
  await page.goto(`${house.server.url}/profile#billing`)
  const rows = page.getByRole('region', { name: 'Recent Credit Purchases' }).getByRole('listitem')
  await rows.first().waitFor()
  assert.deepEqual(
    (await rows.allInnerTexts()).map((text) => /Purchase \d+/.exec(text)?.[0]),
    Array.from({ length: 10 }, (_, index) => `Purchase ${index + 1}`),
  )
  assert.deepEqual(asked, [null, '1', '2'])
  await close()
})

test('the threshold of the profile is 10 until one is saved (§5)', slow, async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/profile#billing', user)
  const balance = page.getByRole('region', { name: 'Current Balance' })
  await balance.getByText('Your balance is below $10.').waitFor()
  await answerMe(context, user, { auto_reload_threshold_usd: 20 })
  await page.reload()
  await balance.getByText('Your balance is below $20.').waitFor()
  await answerMe(context, user, { account_balance_usd: 10 })
  await page.reload()
  await balance.getByText('$5.00').first().waitFor()
  assert.equal(await balance.getByText('Your balance is below').count(), 0)
  await close()
})

test('usage: description, date, 8 characters of the job, minus sign, Usage Charge (§2 Profile)', async () => {
  const { page, context, close } = await house.open('/profile#usage', await house.server.user())
  await page.getByText('No usage yet').waitFor()
  await answer(context, 'GET /user/billing-history', {
    json: {
      transactions: [
        transactionOf(1, {
          description: 'Analysis of interview.mov',
          amount_usd: -7.5,
          job_id: idOf(7),
          credit_package_bonus_percentage: null,
        }),
      ],
      next_cursor: null,
    },
  })
  await page.reload()
  const row = page.getByRole('region', { name: 'Usage History' }).getByRole('listitem')
  await row.waitFor()
  assert.match(
    await row.innerText(),
    /Analysis of interview\.mov\s+Mar 4, 2026 · Job 77777777\s+-\$7\.50\s+Usage Charge/,
  )
  await close()
})

test(
  'histories and cards that do not come are empty, silently (§2 Profile, §8)',
  slow,
  async () => {
    const { page, context, close } = await house.open('/terms', await house.server.user())
    for (const path of ['/user/billing-history', '/user/payment-methods']) {
      await answer(context, `GET ${path}`, { status: 400, json: { message: 'no' } })
    }
    const lists = [
      ['billing', 'Recent Credit Purchases', 'No purchases yet'],
      ['usage', 'Usage History', 'No usage yet'],
      ['paymentmethods', 'Payment Methods', 'No payment methods'],
    ] as const
    for (const [hash, name, empty] of lists) {
      await page.goto(`${house.server.url}/profile#${hash}`)
      const list = page.getByRole('region', { name })
      await list.getByText('Couldn’t load this').waitFor()
      assert.equal(await list.getByRole('listitem').count(), 0)
      assert.equal(
        await list.getByText(empty).count(),
        0,
        'what is not here is not said to be empty',
      )
    }
    assert.equal(await page.locator('[data-toast]').count(), 0)
    await context.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No payment methods').waitFor()
    for (const [hash, , empty] of lists) {
      await page.goto(`${house.server.url}/profile#${hash}`)
      await page.getByText(empty).waitFor()
    }
    await close()
  },
)

test('security: deletion is coming soon, keys are managed here, End Session logs out (§2 Global, §2 Profile)', async () => {
  const { page, close } = await house.open('/profile#security', await house.server.user())
  await page
    .getByRole('region', { name: 'API Keys' })
    .getByRole('button', { name: 'Create API key' })
    .waitFor()
  await page
    .getByRole('region', { name: 'Danger Zone' })
    .getByRole('button', { name: 'Delete Account' })
    .click()
  await expectToast(page, {
    type: 'info',
    message: 'Account deletion requires email confirmation. Feature coming soon.',
    title: 'Coming Soon',
  })
  const sessions = page.getByRole('region', { name: 'Sessions' })
  const current = sessions.getByRole('listitem').filter({ hasText: 'Current session' })
  await current.getByRole('button', { name: 'End Session' }).click()
  await expectToast(page, { type: 'success', message: 'Logged out', title: 'Goodbye!' })
  await page.waitForURL(`${house.server.url}/`)
  assert.deepEqual(await page.evaluate(() => [localStorage.token, localStorage.user]), [
    undefined,
    undefined,
  ])
  await close()
})

test('the session in use can be ended whatever the list of sessions answers (§2 Profile)', async () => {
  const replies = [
    { status: 500, json: { message: 'Broken' } },
    { status: 404, json: { message: 'Not found', code: 'not_found' } },
    { json: {} },
    { json: { sessions: [] } },
    { body: '<html>' },
    'no answer',
  ] as const
  const { page, context, close } = await house.open('/terms', await house.server.user())
  for (const reply of replies) {
    await answer(context, 'GET /user/sessions', reply)
    await page.goto(`${house.server.url}/terms`)
    await page.goto(`${house.server.url}/profile#security`)
    const current = page.getByRole('listitem').filter({ hasText: 'Current session' })
    await current.getByRole('button', { name: 'End Session' }).waitFor()
  }
  // Nor does it wait for that answer.
  await context.route('**/v1/user/sessions', () => new Promise(() => undefined))
  await page.reload()
  await page.getByRole('button', { name: 'End Session' }).click()
  await expectToast(page, { type: 'success', message: 'Logged out', title: 'Goodbye!' })
  await page.waitForURL(`${house.server.url}/`)
  await close()
})

/** The account as it is, with some fields of a longer life. */
async function answerMe(context: BrowserContext, user: TestUser, change: object): Promise<void> {
  await answer(context, 'GET /user/me', { json: { ...(await user.client.getMe()), ...change } })
}
