import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openRedirectSession } from '../../server/sign-in/session.ts'
import type { TestUser } from '../support/app.ts'
import { recordAnalytics, visit } from '../support/browser.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow, slowUnless } from '../support/slow.ts'

const house = useHouse({ sandbox: true })

for (const provider of ['GitHub', 'Google']) {
  test(
    `a person signs in with ${provider} and comes to the dashboard (§2 OAuth callback, §2 Routes, §3, §4, §7)`,
    slowUnless(provider === 'GitHub'),
    async () => {
      const { page, context, problems, close } = await visit(house.browser, 'about:blank')
      const events = await recordAnalytics(context)
      const email = `${provider.toLowerCase()}.person@example.com`
      await page.goto(`${house.server.url}/`)
      await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
      const way = page.getByRole('link', { name: `Continue with ${provider}` })
      const address = new URL((await way.getAttribute('href')) ?? '', house.server.url)
      assert.equal(address.pathname, `/v1/auth/${provider.toLowerCase()}`)
      assert.equal(address.search, `?frontend_url=${encodeURIComponent(house.server.url)}`)
      await way.click()
      await loginAtProvider(page, email)
      await page.waitForURL(`${house.server.url}/dashboard`)
      await page.getByText(`Successfully logged in with ${provider.toLowerCase()}!`).waitFor()
      // It stands for 4 seconds, so that a slow machine may count none.
      assert.ok((await page.getByText('Welcome!').count()) <= 1)
      await page.getByLabel('Account').getByText(email).waitFor()
      const stored = await page.evaluate(() => ({
        token: String(localStorage.token),
        user: JSON.parse(String(localStorage.user)) as { id: string; email: string },
        userId: String(localStorage.user_id),
      }))
      assert.equal(stored.user.email, email)
      assert.equal(stored.userId, stored.user.id)
      const login = events.find((event) => event.name === 'login')
      assert.deepEqual(login?.details, { provider: provider.toLowerCase() })
      const reported = JSON.stringify(events)
      assert.ok(!reported.includes('token') && !reported.includes(stored.token))
      assert.deepEqual(problems, [])
      await close()
    },
  )
}

for (const [asked, target] of [
  ['/search?q=river', '/search?q=river'],
  ['/profile#usage', '/dashboard'],
]) {
  test(
    `a login that was asked for on ${asked} leads to ${target}`,
    slowUnless(asked === target),
    async () => {
      const { page, close } = await house.open(asked ?? '')
      await page.getByRole('link', { name: 'Continue with GitHub' }).click()
      await loginAtProvider(page, 'back@example.com')
      await page.waitForURL(`${house.server.url}${target}`)
      await close()
    },
  )
}

test('after a bad callback link the next login comes to the dashboard', slow, async () => {
  const { page, close } = await house.open('/oauth/callback?token=forged&provider=github')
  await page.getByText('This login is no longer valid. Please log in again.').waitFor()
  assert.equal(await page.getByText('Your session has ended').count(), 0)
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await loginAtProvider(page, 'after.all@example.com')
  await page.waitForURL(`${house.server.url}/dashboard`)
  await page.getByLabel('Account').getByText('after.all@example.com').waitFor()
  await close()
})

test('a forged callback link leaves a live session as it is', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/oauth/callback?token=forged&provider=github', user)
  await page.getByText('You are still signed in as before.').waitFor()
  await page.waitForURL(`${house.server.url}/dashboard`)
  assert.equal(await page.evaluate(() => localStorage.token as string), user.token)
  await close()
})

test('a reload during Completing login... goes on with the login', slow, async () => {
  const user = await house.server.user()
  for (const held of ['**/v1/auth/session', '**/v1/user/me']) {
    const token = await redirectToken(user)
    const { page, context, close } = await visit(house.browser, 'about:blank')
    const asked = Promise.withResolvers<void>()
    let isFirst = true
    await context.route(held, (route) => {
      if (!isFirst) return route.fallback()
      isFirst = false
      return asked.resolve()
    })
    await page.goto(`${house.server.url}/oauth/callback?token=${token}&provider=github`)
    await asked.promise
    await page.getByText('Completing login...').waitFor()
    await page.reload()
    await page.waitForURL(`${house.server.url}/dashboard`)
    await page.getByText('Successfully logged in with github!').waitFor()
    const stored = await page.evaluate(() => localStorage.user as string)
    assert.equal((JSON.parse(stored) as { email: string }).email, user.email)
    await close()
  }
})

test('a login in one tab is one in the other, which says so (§4)', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms')
  const other = await context.newPage()
  await other.goto(`${house.server.url}/privacy`)
  const token = await redirectToken(user)
  await other.goto(`${house.server.url}/?token=${token}&provider=github`)
  await other.waitForURL(`${house.server.url}/dashboard`)
  await page.getByText('Login successful', { exact: true }).waitFor()
  assert.ok((await page.getByText('Welcome!').count()) <= 1)
  await close()
})

