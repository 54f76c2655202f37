import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractors } from '../../domain/money/catalogue.ts'
import { useHouse } from '../support/browser-app.ts'
import { slowUnless } from '../support/slow.ts'

const house = useHouse()

const prerendered = {
  '/': 'Your footage, indexed to the frame',
  '/terms': 'Terms of Use',
  '/privacy': 'Privacy Policy',
  '/docs/developer': 'Developer documentation',
  '/docs/editors': 'Into your editing software',
}

for (const [path, heading] of Object.entries(prerendered)) {
  test(`${path} is complete without scripts, with title, description and preview`, async () => {
    const html = await (await house.server.fetch(path)).text()
    assert.match(html, new RegExp(`<h1[^>]*>${heading}`))
    const titles = html.match(/<title>[^<]+<\/title>/g)
    assert.equal(titles?.length, 1)
    assert.match(html, /<meta name="description" content="[^"]{20,}"/)
    for (const property of ['og:title', 'og:description', 'og:url', 'og:image']) {
      assert.ok(html.includes(`property="${property}"`), property)
    }
    assert.ok(!/<script(?![^>]*src=)/.test(html), 'no inline script')
    assert.ok(!/ style="/.test(html), 'no inline style')
  })

  test(
    `${path} is taken over by scripts without a complaint`,
    slowUnless(path === '/'),
    async () => {
      const { page, problems, close } = await house.open(path)
      await page.waitForLoadState('networkidle')
      assert.deepEqual(problems, [])
      assert.equal(await page.title(), await titleOf(path))
      await close()
    },
  )
}

test('the legal pages are dated, complete and linked to each other (§2 Routes, §9)', async () => {
  const { page, close } = await house.open('/terms')
  const terms = await page.getByRole('main').innerText()
  for (const fact of [
    'October 22, 2025',
    'non-refundable',
    'up to 25%',
    '30 days’ notice',
    'Purchased credits never expire',
    '$5 of free credits each month',
    'expire at the end of that month',
    'GitHub or a Google account',
    'pay-as-you-go',
  ]) {
    assert.ok(terms.includes(fact), fact)
  }
  await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).last().click()
  await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor()
  const privacy = await page.getByRole('main').innerText()
  for (const fact of [
    'October 22, 2025',
    'Usage logs',
    '90 days',
    'until you delete it, or after 90 days of inactivity',
    '1 year',
    '7 years',
    'children under 13',
    'typically within 72 hours',
    'within 30 days',
  ]) {
    assert.ok(privacy.includes(fact), fact)
  }
  await page.getByRole('main').getByRole('link', { name: 'Terms of Use' }).last().click()
  await page.getByRole('heading', { name: 'Terms of Use', level: 1 }).waitFor()
  await close()
})

test('the developer documentation covers its topics and shows each language (§2 Routes)', async () => {
  const { page, close } = await house.open('/docs/developer')
  for (const name of [
    'Quick start',
    'Authentication',
    'Code examples',
    'Environments',
    'Errors',
    'Idempotency',
    'Limits',
    'Help',
  ]) {
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  await page.getByText('Authorization: Bearer ci_live_…').waitFor()
  await page.getByText(`export CUTINDEX_API=${house.server.url}`).waitFor()
  const table = page.getByRole('region', { name: 'Extractors' })
  for (const { id, name } of extractors) {
    await table.getByRole('row', { name: new RegExp(`^${id} ${name} `) }).waitFor()
  }
  for (const [button, words] of [
    ['TypeScript', "from 'cutindex'"],
    ['Python (requests)', 'import requests'],
    ['curl', 'curl -sS'],
  ] as const) {
    const examples = page.locator('#examples')
    await examples.getByRole('button', { name: button, exact: true }).click()
    await examples.getByRole('group', { name: button }).getByText(words).waitFor()
  }
  await close()
})

test('the API reference shows every call of openapi.yaml and finds one (§2 Routes)', async () => {
  const { page, problems, close } = await house.open('/docs/api')
  const yaml = await (await house.server.fetch('/openapi.yaml')).text()
  const calls = yaml.match(/^ {4}(get|post|put|patch|delete|head):$/gm) ?? []
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  assert.ok(calls.length > 40)
  assert.equal(await page.getByRole('main').getByRole('article').count(), calls.length)
  await page.getByLabel('Find a call').fill('POST jobs/quote')
  await page.waitForFunction(() => document.querySelectorAll('main article').length === 1)
  await page.getByRole('heading', { name: 'POST /v1/jobs/quote' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('sitemap, robots and the icon are there', async () => {
  const sitemap = await (await house.server.fetch('/sitemap.xml')).text()
  for (const path of Object.keys(prerendered)) assert.ok(sitemap.includes(`${path}</loc>`), path)
  const robots = await (await house.server.fetch('/robots.txt')).text()
  assert.match(robots, /Disallow: \/v1\/\n[\s\S]*Sitemap: /)
  assert.equal((await house.server.fetch('/favicon.svg')).status, 200)
  assert.equal((await house.server.fetch('/og.png')).headers.get('content-type'), 'image/png')
})

async function titleOf(path: string): Promise<string> {
  const html = await (await house.server.fetch(path)).text()
  return /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
}
