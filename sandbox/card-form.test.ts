/** Chromium: the real React package mounts the sandbox's card form on a page of another origin. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import type Stripe from 'stripe'
import { closeBrowser, launchBrowser } from '../test/support/browser.ts'
import { slowUnless } from '../test/support/slow.ts'
import type { Sandbox } from './sandbox.ts'
import { connect, redirectUri, startTestSandbox } from './start-for-test.ts'

let sandbox: Sandbox
let stripe: Stripe
let server: Server
let browser: Browser
let pageUrl: string

before(async () => {
  sandbox = await startTestSandbox()
  stripe = connect(sandbox)
  server = await serveShop(await bundle(), sandbox.url)
  pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launchBrowser()
})
after(async () => {
  await closeBrowser(browser)
  server.close()
  await sandbox.stop()
})

it('saves a card without a number ever reaching the page', async () => {
  const { page, customer } = await openForm()
  await type(page, '4242424242424242')
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(page, 'confirmed:succeeded')
  assert.match(await read(page), /^ready change:false change:true confirmed:succeeded$/)
  assert.equal((await page.content()).includes('4242'), false)
  const methods = await stripe.paymentMethods.list({ customer: customer.id })
  assert.equal(methods.data[0]?.card?.last4, '4242')
  await page.close()
})

it('reports an incomplete form and a decline, then accepts another card', async () => {
  const { page } = await openForm()
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(page, 'submit:incomplete_number')
  await type(page, '4000000000000002')
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(page, 'error:card_declined:Your card was declined.')
  await type(page, '5555555555554444')
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(page, 'confirmed:succeeded')
  await page.close()
})

it('asks the bank in a dialog', async () => {
  const { page } = await openForm()
  await type(page, '4000002500003155')
  await page.getByRole('button', { name: 'Save' }).click()
  const bank = page.frameLocator('iframe[title="Card authentication"]')
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await waitFor(page, 'confirmed:succeeded')
  await page.close()
})

it('says so when the form cannot load', async () => {
  const page = await browser.newPage()
  await page.goto(`${pageUrl}/?secret=seti_none_secret_none`)
  await waitFor(page, 'loaderror:resource_missing')
  await page.close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  it(
    `pages have no accessibility faults (${colorScheme})`,
    slowUnless(colorScheme === 'light'),
    async () => {
      const session = await createStarterSession()
      const query = new URLSearchParams({
        client_id: 'gh-client',
        redirect_uri: redirectUri,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      })
      const pages = [
        session.url ?? '',
        `${sandbox.url}/github/login/oauth/authorize?${query.toString()}`,
        `${sandbox.url}/elements/payment`,
        `${sandbox.url}/`,
      ]
      const page = await browser.newPage({ colorScheme })
      for (const url of pages) {
        await page.goto(url)
        await page.evaluate(axe.source)
        const faults = await page.evaluate(
          'axe.run().then((result) => result.violations.map((one) => `${one.id}: ${one.nodes[0].html}`))',
        )
        assert.deepEqual(faults, [], url)
      }
      await page.close()
    },
  )
}

it('the hosted page takes a card typed by a person', async () => {
  const session = await createStarterSession()
  const page = await browser.newPage()
  await page.goto(session.url ?? '')
  await page.getByLabel('E-mail').fill('edda@example.com')
  await page.getByLabel('Card number').pressSequentially('4242424242424242')
  await page.getByLabel('Expiration date').pressSequentially('1240')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Edda Lind')
  await page.getByRole('button', { name: 'Pay $10.00' }).click()
  await page.waitForURL(`${pageUrl}/?paid=${session.id}`)
  await page.close()
})

function createStarterSession(): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'STARTER' } },
      },
    ],
    success_url: `${pageUrl}/?paid={CHECKOUT_SESSION_ID}`,
  })
}

async function openForm(): Promise<{ page: Page; customer: Stripe.Customer }> {
  const customer = await stripe.customers.create({})
  const intent = await stripe.setupIntents.create({ customer: customer.id })
  const page = await browser.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(`${pageUrl}/?secret=${intent.client_secret}`)
  await waitFor(page, 'ready')
  return { page, customer }
}

async function type(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]')
  await frame.getByLabel('Card number').fill('')
  await frame.getByLabel('Card number').pressSequentially(number)
  await frame.getByLabel('Expiration date').fill('')
  await frame.getByLabel('Expiration date').pressSequentially('1240')
  await frame.getByLabel('Security code').fill('123')
}

function waitFor(page: Page, text: string): Promise<void> {
  return page.locator('output', { hasText: text }).waitFor({ timeout: 10_000 })
}

async function read(page: Page): Promise<string> {
  return (await page.locator('output').textContent()) ?? ''
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(new URL('./browser/card-form.testing.tsx', import.meta.url)),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'iife' })
  return output[0].code
}

/** The policy shows what a shop has to allow: the provider's script, frames and calls. */
async function serveShop(script: string, provider: string): Promise<Server> {
  const policy = `default-src 'none'; script-src 'self' ${provider}; frame-src ${provider}; connect-src ${provider}; style-src 'unsafe-inline'`
  const shop = createServer((request, response) => {
    if (request.url === '/shop.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      return
    }
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end(
        `<!doctype html><title>Shop</title><body><script src="${provider}/stripe.js"></script><script src="/shop.js"></script>`,
      )
  })
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  return shop
}