test('a login that another browser began does not replace a live session', slow, async () => {
  const [user, stranger] = [await house.server.user(), await house.server.user()]
  const token = await redirectToken(stranger)
  const { page, close } = await house.open(`/?token=${token}&provider=github`, user)
  await page.getByText('This login was not started in this browser.').waitFor()
  await page.waitForURL(`${house.server.url}/dashboard`)
  await page.getByLabel('Account').getByText(user.email).waitFor()
  assert.equal(await page.evaluate(() => localStorage.token as string), user.token)
  const { sessions } = await stranger.client.listSessions()
  assert.equal(sessions.length, 1, 'the session that the link would have opened is ended')
  await close()
})

test('a stored session that has ended is replaced by any login', slow, async () => {
  const [before, user] = [await house.server.user(), await house.server.user()]
  await before.client.logout()
  const token = await redirectToken(user)
  const { page, close } = await house.open(`/?token=${token}&provider=github`, before)
  await page.getByText('Successfully logged in with github!').waitFor()
  await page.waitForURL(`${house.server.url}/dashboard`)
  await page.getByLabel('Account').getByText(user.email).waitFor()
  await close()
})

test('a login that this browser began replaces the session that was there', slow, async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/terms', user)
  const back = encodeURIComponent(house.server.url)
  await page.evaluate((address) => location.assign(address), `/v1/auth/github?frontend_url=${back}`)
  await loginAtProvider(page, 'second.person@example.com')
  await page.waitForURL(`${house.server.url}/dashboard`)
  await page.getByLabel('Account').getByText('second.person@example.com').waitFor()
  await close()
})

