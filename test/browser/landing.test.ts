import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { extractors } from '../../domain/money/catalogue.ts'
import { cutPoints, demoFiles, framesPerSecond } from '../../web/features/demo/clip.ts'
import { useHouse } from '../support/browser-app.ts'
import { slow } from '../support/slow.ts'

const house = useHouse()

test('the landing page has every section, in order (§2 Routes)', async () => {
  const { page, problems, close } = await house.open('/')
  const names = await page
    .locator('main section[aria-label]')
    .evaluateAll((sections) => sections.map((section) => section.getAttribute('aria-label')))
  assert.deepEqual(
    names.filter((name) => name !== 'Demonstration'),
    [
      'Introduction',
      'The problem',
      'How it works',
      'What it finds',
      'In practice',
      'Calculator',
      'Pricing',
      'Developers',
      'Get started',
    ],
  )
  assert.equal(await page.getByLabel('How it works').getByRole('listitem').count(), 3)
  const practice = page.getByLabel('In practice')
  assert.equal(await practice.getByRole('listitem').count(), 3)
  await practice.getByText('Illustrative use cases, not customer quotes.').waitFor()
  assert.equal(await practice.locator('blockquote').count(), 0, 'nobody is quoted')
  await page.getByText('cut editing time by about 70%').waitFor()
  const counts = (await page.locator('main').innerText()).match(/(\d+|six|seven)(?= extractors)/gi)
  assert.deepEqual(counts, Array(2).fill(String(extractors.length)), 'the count of the catalogue')
  assert.deepEqual(problems, [])
  await close()
})

test('an hour of footage has its price for one task beside the full analysis', async () => {
  const { page, close } = await house.open('/#calculator')
  const hour = page.getByRole('heading', { name: 'One hour of footage' }).locator('..')
  const prices = await hour
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((item) => [item.children[0]?.textContent, item.children[1]?.textContent]),
    )
  assert.deepEqual(prices, [
    ['Shot changes', '$10.80'],
    ['People talking', '$14.40'],
    ['Transcription', '$36.00'],
    ['Full analysis', '$90.00'],
  ])
  await close()
})

test('the calculator shows $0.025 a second to 3 decimals while the slider moves (§9)', async () => {
  const { page, close } = await house.open('/#calculator')
  const slider = page.getByRole('slider', { name: 'Length in seconds' })
  const cost = page.getByLabel('Calculator', { exact: true }).locator('output')
  const limits = await slider.evaluate((input: HTMLInputElement) => [
    input.min,
    input.max,
    input.value,
  ])
  assert.deepEqual(limits, ['1', '3600', '300'])
  await page.waitForFunction(() => scrollY > 0)
  assert.equal(await cost.innerText(), '$7.500')
  const set = (seconds: number) => slider.fill(String(seconds))
  for (const [seconds, shown] of [
    [1, '$0.025'],
    [7, '$0.175'],
    [3600, '$90.000'],
    [1321, '$33.025'],
  ] as const) {
    await set(seconds)
    assert.equal(await cost.innerText(), shown)
  }
  await slider.press('ArrowRight')
  assert.equal(await cost.innerText(), '$33.050')
  await close()
})

test('the packages are those of the catalogue, with bonus and flags (§9)', async () => {
  const { page, close } = await house.open('/#pricing')
  const cards = await page.getByLabel('Pricing').getByRole('listitem').allInnerTexts()
  assert.equal(cards.length, 4)
  for (const [index, parts] of [
    ['STARTER', '$10', '$10.00', 'none'],
    ['POWER', 'Popular', '$50', '$52.50', '$2.50 (+5%)'],
    ['PRO', 'Best value', '$100', '$115.00', '$15.00 (+15%)'],
    ['ENTERPRISE', '$500', '$600.00', '$100.00 (+20%)'],
  ].entries()) {
    for (const part of parts) assert.ok(cards[index]?.includes(part), `${part} in ${cards[index]}`)
  }
  const flags = cards.map((card) => /popular|best value|highest/i.exec(card)?.[0].toLowerCase())
  assert.deepEqual(flags, [undefined, 'popular', 'best value', undefined])
  await close()
})

