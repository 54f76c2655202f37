/** Event streams and tickets end with the session or key that opened them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openOperatorSession } from '../../server/sign-in/session.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

const dayMs = 24 * 3_600_000
/** Far above the promised 5 seconds, for a busy machine; far below a stream's life of an hour. */
const waitMs = 20_000

const server = use(startTestServer)
const owner = use(() => server.user())
before(async () => {
  await uploadClip(server.url, owner.token)
})

interface Opened {
  /** Resolves when the service ends the stream. */
  ended: Promise<'ended' | 'still open'>
  /** The statuses of the addresses that carry tickets. */
  tickets(): Promise<number[]>
}

/** Opens a stream and asks for tickets, all with one token. */
async function openWith(token: string): Promise<Opened> {
  const stream = await server.fetch('/v1/events', { token })
  assert.equal(stream.status, 200)
  const client = server.client(token)
  const { content } = await client.listContent({ query: {} })
  const item = content[0]
  assert.ok(item?.thumbnail_url)
  const { url } = await client.createDownloadTicket({ params: { id: item.id } })
  const addresses = [url, item.thumbnail_url]
  return {
    ended: untilEnd(stream),
    tickets: () =>
      Promise.all(
        addresses.map(async (address) => {
          const answer = await fetch(address)
          await answer.arrayBuffer()
          return answer.status
        }),
      ),
  }
}

async function untilEnd(stream: Response): Promise<'ended' | 'still open'> {
  const reader = stream.body?.getReader()
  const timer = setTimeout(() => void reader?.cancel('late'), waitMs)
  let isLate = false
  const late = setTimeout(() => (isLate = true), waitMs - 10)
  for (;;) {
    const { done } = (await reader?.read()) ?? { done: true }
    if (!done) continue
    clearTimeout(timer)
    clearTimeout(late)
    return isLate ? 'still open' : 'ended'
  }
}

async function newKey(): Promise<{ id: string; key: string }> {
  const { apiKey } = await owner.client.createApiKey({ body: { name: 'Watcher' } })
  return apiKey
}

test('logout, the end of a session and the deletion of a key end what they opened', async () => {
  const leaving = await openOperatorSession(server.ctx, owner.accountId)
  const ending = await openOperatorSession(server.ctx, owner.accountId)
  const key = await newKey()
  const tokens = [leaving, ending, key.key]
  const opened = await Promise.all(tokens.map(openWith))
  const staying = await openWith(owner.token)
  for (const access of opened) assert.deepEqual(await access.tickets(), [200, 200])

  await server.client(leaving).logout()
  const { sessions } = await server.client(ending).listSessions()
  const id = sessions.find((session) => session.current)?.id ?? ''
  await owner.client.endSession({ params: { id } })
  await owner.client.deleteApiKey({ query: { keyId: key.id } })

  for (const access of opened) assert.deepEqual(await access.tickets(), [401, 401])
  const ends = await Promise.all(opened.map(({ ended }) => ended))
  assert.deepEqual(ends, ['ended', 'ended', 'ended'])
  assert.deepEqual(await staying.tickets(), [200, 200], 'other sessions go on')
  const other = await Promise.race([staying.ended, Promise.resolve('still open')])
  assert.equal(other, 'still open')
})

test('the expiry of a key or a session ends what it opened', slow, async () => {
  const { apiKey } = await owner.client.createApiKey({
    body: { name: 'Short', expiresInDays: 30 },
  })
  const session = await openOperatorSession(server.ctx, owner.accountId)
  const opened = await Promise.all([apiKey.key, session].map(openWith))
  try {
    server.clock.offsetMs = 30 * dayMs + 1000
    const ends = await Promise.all(opened.map(({ ended }) => ended))
    assert.deepEqual(ends, ['ended', 'ended'])
  } finally {
    server.clock.offsetMs = 0
  }
})
