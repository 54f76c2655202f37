/** PostgreSQL goes away and comes back while the service runs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { startOnLine } from '../support/cut-database.ts'
import { until } from '../support/until.ts'

let house: Awaited<ReturnType<typeof startOnLine>>
before(async () => {
  house = await startOnLine()
})
after(() => house.stop())

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

test('every route answers 503 with Retry-After where it needs the database, then goes on', async () => {
  const { server, line } = house
  const { token } = await server.user()
  const ask = (endpoint: Endpoint): Promise<Response> => {
    const path = endpoint.path.replace(/\{\w+\}/g, id)
    return server.fetch(`/v1${path}`, { method: endpoint.method, token })
  }
  assert.equal((await ask(api.getMe)).status, 200)
  line.cut()
  const wrong: string[] = []
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    const answer = await ask(endpoint)
    const text = await answer.text()
    const isAway = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0
    const isNamed = text === '' || ['interrupted', 'unavailable'].includes(codeOf(text))
    // Calls open to anyone may need no database, or no row of it for this input.
    const mayDoWithout = endpoint.auth === 'anyone' && answer.status < 500
    if (!mayDoWithout && !(isAway && isNamed)) wrong.push(`${name}: ${answer.status} ${text}`)
  }
  assert.deepEqual(wrong, [])
  const health = await server.fetch('/v1/health')
  assert.deepEqual([health.status, health.headers.get('retry-after')], [503, '2'])
  line.restore()
  assert.equal((await ask(api.getMe)).status, 200)
})

function codeOf(text: string): string {
  return (JSON.parse(text) as ErrorAnswer).code
}

test('a connection that breaks under a request is answered 503 too', async () => {
  const { server, line } = house
  const { token } = await server.user()
  const locked = await server.ctx.pool.connect()
  await locked.query('begin; lock table api_keys in access exclusive mode')
  const { pool } = server.ctx
  const busy = pool.totalCount - pool.idleCount
  const listing = server.fetch('/v1/api-keys', { token })
  await until(() => pool.totalCount - pool.idleCount > busy)
  line.cut()
  assert.equal((await listing).status, 503)
  locked.release(true)
  line.restore()
  assert.equal((await server.fetch('/v1/api-keys', { token })).status, 200)
})
