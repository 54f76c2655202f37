import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import yauzl from 'yauzl'
import { fromUsd } from '../../domain/money/money.ts'
import { refund } from '../../server/billing/ledger.ts'
import { captureHold, placeHold } from '../../server/billing/hold.ts'
import { makeDataExport } from '../../server/privacy/data-export.ts'
import { startTestServer } from '../support/app.ts'
import { addClip } from '../support/library-clips.ts'
import { deliveredTo } from '../support/mail.ts'
import { payOnPage, providerOf, startCheckout } from '../support/payments.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const server = use(() =>
  startTestServer({
    sandbox: true,
    environment: { METRICS_TOKEN: 'a-token-of-16-letters', SELLER_NAME: 'CutIndex Ltd' },
  }),
)
const user = use(() => server.user('buyer@example.com'))
const details = {
  company: 'Schnittwerk Łódź & Co',
  address: 'Hauptstraße 1\n10115 Berlin',
  country: 'DE',
  vat_id: 'DE136695976',
}

async function buy(): Promise<string> {
  const { checkout_url } = await startCheckout(server, user)
  const earlier = (await user.client.listInvoices()).invoices.length
  await payOnPage(checkout_url)
  const { invoices } = await until(
    () => user.client.listInvoices(),
    (answer) => answer.invoices.length > earlier,
  )
  return invoices[0]?.number ?? ''
}

function textOf(pdf: Buffer): string {
  return spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).stdout
}

test('an invoice shows the buyer as they were, the card and the tax, on the page and as PDF', async () => {
  await user.client.saveBillingDetails({ body: { ...details, vat_id: ' de 136 695 976' } })
  const number = await buy()
  assert.match(number, /^CI-\d{4}-000001$/)
  await user.client.saveBillingDetails({ body: { ...details, company: 'Renamed' } })
  const { invoice } = await user.client.getInvoice({ params: { number } })
  assert.equal(invoice.buyer.company, details.company)
  assert.deepEqual([invoice.card_brand, invoice.card_last4], ['visa', '4242'])
  assert.equal(invoice.amount_usd, 50)
  assert.match(invoice.tax_note, /^No tax charged\. VAT id of the customer: DE136695976\./)
  const { receipt } = await user.client.getReceipt({ params: { id: invoice.transaction_id } })
  assert.equal(receipt.number, number)
  const path = `/v1/user/invoices/${number}/pdf`
  const answer = await server.fetch(path, { token: user.token })
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  const text = textOf(Buffer.from(await answer.arrayBuffer()))
  for (const words of [number, 'Schnittwerk Łódź & Co', '10115 Berlin', 'VAT id DE136695976']) {
    assert.ok(text.includes(words), words)
  }
  assert.match(text, /Total charged\s+\$50\.00 USD/)
  assert.match(text, /Visa •••• 4242/)
  const [mail] = await deliveredTo(server, user.email)
  assert.equal(mail?.subject, 'Receipt for $50.00')
  assert.ok(mail.text.includes(number))
  assert.ok(mail.text.includes(`${server.url}/receipts/${invoice.transaction_id}`))
})

test('a refund issues a credit note in a series of its own', async () => {
  const number = await buy()
  const { invoice } = await user.client.getInvoice({ params: { number } })
  const session = await providerOf(server).checkout.sessions.retrieve(invoice.reference)
  await providerOf(server).refunds.create({
    payment_intent: session.payment_intent as string,
    amount: 2000,
  })
  const { invoices } = await until(
    () => user.client.listInvoices(),
    (answer) => answer.invoices.some((invoice) => invoice.kind === 'credit_note'),
  )
  const note = invoices.find((invoice) => invoice.kind === 'credit_note')
  assert.match(note?.number ?? '', /^CN-\d{4}-000001$/)
  assert.deepEqual([note?.corrects, note?.amount_usd], [number, 20])
  const receipt = await user.client.getReceipt({ params: { id: invoice.transaction_id } })
  assert.equal(receipt.receipt.credit_notes.length, 1)
})

