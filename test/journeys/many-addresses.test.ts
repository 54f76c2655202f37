/** Looking at addresses costs bandwidth and disk, so one account has only a few looks at once. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const server = use(startTestServer)
const waiting: ServerResponse[] = []
const slow = use(() => startHttp((_request, response) => void waiting.push(response)))

test('an account looks at a few addresses at once; the others wait or are refused', async () => {
  const user = await server.user()
  const body = (at: number) => ({ content_url: `${slow.url}/${at}.txt`, workflow: 'ffprobe' })
  const quotes = Array.from({ length: 80 }, (_, at) =>
    user.client.quoteJob({ body: body(at) }).then(
      () => 200,
      (error: { status: number }) => error.status,
    ),
  )
  await until(
    async () => (await settledOf(quotes)).filter((status) => status === 429),
    (refused) => refused.length === 80 - 4 - 50,
  )
  assert.equal(waiting.length, 4)
  const other = await server.user()
  const adding = add(other)
  await until(() => Promise.resolve(waiting.length), 5)
  const answering = setInterval(() => {
    for (const response of waiting.splice(0)) response.end('Some words.')
  }, 5)
  const statuses = await Promise.all(quotes)
  await adding
  clearInterval(answering)
  assert.equal(statuses.filter((status) => status === 200).length, 54)
})

function add(user: TestUser): Promise<unknown> {
  return user.client.addReference({ body: { url: `${slow.url}/reference.txt` } })
}

/** The results of those promises that have one by now. */
async function settledOf<T>(promises: Promise<T>[]): Promise<(T | undefined)[]> {
  return Promise.all(promises.map((promise) => Promise.race([promise, Promise.resolve(undefined)])))
}
