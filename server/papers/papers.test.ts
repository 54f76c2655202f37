import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isVatId } from '../../contract/vat.ts'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer } from '../../test/support/app.ts'
import { issueInvoice } from './issue.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

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
    .selectFrom('papers')
    .select('ordinal')
    .where('account_id', '=', accountId)
    .orderBy('ordinal')
    .execute()
  assert.deepEqual(
    rows.map((row) => row.ordinal),
    Array.from({ length: 33 }, (_, index) => index + 1),
  )
})

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
