/** Page views and events are counted by the day, without persons. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showAnalytics } from '../../server/analytics/show.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const server = use(startTestServer)

const report = (events: unknown, target = server) =>
  target.fetch('/v1/analytics', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'canary=cookie-canary' },
    body: JSON.stringify({ events }),
  })

interface Row {
  day: string
  name: string
  path: string
  detail: string
  count: string
}

const rows = async (target = server): Promise<Row[]> =>
  (await target.ctx.pool.query<Row>('select * from analytics_counts order by name, path')).rows

test('counts for a day, with ids, tokens and free text reduced to closed lists', async () => {
  const secret = 'canary-7f3a'
  const answer = await report([
    { name: 'page_view', path: `/jobs/${crypto.randomUUID()}?token=${secret}` },
    { name: 'page_view', path: `/jobs/${crypto.randomUUID()}` },
    { name: 'page_view', path: `/${secret}` },
    { name: 'login', path: '/oauth/callback', details: { provider: 'github' } },
    { name: 'login', path: '/oauth/callback', details: { provider: secret } },
    {
      name: 'purchase',
      path: '/payment/success',
      details: { package_type: 'pkg-power-50', amount_usd: 50 },
    },
  ])
  assert.equal(answer.status, 202)
  assert.equal(answer.headers.get('set-cookie'), null)
  assert.equal((await report([{ name: 'page_view', path: '/jobs/x' }])).status, 202)
  const kept = await rows()
  assert.deepEqual(
    kept
      .map(({ name, path, detail, count }) => [name, path, detail, Number(count)])
      .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
    [
      ['login', '/oauth/callback', 'github', 1],
      ['login', '/oauth/callback', 'other', 1],
      ['page_view', '/jobs/:id', '', 3],
      ['page_view', 'other', '', 1],
      ['purchase', '/payment/success', 'pkg-power-50', 1],
    ],
  )
  assert.deepEqual(Object.keys(kept[0] ?? {}).sort(), ['count', 'day', 'detail', 'name', 'path'])
  assert.ok(!JSON.stringify(kept).includes('canary'))
  const shown = await showAnalytics(server.ctx, 7)
  assert.match(shown, /^\d{4}-\d\d-\d\d {9}3 {2}page_view {2}\/jobs\/:id$/m)
})

test('two batches at once lose no count', async () => {
  const before = await total()
  const pages = ['/', '/terms', '/privacy', '/dashboard', '/profile']
  const batch = (start: number) =>
    pages.map((_, index) => ({ name: 'page_view', path: pages[(start + index) % pages.length] }))
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => report(batch(index))))
  assert.ok(answers.every(({ status }) => status === 202))
  assert.equal((await total()) - before, 40 * pages.length)
})

test('unknown events, long paths, large batches and strange fields are refused', async () => {
  const view = { name: 'page_view', path: '/' }
  for (const events of [
    [],
    Array.from({ length: 21 }, () => view),
    [{ ...view, name: 'keystroke' }],
    [{ ...view, path: `/${'a'.repeat(400)}` }],
    [{ ...view, person: 'mia' }],
    [{ ...view, details: { provider: 'x'.repeat(300) } }],
    'page_view',
  ]) {
    assert.equal((await report(events)).status, 422, JSON.stringify(events).slice(0, 60))
  }
})

test('a flood from one address is slowed down', async () => {
  await using small = await startTestServer({
    environment: { RATE_PER_SECOND: '1', RATE_BURST: '5' },
  })
  const flood = Array.from({ length: 20 }, () => report([{ name: 'login', path: '/' }], small))
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  assert.ok(statuses.filter((status) => status === 429).length >= 10)
})

test('counts older than 400 days go', async () => {
  server.clock.offsetMs = 401 * 24 * 3_600_000
  assert.ok(((await keepRetention(server.ctx)).analytics ?? 0) > 0)
  assert.deepEqual(await rows(), [])
  server.clock.offsetMs = 0
})

test('ANALYTICS_URL gets the events instead, from the server and reduced', async () => {
  const received = Promise.withResolvers<string>()
  const headers = Promise.withResolvers<string>()
  await using collector = await startHttp((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      received.resolve(text)
      headers.resolve(JSON.stringify(request.headers))
      response.writeHead(204).end()
    })
  })
  const environment = { ANALYTICS_URL: `${collector.url}/collect` }
  await using forwarding = await startTestServer({ environment })
  await report([{ name: 'page_view', path: '/jobs/canary?token=canary' }], forwarding)
  const { events } = JSON.parse(await received.promise) as { events: unknown }
  assert.deepEqual(events, [{ name: 'page_view', path: '/jobs/:id', detail: '' }])
  assert.ok(!(await headers.promise).includes('canary'))
  assert.deepEqual(await rows(forwarding), [])
})

async function total(): Promise<number> {
  return (await rows()).reduce((sum, row) => sum + Number(row.count), 0)
}
