import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { Invoice } from '../../contract/account/invoices.ts'
import { isVatId } from '../../domain/money/vat.ts'
import { startTestServer } from '../../test/support/app.ts'
import { issueCreditNote, issueInvoice } from './issue.ts'
import { drawInvoice } from './pdf.ts'
import { readInvoices } from './read.ts'
import { use } from '../../test/support/use.ts'

const server = use(startTestServer)

test('50 purchases at once, a third of them undone, leave no gap and no double', async () => {
  const { ctx } = server
  const { accountId } = await server.user()
  const buy = async (turn: number): Promise<void> => {
    await ctx.db
      .transaction()
      .execute(async (trx) => {
        await issueInvoice(ctx, trx, {
          accountId,
          transactionId: crypto.randomUUID(),
          packageName: 'POWER',
          priceMicros: 50_000_000,
          bonusMicros: 0,
          taxMicros: null,
          card: null,
          isAutoReload: false,
          reference: `cs_${turn}`,
        })
        if (turn % 3 === 0) throw new Error('The payment is undone.')
      })
      .catch(() => undefined)
  }
  await Promise.all(Array.from({ length: 50 }, (_, turn) => buy(turn)))
  const rows = await ctx.db
    .selectFrom('invoices')
    .select('ordinal')
    .where('account_id', '=', accountId)
    .orderBy('ordinal')
    .execute()
  assert.deepEqual(
    rows.map((row) => row.ordinal),
    Array.from({ length: 33 }, (_, index) => index + 1),
  )
})

test('credit notes return the tax of an invoice in shares that add up', async () => {
  const { ctx } = server
  const { accountId } = await server.user()
  await ctx.db.transaction().execute((trx) =>
    issueInvoice(ctx, trx, {
      accountId,
      transactionId: crypto.randomUUID(),
      packageName: 'POWER',
      priceMicros: 50_000_000,
      bonusMicros: 0,
      taxMicros: 7_980_000,
      card: { brand: 'visa', last4: '4242' },
      isAutoReload: false,
      reference: 'cs_taxed',
    }),
  )
  // The third refund failed, and the fourth made up for it.
  for (const returned of [3_330_000, 16_670_000, 30_000_000, -30_000_000, 30_000_000]) {
    await ctx.db
      .transaction()
      .execute((trx) =>
        issueCreditNote(ctx, trx, { reference: 'cs_taxed', returnedMicros: returned }),
      )
  }
  const notes = (await readInvoices(ctx.db, accountId))
    .filter(({ kind }) => kind === 'credit_note')
    .toReversed()
  assert.deepEqual(
    notes.map((note) => note.tax_usd),
    [0.53, 2.66, 4.79, -4.79, 4.79],
  )
  const [first] = notes
  assert.ok(first)
  const text = textOf(await drawInvoice(first))
  assert.match(text, /Tax, included\s+\$0\.53/)
  assert.match(text, /Total returned\s+\$3\.33 USD/)
  assert.match(text, /Tax as calculated by the payment provider/)
})

test('a buyer is written in any of the scripts of the world’s editors', async () => {
  const names = {
    chinese: '杭州剪辑科技有限公司',
    japanese: '株式会社編集スタジオ',
    korean: '주식회사 편집실',
    greek: 'Μοντάζ ΑΕ',
    cyrillic: 'ООО «Монтаж»',
    polish: 'Łódź Żółć',
  }
  const invoice = invoiceFor({
    company: Object.values(names).join(' · '),
    address: '東京都渋谷区神南1丁目2-3\nBuilding 7\n서울특별시 강남구',
  })
  const pdf = await drawInvoice(invoice)
  const text = textOf(pdf).replace(/\s/g, '')
  for (const [script, name] of Object.entries(names)) {
    assert.ok(text.includes(name.replace(/\s/g, '')), script)
  }
  const lines = textOf(pdf).split('\n')
  for (const line of ['東京都渋谷区神南1丁目2-3', 'Building 7', '서울특별시 강남구', 'Japan']) {
    assert.ok(
      lines.some((other) => other.trim().endsWith(line)),
      `${line} ends a line`,
    )
  }
  const fonts = spawnSync('pdffonts', ['-'], { input: pdf, encoding: 'utf8' }).stdout
  for (const font of ['DejaVuSans', 'NotoSansHans', 'NotoSansKR']) assert.ok(fonts.includes(font))
  assert.ok(pdf.length < 150_000, `only the glyphs that are shown: ${pdf.length} bytes`)
  const plain = await drawInvoice(invoiceFor({ company: 'Schnittwerk', address: 'Berlin' }))
  const few = spawnSync('pdffonts', ['-'], { input: plain, encoding: 'utf8' }).stdout
  assert.ok(!few.includes('Noto'))
})

function textOf(pdf: Buffer): string {
  return spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).stdout
}

function invoiceFor(buyer: { company: string; address: string }): Invoice {
  return {
    number: 'CI-2026-000001',
    kind: 'invoice',
    transaction_id: crypto.randomUUID(),
    corrects: null,
    issued_at: '2026-05-01T10:00:00.000Z',
    package_name: 'POWER',
    amount_usd: 50,
    bonus_usd: 2.5,
    tax_usd: null,
    tax_note: 'No tax charged.',
    card_brand: 'visa',
    card_last4: '4242',
    is_auto_reload: false,
    reference: 'cs_1',
    buyer: { ...buyer, name: null, email: 'a@example.com', country: 'JP', vat_id: '' },
    seller: { name: 'CutIndex', address: '', tax_id: '' },
  }
}

test('a VAT id has the form and the check digits of its country', () => {
  const right = ['DE136695976', 'BE0428759497', 'FR40303265045', 'IT00743110157', 'LU15027442']
  const more = ['PL8567346215', 'DK13585628', 'FI20774740', 'ATU13585627', 'NL004495445B01']
  for (const id of [...right, ...more]) assert.ok(isVatId(id.slice(0, 2), id), id)
  for (const id of right) {
    const last = Number(id.at(-1))
    assert.ok(!isVatId(id.slice(0, 2), `${id.slice(0, -1)}${(last + 1) % 10}`), `not ${id}`)
  }
  assert.ok(!isVatId('DE', 'ATU13585627'))
  assert.ok(isVatId('GR', 'EL123456789'))
  assert.ok(isVatId('US', '12/3456789'))
  assert.ok(!isVatId('US', '<script>'))
})