test('a login while the service is down is exchanged once it is back', slow, async () => {
  const user = await house.server.user()
  const token = await redirectToken(user)
  const { page, context, close } = await visit(house.browser, 'about:blank')
  await context.route('**/v1/**', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(`${house.server.url}/oauth/callback?token=${token}&provider=github`)
  await page.waitForURL(`${house.server.url}/dashboard`)
  await context.unrouteAll()
  await page.waitForFunction((first) => localStorage.token !== first, token)
  await page.getByLabel('Account').getByText(user.email).waitFor()
  await close()
})

for (const order of ['after the new one is here', 'while the new one is on its way'] as const) {
  test(
    `a call whose token is refused ${order} does not end the session`,
    slowUnless(order.startsWith('while')),
    async () => {
      const user = await house.server.user()
      const token = await redirectToken(user)
      const { page, context, close } = await visit(house.browser, 'about:blank')
      const asked = Promise.withResolvers<void>()
      const exchanged = Promise.withResolvers<void>()
      const refused = Promise.withResolvers<void>()
      const down = (route: Route) => route.fulfill({ status: 503, json: {} })
      await context.route('**/v1/**', down)
      await context.route('**/v1/jobs?*', async (route) => {
        const { authorization } = route.request().headers()
        if (authorization !== `Bearer ${token}`) return await route.fallback()
        asked.resolve()
        await exchanged.promise
        await route.fulfill({
          status: 401,
          json: { message: 'Not signed in', code: 'unauthenticated' },
        })
      })
      page.on('response', (response) => {
        if (response.status() === 401) refused.resolve()
      })
      await page.goto(`${house.server.url}/oauth/callback?token=${token}&provider=github`)
      await page.waitForURL(`${house.server.url}/dashboard`)
      // Only then may the service come back: the exchange could be quicker than the page.
      await asked.promise
      if (order === 'while the new one is on its way') {
        await context.route('**/v1/auth/session', async (route) => {
          const answer = await route.fetch()
          exchanged.resolve()
          await refused.promise
          // The page has read it by then.
          await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
          await route.fulfill({ response: answer })
        })
      }
      await context.unroute('**/v1/**', down)
      await page.waitForFunction((first) => localStorage.token !== first, token)
      exchanged.resolve()
      await refused.promise
      await page.getByLabel('Account').getByText(user.email).waitFor()
      assert.equal(await page.getByText('Your session has ended').count(), 0)
      await close()
    },
  )
}

/** The token of a redirect that some other browser was sent. */
function redirectToken({ accountId }: TestUser): Promise<string> {
  const browserSha256 = randomBytes(32)
  return openRedirectSession(house.server.ctx, { accountId, provider: 'github', browserSha256 })
}

async function loginAtProvider(page: Page, email: string): Promise<void> {
  await page.waitForURL((url) => url.origin !== house.server.url)
  await page.locator('input[type="email"], input[name="email"]').first().fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

test('a person who refuses at the provider reads that the login was cancelled', slow, async () => {
  const { page, close } = await house.open('/')
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.getByRole('button', { name: 'Refuse and go back' }).click()
  await page.getByText('Login cancelled').waitFor()
  await page.waitForURL(`${house.server.url}/`)
  assert.equal(await page.getByText('Invalid OAuth callback parameters').count(), 0)
  assert.equal(await page.evaluate(() => localStorage.getItem('token')), null)
  await close()
})

test('a package that was chosen before the login is offered after it', slow, async () => {
  const { page, close } = await house.open('/')
  await page.getByRole('button', { name: /^Buy Now: PRO/ }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.locator('input[type="email"], input[name="email"]').first().fill('buyer@example.com')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(`${house.server.url}/dashboard`)
  const confirm = page.getByRole('dialog', { name: 'Buy credits' })
  await confirm.getByText('PRO', { exact: true }).waitFor()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  // Once: a reload does not ask again.
  await page.reload()
  await page.getByLabel('Account').getByText('buyer@example.com').waitFor()
  assert.equal(await confirm.count(), 0)
  await close()
})

test('who turns back from the login is not asked to buy after a later one', slow, async () => {
  const { page, close } = await house.open('/')
  await page.getByRole('button', { name: /^Buy Now: PRO/ }).click()
  await page.getByRole('dialog', { name: 'Log in' }).getByRole('button', { name: 'Close' }).click()
  assert.equal(await page.evaluate(() => sessionStorage.getItem('wanted-package')), null)
  await close()
})

test('a callback without token or provider is an authentication error (§2 OAuth callback, §8)', async () => {
  for (const query of ['', '?token=x', '?provider=github']) {
    const { page, close } = await house.open(`/oauth/callback${query}`)
    await page.getByText('Invalid OAuth callback parameters').waitFor()
    await page.getByText('Authentication Error').waitFor()
    await page.waitForURL(`${house.server.url}/`)
    await close()
  }
})

test('the landing page sends a provider answer on to the callback with the same parameters (§2 Routes)', async () => {
  const { page, context, close } = await visit(house.browser, 'about:blank')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await context.route('**/v1/**', (route) => route.abort())
  await page.goto(`${house.server.url}/?token=t1&provider=github&email=a%40example.com`)
  await page.waitForURL(`${house.server.url}/dashboard`)
  assert.ok(
    asked.includes(
      `${house.server.url}/oauth/callback?token=t1&provider=github&email=a%40example.com`,
    ),
  )
  await close()
})

test('the callback says Completing login... until the user is known (§2 OAuth callback)', async () => {
  const { page, context, close } = await visit(house.browser, 'about:blank')
  const gate = Promise.withResolvers<void>()
  await context.route('**/v1/**', async (route) => {
    await gate.promise
    await route.abort()
  })
  await page.goto(
    `${house.server.url}/oauth/callback?token=t3&provider=github&email=a%40example.com`,
  )
  await page.getByRole('status').getByText('Completing login...').waitFor()
  await page.waitForFunction(() => localStorage.token === 't3')
  gate.resolve()
  await page.waitForURL(`${house.server.url}/dashboard`)
  await close()
})

test(
  'whenever the user cannot be fetched, the basic data of the query are used (§2 OAuth callback)',
  slow,
  async () => {
    for (const status of [403, 503, 'no answer'] as const) {
      const { page, context, close } = await visit(house.browser, 'about:blank')
      const events = await recordAnalytics(context)
      await context.route('**/v1/**', (route) =>
        status === 'no answer' ? route.abort() : route.fulfill({ status, json: { message: 'no' } }),
      )
      await page.goto(
        `${house.server.url}/oauth/callback?token=t2&provider=google&email=mia%40example.com`,
      )
      await page.waitForURL(`${house.server.url}/dashboard`)
      await page.getByText('Logged in with google!').waitFor()
      const user = await page.evaluate(() => JSON.parse(String(localStorage.user)) as unknown)
      assert.deepEqual(user, { email: 'mia@example.com', username: 'mia' })
      assert.ok(!JSON.stringify(events).includes('t2'))
      await close()
    }
  },
)

test('a token that the service refuses logs nobody in', async () => {
  const { page, close } = await house.open(
    '/oauth/callback?token=forged&provider=github&email=a%40example.com',
  )
  await page.getByText('Authentication Error').waitFor()
  await page.waitForURL(`${house.server.url}/`)
  assert.equal(await page.evaluate(() => localStorage.token), undefined)
  await close()
})

test('the e-mail forms say that they do not work, ask for 8 characters, and send nothing (§5)', async () => {
  const { page, close } = await house.open('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign Up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign up' })
  await dialog.getByText('E-mail and password (not available yet)').click()
  await dialog.getByText('E-mail and password do not work yet.').waitFor()
  const passwords = dialog.locator('input[type="password"]')
  assert.equal(await passwords.count(), 2)
  for (const field of await passwords.all()) {
    assert.equal(await field.getAttribute('minlength'), '8')
  }
  const sent: string[] = []
  page.on('request', (request) => {
    // The count of page views may still be on its way; it knows nothing of the form.
    const isCount = request.url().endsWith('/v1/analytics')
    const body = request.postData() ?? ''
    if (!isCount || /example|long enough/.test(body)) sent.push(request.url())
  })
  await dialog.getByLabel('E-mail').fill('a@example.com')
  await passwords.nth(0).fill('long enough')
  await passwords.nth(1).fill('long enough')
  await dialog.getByRole('button', { name: 'Sign Up with e-mail' }).click()
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  assert.deepEqual(sent, [])
  assert.equal(page.url(), `${house.server.url}/`)
  await close()
})