test('Buy Now opens the login modal for a visitor and the confirmation for a user (§2 Dashboard)', async () => {
  const visitor = await house.open('/')
  await visitor.page.getByRole('button', { name: /^Buy Now: POWER/ }).click()
  await visitor.page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await visitor.close()

  const user = await house.server.user()
  const { page, context, close } = await house.open('/', user)
  const sent: unknown[] = []
  await context.route('**/v1/payment/checkout', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ status: 201, json: { checkout_url: `${house.server.url}/terms` } })
  })
  await page.getByRole('button', { name: /^Buy Now: POWER/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Buy credits' })
  await dialog.getByText('$52.50').waitFor()
  await dialog.getByRole('button', { name: 'Continue to checkout' }).click()
  await page.waitForURL(`${house.server.url}/terms`)
  assert.deepEqual(sent, [
    {
      credit_package_id: 'pkg-power-50',
      success_url: `${house.server.url}/payment/success`,
      cancel_url: `${house.server.url}/payment/cancel`,
    },
  ])
  await close()
})

test('a checkout that fails is shown, and the dialog stays', slow, async () => {
  const user = await house.server.user()
  const { page, context, close } = await house.open('/', user)
  await context.route('**/v1/payment/checkout', (route) =>
    route.fulfill({ status: 201, contentType: 'application/json', body: '{}' }),
  )
  await page.getByRole('button', { name: /^Buy Now: PRO/ }).click()
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await page.getByText('Checkout URL not provided').waitFor()
  await context.route('**/v1/payment/checkout', (route) =>
    route.fulfill({ status: 502, body: 'bad gateway' }),
  )
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await page.getByText('Failed to create checkout session').waitFor()
  await page.getByText('Checkout Failed').waitFor()
  await close()
})

test('the anchors #pricing, #calculator and #docs lead to their sections (§2 Routes)', async () => {
  const { page, close } = await house.open('/terms')
  for (const id of ['pricing', 'calculator', 'docs']) {
    await page.goto(`${house.server.url}/terms`)
    await page.goto(`${house.server.url}/#${id}`)
    await page.waitForFunction(
      (wanted) =>
        Math.abs(document.getElementById(wanted)?.getBoundingClientRect().top ?? 999) < 120,
      id,
    )
  }
  await close()
})

test(
  'the demonstration starts with the visitor, pauses and is worked by the keyboard',
  slow,
  async () => {
    const { page, problems, close } = await house.open('/', undefined, { motion: true })
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
    await page.mouse.move(300, 300)
    const playhead = page.getByRole('slider', { name: 'Playhead' })
    const frame = async () => Number(await playhead.getAttribute('aria-valuenow'))
    await runsPast(page, 3)
    await page.getByRole('button', { name: 'Pause' }).click()
    await playhead.focus()
    await playhead.press('Home')
    assert.equal(await playhead.getAttribute('aria-valuetext'), '01:00:00:00')
    await playhead.press('ArrowRight')
    assert.equal(await frame(), 1)
    const next = cutPoints.filter((point) => point.frame > 1).slice(0, 2)
    for (const point of next) {
      await page.getByRole('button', { name: 'Next cut point' }).click()
      assert.equal(await frame(), point.frame)
    }
    const at = await page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
    assert.equal(Math.floor(at * framesPerSecond), next[1]?.frame)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await runsPast(page, (next[1]?.frame ?? 0) + 3)
    assert.deepEqual(problems, [])
    await close()
  },
)

test('the demonstration shows the files that the product exported for the sample clip', async () => {
  const { page, close } = await house.open('/')
  const file = page.getByRole('region', { name: 'Exported file' })
  for (const demoFile of demoFiles) {
    await page.getByRole('button', { name: demoFile.label, exact: true }).click()
    const shown = await file.locator('code').allTextContents()
    assert.deepEqual(
      shown,
      demoFile.lines.map((line) => line.text),
    )
  }
  await page.getByText('Our sample clip: drawn pictures, a synthetic voice').waitFor()
  await close()
})

test('the demonstration stands still where motion is not wanted', slow, async () => {
  const { page, close } = await house.open('/')
  await page.waitForLoadState('networkidle')
  await page.mouse.move(300, 300)
  await page.mouse.wheel(0, 200)
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
  await close()
})

async function runsPast(page: Page, frame: number): Promise<void> {
  await page.waitForFunction(
    (past) =>
      Number(document.querySelector('[aria-label=Playhead]')?.getAttribute('aria-valuenow')) > past,
    frame,
  )
}
