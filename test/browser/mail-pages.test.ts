import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookOffMail } from '../../server/mail/messages.ts'
import { queueMail } from '../../server/mail/queue.ts'
import { useHouse } from '../support/browser-app.ts'
import { deliveredTo, headerOf } from '../support/mail.ts'
import { slow } from '../support/slow.ts'

const house = useHouse({ sandbox: true })

test('the link of an e-mail stops its kind without signing in, and takes it back', async () => {
  const { server } = house
  const { ctx } = server
  const user = await server.user()
  await ctx.db.transaction().execute((trx) =>
    queueMail(ctx, trx, {
      accountId: user.accountId,
      kind: 'webhooks',
      cause: 'page',
      content: webhookOffMail({ url: 'https://a.b/', failingSince: ctx.now(), lastAnswer: '500' }),
    }),
  )
  const [mail] = await deliveredTo(server, user.email)
  const link = headerOf(mail, 'list-unsubscribe').slice(1, -1).replace(server.url, '')
  const { page, problems, close } = await house.open(link)
  await page.getByRole('heading', { name: 'Stop “Webhooks” e-mails?' }).waitFor()
  assert.equal((await user.client.getPreferences()).preferences.mail?.webhooks, true)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: '“Webhooks” e-mails are off' }).waitFor()
  assert.equal((await user.client.getPreferences()).preferences.mail?.webhooks, false)
  await page.getByRole('button', { name: 'Send them again' }).click()
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test(
  'a switch in the profile saves by itself, and a wrong VAT id names its field',
  slow,
  async () => {
    const user = await house.server.user()
    const { page, close } = await house.open('/profile#account', user)
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.getByRole('switch', { name: 'Finished work' }).check()
    await saved
    assert.equal((await user.client.getPreferences()).preferences.mail?.finished, true)
    await page.goto(`${house.server.url}/profile#billing`)
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('VAT id').fill('DE136695977')
    const save = page
      .getByRole('region', { name: 'Invoice Details' })
      .getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Please check the VAT id').waitFor()
    await page.getByLabel('VAT id').fill('DE 136 695 976')
    await save.click()
    await page.getByText('Invoice details saved').waitFor()
    const { details } = await user.client.getBillingDetails()
    assert.equal(details.vat_id, 'DE136695976')
    await close()
  },
)

test('the status page says how the parts do, to everybody', async () => {
  const { page, problems, close } = await house.open('/status')
  await page.getByText('Everything works.').waitFor()
  await page.getByText('Jobs start within a minute.').waitFor()
  assert.deepEqual(problems, [])
  await close()
})
