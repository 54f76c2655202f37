import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'
import { listen, notify } from '../db/notify.ts'
import type { Listener } from '../db/notify.ts'
import { startLeading } from './leader.ts'
import type { Leader } from './leader.ts'

let server: TestServer
let listener: Listener
before(async () => {
  server = await startTestServer()
  const { config, log } = server.ctx
  listener = await listen(config.databaseUrl, {}, { log })
})
after(async () => {
  await listener.close()
  await server.stop()
})

interface Worker extends Leader {
  looks: () => number
  /** From now on its looks do not come through. */
  freeze: () => void
}

async function join(wake: () => void = () => undefined): Promise<Worker> {
  let looks = 0
  let isFrozen = false
  const leader = await startLeading(server.ctx, {
    ask(text, values) {
      looks += 1
      return isFrozen ? Promise.reject(new Error('frozen')) : listener.ask(text, values)
    },
    wake,
    begin: async () => ({ stop: async () => undefined }),
    leaseMs: 3000,
    waitMs: 50,
  })
  return {
    get isLeading() {
      return leader.isLeading
    },
    stop: () => leader.stop(),
    looks: () => looks,
    freeze: () => (isFrozen = true),
  }
}

test('of several workers one leads, and another takes over when it stops or freezes', async () => {
  const [first, second, third] = [await join(), await join(), await join()]
  const leaders = (): Worker[] => [first, second, third].filter(({ isLeading }) => isLeading)
  await until(() => leaders().length === 1)
  await first.stop()
  await until(() => leaders().length === 1)
  const heir = leaders()[0]
  assert.notEqual(heir, first)
  heir?.freeze()
  await until(() => leaders().length === 1 && leaders()[0] !== heir)
  await Promise.all([second.stop(), third.stop()])
})

test('a worker that waits sends its looks over the open connection and nothing else', async () => {
  const leader = await join()
  let taken = 0
  const count = (): void => void (taken += 1)
  server.ctx.pool.on('acquire', count)
  const waiting = await join()
  const before = waiting.looks()
  await until(() => waiting.looks() > before + 5)
  server.ctx.pool.off('acquire', count)
  assert.equal(taken, 0)
  await Promise.all([waiting.stop(), leader.stop()])
})

test('only who follows an account hears of its changes', async () => {
  const { config, log, db } = server.ctx
  const heard: string[] = []
  const own = await listen(
    config.databaseUrl,
    { account_changed: ({ accountId }) => heard.push(accountId) },
    { log },
  )
  const [first, other] = [(await server.user()).accountId, (await server.user()).accountId]
  await own.follow(first)
  await notify(db, 'account_changed', { accountId: other, balance: true })
  await notify(db, 'account_changed', { accountId: first, balance: true })
  await until(() => heard.length > 0)
  assert.deepEqual(heard, [first])
  await own.unfollow(first)
  await own.follow(other)
  await notify(db, 'account_changed', { accountId: first, balance: true })
  await notify(db, 'account_changed', { accountId: other, balance: true })
  await until(() => heard.length > 1)
  assert.deepEqual(heard, [first, other])
  await own.close()
})
