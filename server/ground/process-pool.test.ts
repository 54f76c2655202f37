import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import type { Refusal } from './refusal.ts'
import * as z from 'zod'
import { createProcessPool, OrderKilled } from './process-pool.ts'
import type { PoolOptions, ProcessPool } from './process-pool.ts'
import type { TestOrder } from './pool-process.testing.ts'

function openPool(options: Partial<PoolOptions<string>> = {}): ProcessPool<TestOrder, string> {
  return createProcessPool({
    entry: new URL('./pool-process.testing.ts', import.meta.url),
    outcome: z.string(),
    processes: 2,
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
  const pool = openPool({ processes: 1, maxMs: 500 })
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

test('a fault keeps its words and its process', async () => {
  const pool = openPool({ processes: 1 })
  await assert.rejects(pool.run('a', { kind: 'fault' }), /no such page/)
  assert.equal(await pool.run('a', echo('fine')), 'fine')
})

test("one account's flood of stuck orders leaves a process to the others", async () => {
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

test('accounts take turns where there is one process', async () => {
  const pool = openPool({ processes: 1 })
  const ended: string[] = []
  const run = async (account: string, text: string): Promise<void> => {
    await pool.run(account, echo(text))
    ended.push(text)
  }
  const flood = ['a1', 'a2', 'a3'].map((text) => run('a', text))
  await Promise.all([...flood, run('b', 'b1')])
  assert.deepEqual(ended, ['a1', 'b1', 'a2', 'a3'])
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

test('a killed process takes its media tools with it', async () => {
  const pool = openPool()
  const stop = new AbortController()
  const mark = `killed-${process.pid}-${Date.now()}`
  const file = resolve(import.meta.dirname, '../../web/public/demo.mp4')
  const running = pool.run('a', { kind: 'tool', file, mark }, stop.signal)
  const ended = assert.rejects(running, OrderKilled)
  await until(async () => (await processesWith(mark)).length > 0)
  stop.abort()
  await ended
  await until(async () => (await processesWith(mark)).length === 0)
})

test('a process yields to the service and knows none of its settings', async () => {
  process.env.STRIPE_SECRET_KEY = 'sk_test_not_for_parsers'
  try {
    const said = JSON.parse(await openPool().run('a', { kind: 'self' })) as {
      names: string[]
      priorities: number[]
    }
    assert.deepEqual(said.names.toSorted(), ['NODE_COMPILE_CACHE', 'PATH', 'TMPDIR'])
    // Its threads too: those that compile and collect garbage, and those that read files.
    assert.ok(said.priorities.length > 2, `${said.priorities.length} threads`)
    const expected = Math.min(os.getPriority() + 10, os.constants.priority.PRIORITY_LOW)
    assert.deepEqual([...new Set(said.priorities)], [expected])
  } finally {
    delete process.env.STRIPE_SECRET_KEY
  }
})

test('no more run at once than there are processes', async () => {
  const pool = openPool({ processes: 3 })
  // Those of the other tests are idle, or about to end.
  const others = new Set(await processesWith('pool-process.testing.ts'))
  const own = async (): Promise<string[]> =>
    (await processesWith('pool-process.testing.ts')).filter((pid) => !others.has(pid))
  const stop = new AbortController()
  const stuck = ['a', 'b', 'c', 'd', 'e'].map((account) =>
    assert.rejects(pool.run(account, { kind: 'loop' }, stop.signal), OrderKilled),
  )
  // While a process runs its next program, it has no command line for a moment.
  const seen = new Set<string>()
  const look = async (): Promise<void> => (await own()).forEach((pid) => seen.add(pid))
  await until(async () => {
    await look()
    return seen.size >= 3
  })
  for (let times = 0; times < 10; times++) await look()
  assert.equal(seen.size, 3)
  stop.abort()
  await Promise.all(stuck)
})

/** The ids of the processes with this word in their command line. */
async function processesWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  )
  return pids.filter((_, index) => lines[index]?.includes(word))
}
