/** Keys with limits, the account's limit, webhooks and the audit log, as their owner uses them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { useHouse } from '../support/browser-app.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import type { Receiver } from '../support/webhook-receiver.ts'

const house = useHouse({ worker: true })
let receiver: Receiver

before(async () => {
  receiver = await startReceiver()
})
after(() => receiver.stop())

test('a key is made with options, which the list shows afterwards, and the change is in the audit log', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/profile#security', user)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Key name').fill('Ingest')
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('Mode').selectOption('test')
  await page.getByLabel('Spend limit ($)').fill('12,5')
  await page.getByLabel('Allowed addresses').fill('127.0.0.1, ::1')
  await page.getByLabel('jobs:write').check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Such as 20 or 12.50.').waitFor()
  await page.getByLabel('Spend limit ($)').fill('12.50')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const value = (await page.getByText(/^ci_test_\w{36}$/).textContent()) ?? ''
  const { apiKey } = await house.server.client(value).getCurrentApiKey()
  assert.deepEqual(apiKey.scopes, ['jobs:write'])
  assert.deepEqual(apiKey.spend_limit, { usd: 12.5, period: 'month' })
  assert.deepEqual(apiKey.allowed_addresses, ['127.0.0.1', '::1'])
  const keys = page.getByRole('region', { name: 'API Keys' })
  await keys.getByText('jobs:write · $0.00 of $12.50 spent this month · only from').waitFor()
  await page.reload()
  await keys.getByText(/last used just now from (127\.0\.0\.1|::1)/).waitFor()
  const audit = page.getByRole('region', { name: 'Audit Log' })
  await audit.getByText('Create a key').waitFor()
  await close()
})

test('a webhook is added, its secret shown once, a test sent and sent again', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/profile#webhooks', user)
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Where should we send events?').waitFor()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByLabel('batch.completed').check()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  receiver.secrets.push((await page.getByText(/^whsec_/).textContent()) ?? '')
  await page.getByRole('button', { name: 'Send test' }).click()
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByText('delivered').waitFor()
  assert.equal(receiver.received[0]?.type, 'webhook.test')
  await section.getByText('webhook.test', { exact: true }).click()
  await section.getByText('answered 200').waitFor()
  await section.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('1 event will be sent again').waitFor()
  await page.reload()
  await section.getByText(receiver.url).waitFor()
  assert.equal(await page.getByText(/whsec_/).count(), 0)
  await section.getByRole('button', { name: 'Switch off' }).click()
  await section.getByText('Off', { exact: true }).waitFor()
  await section.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
  await close()
})

test('the account’s monthly limit is set and removed in Billing', async () => {
  const user = await house.server.user()
  const { page, close } = await house.open('/profile#billing', user)
  const panel = page.getByRole('region', { name: 'Monthly Spend Limit' })
  await panel.getByLabel('Limit ($ per month)').fill('abc')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Enter dollars and cents').waitFor()
  await panel.getByLabel('Limit ($ per month)').fill('20')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Spend limit saved').waitFor()
  assert.equal((await user.client.getSpendLimit()).monthly_usd, 20)
  await close()
})
