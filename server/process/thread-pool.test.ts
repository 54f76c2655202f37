import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import type { Refusal } from '../refusal.ts'
import { createThreadPool, OrderKilled } from './thread-pool.ts'
import type { PoolOptions, ThreadPool } from './thread-pool.ts'
import type { TestOrder } from './thread-orders.testing.ts'

function openPool(options: Partial<PoolOptions> = {}): ThreadPool<TestOrder, string> {
  return createThreadPool({
    entry: new URL('./thread-orders.testing.ts', import.meta.url),
    threads: 2,
    maxMs: 300_000,
    maxHeapMiB: 64,
    maxOfAccount: 10,
    maxOrders: 20,
    sentences: { account: 'Too many of yours.', all: 'Too many of all.' },
    ...options,
  })
}

const echo = (text: string): TestOrder => ({ kind: 'echo', text })

test('an order that never ends is killed at its limit, and the next one runs', async () => {
  const pool = openPool({ threads: 1, maxMs: 1500 })
  let turns = 0
  let isOver = false
  const stuck = assert.rejects(pool.run('a', { kind: 'loop' }), OrderKilled)
  const next = pool.run('a', echo('next'))
  void stuck.finally(() => (isOver = true))
  while (!isOver) {
    await turn()
    turns += 1
  }
  // The event loop went round as if nothing was running.
  assert.ok(turns > 1000, `${turns} turns`)
  await stuck
  assert.equal(await next, 'next')
})

test('an order that hoards memory is killed alone', async () => {
  const pool = openPool({ maxHeapMiB: 24 })
  await assert.rejects(pool.run('a', { kind: 'memory' }), OrderKilled)
  assert.equal(await pool.run('a', echo('fine')), 'fine')
})

test('a fault keeps its words and its thread', async () => {
  const pool = openPool({ threads: 1 })
  await assert.rejects(pool.run('a', { kind: 'fault' }), /no such page/)
  assert.equal(await pool.run('a', echo('fine')), 'fine')
})

test("one account's flood of stuck orders leaves a thread to the others", async () => {
  const pool = openPool()
  const flood = new AbortController()
  const stuck = Array.from({ length: 8 }, () =>
    assert.rejects(pool.run('flood', { kind: 'loop' }, flood.signal), OrderKilled),
  )
  assert.equal(await pool.run('other', echo('served')), 'served')
  assert.equal(await pool.run('other', echo('again')), 'again')
  flood.abort()
  await Promise.all(stuck)
})

test('too many orders are refused, of an account and of all', async () => {
  const pool = openPool({ maxOfAccount: 2, maxOrders: 3 })
  const stop = new AbortController()
  const stuck = ['a', 'a', 'b'].map((account) =>
    assert.rejects(pool.run(account, { kind: 'loop' }, stop.signal), OrderKilled),
  )
  const codeOf = (account: string): Promise<unknown> =>
    pool.run(account, echo('')).catch((error: unknown) => (error as Refusal).code)
  assert.deepEqual([await codeOf('a'), await codeOf('c')], ['rate_limited', 'unavailable'])
  stop.abort()
  await Promise.all(stuck)
})

test('a killed thread takes its media tools with it', async () => {
  const pool = openPool()
  const stop = new AbortController()
  const mark = `killed-${process.pid}-${Date.now()}`
  const file = resolve(import.meta.dirname, '../../web/public/demo.mp4')
  const running = pool.run('a', { kind: 'tool', file, mark }, stop.signal)
  const ended = assert.rejects(running, OrderKilled)
  await until(async () => (await toolsWith(mark)) > 0)
  stop.abort()
  await ended
  await until(async () => (await toolsWith(mark)) === 0)
})

async function toolsWith(mark: string): Promise<number> {
  const lines = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  )
  return lines.filter((line) => line.includes(mark)).length
}
