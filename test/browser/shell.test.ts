import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAnalytics, visit } from '../support/browser.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow, slowUnless } from '../support/slow.ts'
import { until } from '../support/until.ts'

const house = useHouse()

test('the bar of an anonymous visitor has Pricing, Calculator and Developer Docs (§2 Global)', async () => {
  const { page, problems, close } = await house.open('/')
  const main = page.getByRole('navigation', { name: 'Main' })
  assert.deepEqual(await main.getByRole('link').allInnerTexts(), [
    'Pricing',
    'Calculator',
    'Developer Docs',
  ])
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign Up' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

/** The specification's three in their order; the library stands between them. */
const appLinks = ['Dashboard', 'Library', 'Cuts', 'Profile', 'API Docs']

test('the bar of a user on dashboard, profile and jobs has Dashboard, Profile and API Docs (§2 Global)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/dashboard', user)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const path of ['/dashboard', '/profile', '/jobs', '/dashboard.html', '/profile.html']) {
    await page.goto(house.server.url + path)
    await links.getByText('API Docs').waitFor()
    assert.deepEqual(await links.allInnerTexts(), appLinks, path)
  }
  await links.getByText('API Docs').click()
  await page.waitForURL(`${house.server.url}/docs/api`)
  assert.deepEqual(await links.allInnerTexts(), appLinks)
  await page.goto(`${house.server.url}/terms`)
  await links.getByText('Pricing').waitFor()
  await close()
})

test('the user menu has Dashboard, Profile, API Keys and Logout, and logs out (§2 Global, §4)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/dashboard', user)
  await page.getByRole('button', { name: 'User menu' }).click()
  for (const name of ['Dashboard', 'Profile', 'API Keys', 'Logout']) {
    await page.getByRole('menuitem', { name, exact: true }).waitFor()
  }
  await page.evaluate(() => localStorage.setItem('unsent-corrections:1', '{}'))
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByText('Logged out').waitFor()
  await page.getByText('Goodbye!').waitFor()
  await page.waitForURL(`${house.server.url}/`)
  const stored = await page.evaluate(() => [
    localStorage.token,
    localStorage.user,
    localStorage['unsent-corrections:1'],
  ])
  assert.deepEqual(stored, [undefined, undefined, undefined])
  assert.equal((await house.server.fetch('/v1/user/me', { token: user.token })).status, 401)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await close()
})

test(
  'until the stored session is read, nobody who has one is asked to log in or sent away (§4)',
  slow,
  async () => {
    const user = await house.server.user()
    const { page: ready, context, close } = await house.open('/terms', user)
    await ready.getByRole('button', { name: 'User menu' }).waitFor()
    const page = await context.newPage()
    // Without its script the page stays as it was prerendered: the session is not read yet.
    await context.route('**/assets/*.js', (route) => route.abort())
    await page.goto(`${house.server.url}/`)
    const login = page
      .getByRole('banner')
      .getByRole('button', { name: 'Login', includeHidden: true })
    assert.equal(await login.count(), 1)
    assert.equal(await login.isVisible(), false)
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.reload()
    assert.equal(await login.isVisible(), true)
    await context.unrouteAll()
    await page.evaluate((token) => localStorage.setItem('token', token), user.token)
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).pathname))
    await page.goto(`${house.server.url}/dashboard`)
    await page.getByRole('button', { name: 'User menu' }).waitFor()
    assert.deepEqual([...new Set(addresses)], ['/dashboard'])
    await close()
  },
)

test('a screen whose script was lost is loaded with the page again, once a minute and while nothing is unsaved', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user)
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  await context.route(/\/assets\/(dashboard|library)-/, (route) =>
    documents < 2 || route.request().url().includes('/library-')
      ? route.abort('internetdisconnected')
      : route.continue(),
  )
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByRole('region', { name: 'Quick actions' }).waitFor()
  assert.equal(documents, 2)
  const failed = page.getByText('This part could not be loaded')
  await page.getByRole('link', { name: 'Library', exact: true }).first().click()
  await failed.waitFor()
  assert.equal(documents, 2)
  await page.evaluate(() => {
    sessionStorage.removeItem('reloaded-at')
    addEventListener('beforeunload', (event) => event.preventDefault())
  })
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await page.getByRole('region', { name: 'Quick actions' }).waitFor()
  await page.getByRole('link', { name: 'Library', exact: true }).first().click()
  await failed.waitFor()
  assert.equal(documents, 2)
  await context.unrouteAll()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Library' }).waitFor()
  await close()
})

test('a part whose script stays away is missing alone, and a reload brings it', async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/terms', user)
  await context.route('**/assets/user-menu-*.js', (route) => route.abort('internetdisconnected'))
  await page.goto(`${house.server.url}/dashboard`)
  await page.getByRole('region', { name: 'Quick actions' }).waitFor()
  await page.getByText('A part of this page is missing').waitFor()
  assert.equal(await page.getByRole('button', { name: 'User menu' }).count(), 0)
  await context.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  await close()
})

test('an avatar without a picture shows the initial letter (§2 Global)', async () => {
  const user = await house.server.user('zoe@example.com')
  const { page, close } = await house.open('/dashboard', user)
  const menu = page.getByRole('button', { name: 'User menu' })
  await menu.waitFor()
  assert.equal(await menu.innerText(), 'Z')
  await close()
})

