/**
 * Every screen against a server that sends the specification's answers and nothing more: what we
 * add to fields and calls is optional for the web.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { closeBrowser, launchBrowser, visit } from '../support/browser.ts'
import { slow } from '../support/slow.ts'
import { startSpecifiedServer } from '../support/specified-server.ts'
import type { SpecifiedServer } from '../support/specified-server.ts'
import { expectToast } from '../support/stubs.ts'

let server: SpecifiedServer
let browser: Browser
before(async () => {
  server = await startSpecifiedServer()
  browser = await launchBrowser()
})
after(async () => {
  await closeBrowser(browser)
  await server.stop()
})

async function signIn(): Promise<{ page: Page; crashes: string[]; close: () => Promise<void> }> {
  const { page, close } = await visit(browser, `${server.url}/`)
  const crashes: string[] = []
  page.on('pageerror', (error) => crashes.push(error.message))
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Continue with GitHub' }).click()
  await page.waitForURL(`${server.url}/dashboard`)
  return { page, crashes, close }
}

const broken = (page: Page) => page.getByText('This screen stopped working')

test('a login and the dashboard with all of its dialogs', async () => {
  const { page, crashes, close } = await signIn()
  await page.getByText('Successfully logged in with github!').waitFor()
  await page.getByLabel('Account').getByText('mia@example.com').waitFor()
  const content = page.getByRole('region', { name: 'My Content' })
  const jobs = page.getByRole('region', { name: 'Recent Jobs' })
  await content.getByText('interview.mov').waitFor()
  await jobs.getByText('take one.mov').first().waitFor()
  const month = page.getByRole('region', { name: 'Current Month Usage' })
  await month.getByText('$0.75').waitFor()

  const opened = page.context().waitForEvent('page')
  await content.getByRole('button', { name: 'Download interview.mov' }).click()
  const tab = await opened
  await tab.getByText('The bytes.').waitFor()
  assert.equal(new URL(tab.url()).pathname, '/v1/content/content-1/download')
  await tab.close()

  await content.getByRole('button', { name: 'Delete A talk' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, { type: 'success', message: 'Content deleted' })

  await page.getByRole('button', { name: 'Add Content' }).click()
  const adding = page.getByRole('dialog', { name: 'Add Content' })
  const file = { name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('New.') }
  await adding.locator('input[type=file]').setInputFiles(file)
  await adding.getByRole('button', { name: 'Upload', exact: true }).click()
  await adding.waitFor({ state: 'detached' })
  await content.getByText('new.txt').waitFor()

  await page.getByRole('button', { name: 'Add Content' }).click()
  await adding.getByRole('tab', { name: 'Add URL Reference' }).click()
  const address = adding.getByLabel('URL', { exact: true })
  await address.fill('https://twice.example.com/a.mov')
  await adding.getByRole('button', { name: 'Add URL' }).click()
  await expectToast(page, { type: 'warning', message: 'Known already', title: 'Duplicate URL' })
  await address.fill('https://media.example.com/b.mov')
  await adding.getByRole('button', { name: 'Add URL' }).click()
  await content.getByText('Reference').waitFor()
  assert.deepEqual(server.bodies.get('POST /content/reference'), {
    url: 'https://media.example.com/b.mov',
  })

  await content.getByRole('button', { name: 'Analyse interview.mov' }).click()
  const creating = page.getByRole('dialog', { name: 'Create Job' })
  await creating.getByText('$0.025 for each second of media').waitFor()
  await creating.getByRole('button', { name: 'Create Job' }).click()
  await creating.waitFor({ state: 'detached' })
  assert.deepEqual(Object.keys(server.bodies.get('POST /jobs') ?? {}).sort(), [
    'content_url',
    'workflow',
  ])
  assert.equal(await broken(page).count(), 0)
  assert.deepEqual(crashes, [])
  await close()
})

test('every section of the profile', slow, async () => {
  const { page, crashes, close } = await signIn()
  const open = (hash: string) => page.goto(`${server.url}/profile#${hash}`)
  await open('account')
  await page.getByText('$52.50').waitFor()

  await open('billing')
  const purchases = page.getByRole('region', { name: 'Recent Credit Purchases' })
  await purchases.getByText('STARTER package').waitFor()
  await purchases.getByText('+5% bonus').waitFor()
  await page.getByRole('region', { name: 'Current Balance' }).getByText('$17.50').waitFor()

  await open('usage')
  await page.getByText('Analysis of interview.mov').waitFor()

  await open('autoreload')
  await page.getByRole('switch', { name: 'Enable auto-reload' }).click()
  await page.getByLabel('Reload with').selectOption('pkg-pro-100')
  await page.getByRole('checkbox', { name: /I authorize/ }).check()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expectToast(page, { type: 'success', message: 'Auto-reload settings saved successfully' })
  await page.getByText(/^Authorized on/).waitFor()
  await page.reload()
  await page.getByText(/^Authorized on/).waitFor()
  assert.equal(await page.getByLabel('Reload with').inputValue(), 'pkg-pro-100')

  await open('paymentmethods')
  await page.getByRole('button', { name: 'Make Visa ending in 4242 the default' }).click()
  await expectToast(page, { type: 'success', message: 'Default payment method updated' })
  const cards = page.getByRole('region', { name: 'Payment Methods' }).getByRole('listitem')
  await cards.first().hover()
  await cards
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, { type: 'success', message: 'Payment method removed' })

  await open('security')
  await page.getByText('1 active').waitFor()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Key name').fill('Render farm')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('ci_live_specified').waitFor()
  await page.getByRole('button', { name: 'Delete Ingest' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, { type: 'success', message: 'API key deleted' })

  await page.getByRole('region', { name: 'Sessions' }).getByText('Current session').waitFor()
  await page.getByRole('button', { name: 'End Session' }).click()
  await page.waitForURL(`${server.url}/`)
  await expectToast(page, { type: 'success', message: 'Logged out', title: 'Goodbye!' })
  assert.equal(await page.evaluate(() => localStorage.getItem('token')), null)
  assert.deepEqual(crashes, [])
  await close()
})

test('buying, the pages after it, jobs, search and the public pages', slow, async () => {
  const { page, crashes, close } = await signIn()
  await page.goto(`${server.url}/profile#billing`)
  await page.getByRole('button', { name: /POWER/ }).click()
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await page.waitForURL(`${server.url}/payment/cancel`)
  await expectToast(page, { type: 'info', message: 'No charges were made' })
  const bought = 'session_id=cs_1&package_type=POWER&amount=50'
  await page.goto(`${server.url}/payment/success?${bought}`)
  await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
  await page.getByText('cs_1').waitFor()
  for (const [path, seen] of [
    ['/jobs', 'take one.mov'],
    ['/jobs/0000aaaa-job', '0000aaaa'],
    ['/search?q=river', 'Search isn’t responding'],
    ['/library', 'interview.mov'],
    ['/cuts', 'This server has no cuts'],
    ['/cuts/cut-1', 'This server has no cuts'],
    ['/receipts/credit-1', 'This receipt was not found'],
    ['/docs/editors', 'Into your editing software'],
    ['/terms', 'Terms of Use'],
    ['/privacy', 'Privacy Policy'],
    ['/docs/developer', 'Quick start'],
    ['/', 'Calculator'],
  ] as const) {
    await page.goto(server.url + path)
    await page.getByText(seen).first().waitFor()
    assert.equal(await broken(page).count(), 0, path)
  }
  assert.deepEqual(crashes, [])
  await close()
})