test('a VAT id of another country, or with a wrong digit, is refused by its field', async () => {
  for (const body of [
    { ...details, vat_id: 'DE136695977' },
    { ...details, country: 'FR' },
    { ...details, country: '' },
  ]) {
    const answer = await server.fetch('/v1/user/billing-details', {
      method: 'PUT',
      token: user.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 422)
    assert.match(((await answer.json()) as { field: string }).field, /vat_id|country/)
  }
})

test('the usage of each grouping adds up to the ledger, to the micro-dollar', async () => {
  const { ctx } = server
  const owner = await server.user('usage@example.com')
  await owner.client.getMe()
  const { accountId } = owner
  let expected = 0
  const charge = fc.asyncProperty(
    fc.integer({ min: 1, max: 60_001 }),
    fc.integer({ min: 0, max: 1 }),
    async (micros, isRefunded) => {
      const jobId = crypto.randomUUID()
      const now = ctx.now()
      await placeHold(ctx.db, { accountId, jobId, amountMicros: micros, now })
      await captureHold(ctx.db, {
        jobId,
        amountMicros: micros,
        description: 'Shots',
        seconds: 1,
        now,
      })
      const back = isRefunded ? Math.ceil(micros / 3) : 0
      if (back > 0) {
        await refund(ctx.db, {
          jobId,
          reference: jobId,
          amountMicros: back,
          reason: 'test',
          now,
        })
      }
      expected += micros - back
      for (const group of ['project', 'key', 'extractor']) {
        const answer = await server.fetch(`/v1/user/usage.csv?group=${group}`, {
          token: owner.token,
        })
        const lines = (await answer.text()).trim().split('\r\n').slice(1)
        const sums = lines.map((line) => fromUsd(line.split(',').at(-1) ?? ''))
        assert.equal(
          sums.reduce((total, sum) => total + sum, 0),
          expected,
          group,
        )
      }
    },
  )
  await fc.assert(charge, { numRuns: 15 })
  const bad = await server.fetch('/v1/user/usage.csv?from=2026-02-01&to=2026-01-01', {
    token: owner.token,
  })
  assert.equal(bad.status, 422)
})

test('the archive of an account comes by e-mail, opens without a session and expires', async () => {
  const { ctx } = server
  const clip = await addClip(server, user, {
    name: 'A.mov',
    frames: 50,
    words: [['Fog', 0, 10, 'Lena']],
  })
  const { data_export: requested } = await user.client.requestDataExport()
  assert.equal((await user.client.requestDataExport()).data_export.id, requested.id)
  assert.equal(await makeDataExport(ctx, requested.id), 'made')
  assert.equal(await makeDataExport(ctx, requested.id), 'done already')
  const mails = await deliveredTo(server, user.email)
  const link = /http\S+data-exports\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  assert.equal((await user.client.getDataExport()).data_export?.url, link)
  const answer = await fetch(link)
  assert.equal(answer.status, 200)
  const names = await namesIn(Buffer.from(await answer.arrayBuffer()))
  const findings = `findings/${clip.jobId}.json`
  for (const name of [
    'account.json',
    'reviews.json',
    'transactions.csv',
    'originals.csv',
    findings,
  ]) {
    assert.ok(names.includes(name), name)
  }
  const changed = link.replace(/token=(.)/, (_, first) => `token=${first === 'A' ? 'B' : 'A'}`)
  assert.equal((await fetch(changed)).status, 404)
  server.clock.offsetMs += 24 * 3_600_000
  assert.equal((await fetch(link)).status, 404)
  server.clock.offsetMs -= 24 * 3_600_000
})

test('metrics need their token and name no account; the status is public', async () => {
  assert.equal((await server.fetch('/metrics')).status, 401)
  const answer = await server.fetch('/metrics', { token: 'a-token-of-16-letters' })
  const text = await answer.text()
  assert.deepEqual(metricFaults(text), [])
  assert.match(text, /cutindex_http_request_seconds_count\{[^}]*route="\/v1\/user\/invoices"/)
  assert.match(text, /^cutindex_mail_waiting \d+$/m)
  assert.match(text, /^cutindex_jobs_waiting 0$/m)
  assert.match(text, /^cutindex_webhooks_waiting 0$/m)
  assert.match(text, /^cutindex_webhooks_late_seconds 0$/m)
  assert.match(text, /^cutindex_tasks_oldest_seconds\{queue="data-export"\} \d/m)
  const operations = await readFile(join(import.meta.dirname, '../../docs/OPERATIONS.md'), 'utf8')
  const alerts = new Set(operations.match(/\bcutindex_[a-z_]+/g))
  assert.ok(alerts.size > 5)
  for (const name of alerts) {
    // The books are compared once a day, not yet in this test.
    const isThere = text.includes(`${name} `) || text.includes(`${name}{`)
    assert.ok(isThere || name === 'cutindex_ledger_check_age_seconds', name)
  }
  assert.match(text, /^cutindex_storage_free_bytes \d+$/m)
  assert.match(text, /cutindex_http_refusals_total\{code="invalid"\} \d+/)
  assert.ok(!text.includes(user.accountId) && !text.includes(user.email))
  const { status, parts } = await server.client(null).getStatus()
  assert.equal(status, 'ok')
  assert.deepEqual(
    parts.map((part) => part.name),
    ['API', 'Uploads and downloads', 'Analysis', 'E-mail', 'Webhooks'],
  )
})

/** The rules of `promtool check metrics` for names, kinds and descriptions. */
function metricFaults(text: string): string[] {
  const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, a, b]) => [a, b]))
  return [...kinds].flatMap(([name = '', kind]) => {
    const faults: string[] = []
    if (!new RegExp(`^# HELP ${name} \\S`, 'm').test(text)) faults.push('has no description')
    if ((kind === 'counter') !== name.endsWith('_total')) faults.push('_total ends counters only')
    if (/_(?:count|sum|bucket)$/.test(name)) faults.push('ends as a part of a histogram does')
    if (/:|[A-Z]/.test(name)) faults.push('is not in snake_case')
    if (name.split('_').includes(kind ?? '')) faults.push('has its kind in its name')
    const scaled = /_(?:milli|micro|nano|kilo|mega|giga)?(?:seconds|bytes)(?=_|$)/.exec(name)?.[0]
    const isBase = scaled === undefined || scaled === '_seconds' || scaled === '_bytes'
    const isOther = /_(?:minutes|hours|days|weeks|ms|percent|kb|mb|gb)(?=_|$)/.test(name)
    if (!isBase || isOther) faults.push('is not in a base unit')
    return faults.map((fault) => `${name} ${fault}`)
  })
}

function namesIn(zip: Buffer): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  yauzl.fromBuffer(zip, { lazyEntries: false }, (error, file) => {
    if (error) return reject(error)
    const names: string[] = []
    file.on('entry', (entry: { fileName: string }) => names.push(entry.fileName))
    file.on('end', () => resolve(names))
  })
  return promise
}