for (const path of ['/dashboard', '/profile', '/jobs', '/payment/success', '/payment/cancel']) {
  test(
    `an anonymous visitor of ${path} comes to / with the login modal open (§2 Payment cancel, §2 Payment success, §2 Routes, §6)`,
    slowUnless(path === '/dashboard' || path === '/payment/success'),
    async () => {
      const { page, close } = await house.open(`${path}?x=1`)
      await page.waitForURL(`${house.server.url}/`)
      await page.getByRole('dialog', { name: 'Log in' }).waitFor()
      // The specification leads from its own pages to the dashboard.
      const remembered = path === '/jobs' ? '/jobs?x=1' : null
      assert.equal(await page.evaluate(() => sessionStorage.getItem('after-login')), remembered)
      await close()
    },
  )
}

test('Login and Sign Up open modals on the landing page and lead to them from elsewhere (§2 Global, §2 Routes)', async () => {
  const { page, close } = await house.open('/')
  const bar = page.getByRole('banner')
  await bar.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Sign Up' }).click()
  await page.getByRole('dialog', { name: 'Sign up' }).waitFor()
  await page.goto(`${house.server.url}/terms`)
  await bar.getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL(`${house.server.url}/`)
  await page.getByRole('dialog', { name: 'Sign up' }).waitFor()
  await page.goto(`${house.server.url}/terms`)
  await bar.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.getItem('after-login')), null)
  await close()
})

test('the theme follows the system until one is chosen, and the choice is kept (§2 Global)', async () => {
  const { page, close } = await house.open('/', undefined, { theme: 'light' })
  const dark = page.locator('html[data-theme="dark"]')
  const light = page.locator('html[data-theme="light"]')
  await light.waitFor()
  await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await dark.waitFor()
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await light.waitFor()
  await page.reload()
  await light.waitFor()
  assert.equal(await page.evaluate(() => localStorage.theme), 'light')
  await close()
})

test('the colour preset is ocean at the start and a chosen one is kept (§2 Global)', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/dashboard', user)
  const preset = () =>
    page.evaluate(() => [
      document.documentElement.dataset.preset,
      localStorage.getItem('colour-preset'),
    ])
  assert.deepEqual(await preset(), ['ocean', 'ocean'])
  await page.getByRole('button', { name: 'User menu' }).click()
  const choices = page.getByRole('menuitemradio')
  await choices.nth(3).waitFor()
  assert.deepEqual(await choices.locator('.capitalize').allTextContents(), [
    'default',
    'ocean',
    'forest',
    'sunset',
  ])
  // One is called default, another is set at start: the menu says which is which.
  await choices.filter({ hasText: 'ocean' }).getByText('set at start').waitFor()
  await choices.filter({ hasText: 'forest' }).click()
  assert.deepEqual(await preset(), ['forest', 'forest'])
  await page.reload()
  assert.deepEqual(await preset(), ['forest', 'forest'])
  await close()
})

test('each of the four colour presets has a primary of its own', slow, async () => {
  const { page, close } = await house.open('/')
  const colours = await page.evaluate(() => {
    const root = document.documentElement
    return ['default', 'ocean', 'forest', 'sunset'].map((preset) => {
      root.dataset.preset = preset
      return getComputedStyle(root).getPropertyValue('--primary-600')
    })
  })
  assert.equal(new Set(colours).size, 4, colours.join(', '))
  await close()
})

test('every route change is reported as a page view (§2 Global)', async () => {
  const { page, context, close } = await visit(house.browser, 'about:blank')
  const events = await recordAnalytics(context)
  await page.goto(`${house.server.url}/`)
  await page.getByRole('link', { name: 'Developer Docs' }).click()
  await page.getByRole('heading', { name: 'Developer documentation' }).waitFor()
  await page.getByRole('link', { name: 'Terms of Use' }).click()
  await page.getByRole('heading', { name: 'Terms of Use' }).waitFor()
  const views = (): Set<string> =>
    new Set(events.filter((event) => event.name === 'page_view').map((event) => event.path))
  // A report arrives here a moment after it is shown there.
  await until(views, (paths) => paths.size >= 3)
  assert.deepEqual([...views()], ['/', '/docs/developer', '/terms'])
  await close()
})

test(
  'page views reach the collector without a cookie or a token, and are counted',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, close } = await house.open('/privacy', user)
    const sent = await page.waitForRequest('**/v1/analytics')
    const headers = await sent.allHeaders()
    assert.equal(headers.cookie, undefined)
    assert.equal(headers.authorization, undefined)
    assert.equal((await sent.response())?.status(), 202)
    const { rows } = await house.server.ctx.pool.query<{ path: string }>(
      "select path from analytics_counts where name = 'page_view'",
    )
    assert.ok(rows.some(({ path }) => path === '/privacy'))
    await page.getByText('no cookie, no network address, no account').waitFor()
    await close()
  },
)

test('an unknown address answers 404 with a page that leads on', async () => {
  const { page, close } = await house.open('/')
  const response = await page.goto(`${house.server.url}/no/such/page`)
  assert.equal(response?.status(), 404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(`${house.server.url}/`)
  await close()
})

test('the loss of the connection is said, and its return', slow, async () => {
  const { page, context, close } = await house.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await context.setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await close()
})

test('a session that has ended on the server ends here, and asks for a new login', async () => {
  const { page, close } = await house.open('/search?q=river', {
    token: 'dead',
    email: 'old@example.com',
  })
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await page.getByText('Your session has ended').waitFor()
  assert.equal(await page.evaluate(() => localStorage.token), undefined)
  assert.equal(await page.evaluate(() => sessionStorage.getItem('after-login')), '/search?q=river')
  await close()
})
